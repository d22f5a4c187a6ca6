"""What a person has asked for, as small frozen values: the data, the computation, the view.

These three are all that a link carries and all that a cache needs as its key. They hold
no data and import neither streamlit nor the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from stiknn_core.types import Metric, Scaling, Space, Ties
from stiknn_view.options import ColorBy

Source = Literal["generated", "bundled", "paper", "upload"]
FlipKind = Literal["uniform", "nearest", "asymmetric"]
Evaluation = Literal["leave-one-out", "hold-out", "test-file", "split-column"]
OrderName = Literal["input", "class", "value", "cluster"]
ScoreName = Literal[
    "usual", "plain", "rbf", "inverse", "tricube", "shares", "absolute", "squared", "huber"
]
RankBy = Literal["quality", "confusion", "value", "in_out", "row", "rarity", "distance"]
Section = Literal["pictures", "pairs", "values", "suspects", "sweep", "errors"]

MIN_POINTS: Final = 10
"""Fewest points the app generates; uploads may be smaller."""
MAX_POINTS: Final = 4_000
"""Most training points whose full matrix the app computes and draws (128 MB of float64)."""
MAX_ROWS: Final = 1_000_000
"""Most training points that are ranked, valued and reviewed one by one."""
MAX_GENERATED: Final = 100_000
"""Most points the app generates; above `MAX_POINTS` they are explored as blocks."""
USUAL_TESTS: Final = 1_000
"""Held-out rows that are test points enough to begin with: see docs/scale.md."""
MIN_SHARE: Final = 0.0002
MAX_SHARE: Final = 0.9
"""Bounds of a held-out share: of a million rows, 200 and more can be test points."""
MAX_K: Final = 500
"""Largest k the app offers; beyond the number of training points every pair is 0."""
MAX_SEED: Final = 2**32 - 1


def fits_a_matrix(n_train: int) -> bool:
    """Whether all pairs of so many training points are computed and drawn one by one."""
    return n_train <= MAX_POINTS


@dataclass(frozen=True)
class DataSpec:
    """Which data set, and what was done to it.

    Attributes
    ----------
    source : {"generated", "bundled", "paper", "upload"}
    name : str
        Generator, bundled data set, key of the paper's registry or "openml-" and a number,
        or the file name of an upload.
    n : int
        Points to generate (before copies and outliers).
    noise : float
        Spread of generated points around their shape, in data units, at least 0.
    seed : int
        Decides every random choice made for this data set.
    n_classes : int
        Classes to generate, for the generators that can make more than two.
    imbalance : float
        0 = classes of equal size; 0.9 = the first class a tenth of the last one.
    flip : float
        Share of labels changed on purpose, 0 to 1.
    flip_kind : {"uniform", "nearest", "asymmetric"}
        To any other class, to the class next to the point, or from one class to one other.
    flip_from, flip_to : str
        The two classes of an asymmetric flip, as text; empty takes the first class and the
        first other one.
    copies, outliers : float
        Share of rows added as exact copies, or far from their class, 0 to 1.
    thin : float
        Share of one class taken away, 0 to 1.
    thin_of : str
        That class, as text; empty takes the one that sorts last.
    sample : int
        Rows to draw, class by class, before anything is done to them; 0 takes all rows.
        ``seed`` decides which.
    digest : str
        SHA-256 of an upload's bytes and of all choices made for it; empty otherwise.
    """

    source: Source = "generated"
    name: str = "circles"
    n: int = 300
    noise: float = 0.1
    seed: int = 0
    n_classes: int = 2
    imbalance: float = 0.0
    flip: float = 0.1
    flip_kind: FlipKind = "uniform"
    copies: float = 0.0
    outliers: float = 0.0
    thin: float = 0.0
    flip_from: str = ""
    flip_to: str = ""
    thin_of: str = ""
    sample: int = 0
    digest: str = ""

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same data; fit for a cache key."""
        return repr(self)

    @property
    def noisy(self) -> bool:
        """Whether anything is done to the data on purpose."""
        return any((self.flip, self.copies, self.outliers, self.thin))


@dataclass(frozen=True)
class ComputeSpec:
    """Everything that changes the numbers.

    Attributes
    ----------
    k : int
        Nearest neighbours that vote, at least 1.
    index : str
        As ``stiknn_core.games.index_of`` reads it, "STII" or "beta(4, 1)"; or "calibrated(4k)",
        whose least size follows k. See ``asked.game``.
    metric : str
        Distance between rows; not used in the forest's space.
    ties : {"expected", "index"}
    evaluation : {"leave-one-out", "hold-out", "test-file", "split-column"}
        Where the test points come from. The last two are for uploads only.
    share : float
        Share of the rows held out, in [0.0002, 0.9]; only used by a hold-out.
    split_seed : int
        Decides the held-out rows; only used by a hold-out.
    scaling : {"none", "standard", "robust", "minmax"}
        Fitted on the training rows alone.
    space : {"features", "forest"}
        Where neighbours are looked for: among the features themselves, or by how often the
        trees of a random forest put two rows into one leaf.
    test_name, test_digest : str
        File name and SHA-256 of the test file; only used by one.
    split_column : str
        Column of the upload that marks training and test rows; only used by one.
    score : ScoreName
        What a neighbour brings; "usual" is what the labels are made for: matching classes, the
        shares of annotators where several labelled the rows, or the loss of measured targets.
    width : float
        Bandwidth of a kernel, or where Huber's loss becomes straight; 0 is found from the data.
    """

    k: int = 5
    index: str = "STII"
    metric: Metric = "euclidean"
    ties: Ties = "expected"
    evaluation: Evaluation = "leave-one-out"
    share: float = 0.3
    split_seed: int = 0
    scaling: Scaling = "none"
    space: Space = "features"
    test_name: str = ""
    test_digest: str = ""
    split_column: str = ""
    score: ScoreName = "usual"
    width: float = 0.0

    @property
    def split(self) -> tuple[str, ...]:
        """What decides which rows are training rows; equal = the same point ids."""
        match self.evaluation:
            case "hold-out":
                return ("hold-out", repr(self.share), str(self.split_seed))
            case "test-file":
                return ("test-file", self.test_digest)
            case "split-column":
                return ("split-column", self.split_column)
        return ("leave-one-out",)


@dataclass(frozen=True)
class ViewSpec:
    """Everything that changes only the picture.

    Attributes
    ----------
    order : {"input", "class", "value", "cluster"}
        How rows and columns of the matrix are sorted.
    color_by : {"class", "value", "quality", "interaction"}
        What colours the points of the scatter.
    range_quantile : float
        Share of the off-diagonal cells that the colour range covers, in (0, 1].
    show_changed : bool
        Mark the labels that are known to be changed.
    rank_by : {"quality", "confusion", "value", "in_out", "row", "rarity"}
        Which score ranks the suspects; a name of ``stiknn_core.scores.SCORES``.
    plane : str
        What the scatter shows: "auto", "pca", "tsne", "umap", or "columns:" and two names; see
        ``plane_choice``.
    point : int
        The one point that is looked at closely, by its point id.
    section : {"pictures", "pairs", "values", "suspects", "sweep", "errors"}
        The part that is open where two results are compared.
    own_scale : bool or None
        Whether two matrices that are compared are divided by their own spread; None: where
        their k or index differs, which makes one far paler than the other.
    """

    order: OrderName = "class"
    color_by: ColorBy = "class"
    range_quantile: float = 0.98
    show_changed: bool = False
    rank_by: RankBy = "quality"
    plane: str = "auto"
    point: int = 0
    section: Section = "pictures"
    own_scale: bool | None = None


EXAMPLE_DATA: Final = DataSpec()
EXAMPLE_COMPUTE: Final = ComputeSpec()
EXAMPLE_VIEW: Final = ViewSpec()
HOME_DATA: Final = DataSpec(name="moons", n=150, noise=0.1, flip=0.1)
HOME_VIEW: Final = ViewSpec(show_changed=True)
"""What the first page opens on: there the wrong labels are seen at once. Links that say nothing,
and all other pages, begin with the circles of `EXAMPLE_DATA`.
"""
USUAL_SCALING: Final[dict[Source, Scaling]] = {"upload": "standard"}
"""Scaling of a source until a person chooses one; "none" for the sources that are not here.

Generated shapes mean something in their own units, tables of measurements rarely do.
"""
FIRST_DATA: Final[dict[Source, DataSpec]] = {
    "generated": EXAMPLE_DATA,
    "bundled": DataSpec(source="bundled", name="iris", flip=0.0),
    "paper": DataSpec(source="paper", name="monks2", flip=0.0),
}
"""What each source begins with; real data come as they are."""

"""The paper's figures, drawn anew: needs matplotlib, see benchmarks/requirements-paper.txt.

matplotlib rather than the Plotly of the dashboard, since Plotly writes pictures only with the
help of an installed Chrome. Figures are made without pyplot, and so without a display.
"""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stiknn_core.ordering import Order, paper_order
from stiknn_core.plotting import color_limit
from stiknn_core.plotting.palette import DIVERGING
from stiknn_core.types import Dataset, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from benchmarks.paper_data import Split
    from benchmarks.paper_findings import DataSetRow

INSTALL = "python -m pip install -r benchmarks/requirements-paper.txt"
#: The paper speaks of blue and orange points.
CLASS_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
MARKS = ("o", "D", "s", "^", "P", "*", "X", "h")
INK = "#333333"
#: Pixels across every figure; shown at half of that.
WIDTH = 1400
#: Odd, so that one step of the colours is exactly neutral.
COLOR_STEPS = 33
DOTS_PER_INCH = 180
#: Share of the pairs within the range of colours; less would hide how strong a small class is.
RANGE = 0.999
_WRONG: dict[str, Any] = {"color": INK, "markersize": 2.2, "clip_on": False}
FONT = {"font.size": 8.5, "axes.edgecolor": "#888888", "axes.labelcolor": INK, "text.color": INK}


def available() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def scatter_and_matrix(train: Dataset, matrix: FloatArray, title: str) -> Figure:
    """Draw the points in the plane beside their matrix in the paper's order."""
    figure = _figure(WIDTH, 765, title)
    _scatter(_axes(figure, 100, 205, 450, 450), train)
    # As many pixels as there are points: a single row of another kind is a line to be seen.
    axis = _axes(figure, 655, 95, 600, 600)
    order = _matrix(figure, axis, matrix, train, max_cells=600)
    if len(train.flipped):
        places = order.places[train.flipped] + 0.5
        axis.plot(places, np.full(len(places), -0.012 * train.n), "v", **_WRONG)
        axis.plot(np.full(len(places), 1.012 * train.n), places, "<", **_WRONG)
        axis.set(xlim=(0, train.n), ylim=(train.n, 0))
        axis.annotate("wrong labels", (1, 1.025), xycoords="axes fraction", ha="right", va="bottom")
    return figure


def two_matrices(split: Split, by_k: dict[int, FloatArray], title: str) -> Figure:
    """Draw the matrices of two k side by side, each in its own range of colours."""
    figure = _figure(WIDTH, 645, title)
    for place, (k, matrix) in enumerate(by_k.items()):
        axis = _axes(figure, 75 + 680 * place, 95, 470, 470)
        _matrix(figure, axis, matrix, split, max_cells=300)
        axis.set_title(f"k = {k}", fontsize=9)
    return figure


def correlations(rows: list[DataSetRow], claimed: float) -> Figure:
    """Draw the least correlation over k of every data set, of pairs and of whole matrices."""
    shown = sorted((row for row in rows if row.present), key=lambda row: row.pairs or 0.0)
    height = 42 * len(shown)
    figure = _figure(WIDTH, height + 130, "")
    axis = _axes(figure, 300, 85, WIDTH - 340, height)
    places = np.arange(len(shown))
    axis.axvline(claimed, color=INK, linewidth=1, linestyle=(0, (4, 2)))
    axis.annotate(
        f"the paper: r > {claimed}", (claimed, len(shown) - 0.45), ha="right", va="bottom"
    )
    for label, least, mark, color in (
        ("pairs alone", [row.pairs for row in shown], "o", CLASS_COLORS[0]),
        ("flattened matrix with its diagonal", [row.whole for row in shown], "D", CLASS_COLORS[5]),
    ):
        axis.plot(least, places, mark, color=color, label=label)
    axis.set_yticks(places, [_shortened(row.title) for row in shown])
    axis.set_ylim(-0.6, len(shown) + 0.4)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlabel("least Pearson correlation between the matrices of any two k from 3 to 20")
    axis.legend(loc="upper left", frameon=False)
    _bare(axis)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a PNG in few colours, the same bytes for the same picture."""
    from PIL import Image

    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DOTS_PER_INCH, facecolor="white")
    # The colours of the scale, named one by one: a palette made of the picture itself would
    # give up those of the scale that no cell has. A third of the bytes of full colours.
    palette = Image.new("P", (1, 1))
    palette.putpalette(b"".join(_palette()))
    with Image.open(drawn) as picture:
        picture.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE).save(
            path, optimize=True
        )


def _color(code: int) -> str:
    return CLASS_COLORS[code % len(CLASS_COLORS)]


def _palette() -> list[bytes]:
    """Return the colours of the scale, greys, and every class colour on its way to white."""
    from matplotlib.colors import to_rgb

    steps = _scale()(np.arange(COLOR_STEPS))[:, :3]
    greys = np.repeat(np.linspace(0, 1, 18)[:, None], 3, axis=1)
    classes = np.array([to_rgb(color) for color in CLASS_COLORS])
    tints = [share * classes + (1 - share) for share in (1.0, 0.8, 0.6, 0.4, 0.2)]
    colors = np.vstack([steps, greys, *tints])
    return [bytes(color) for color in np.rint(255 * colors).astype(np.uint8)]


def shrunk(matrix: FloatArray, step: int) -> FloatArray:
    """Return the mean of step × step cells, NaN left out, the last cells maybe smaller."""
    edges = np.arange(0, len(matrix), step)
    known = (~np.isnan(matrix)).astype(np.float64)
    total, count = (
        np.add.reduceat(np.add.reduceat(part, edges, 0), edges, 1)
        for part in (np.nan_to_num(matrix), known)
    )
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _figure(width: int, height: int, title: str) -> Figure:
    """Return an empty figure of so many pixels."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams.update(FONT)
    figure = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH))
    figure.text(0.5, 1 - 12 / height, title, ha="center", va="top", fontsize=9.5)
    return figure


def _axes(figure: Figure, left: int, bottom: int, width: int, height: int) -> Axes:
    """Return axes at a place in pixels, so that cells of a matrix fall on whole ones."""
    across, up = figure.get_size_inches() * DOTS_PER_INCH
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def _scale() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("interactions", list(DIVERGING), N=COLOR_STEPS)


def _scatter(axis: Axes, train: Dataset) -> None:
    for code, name in enumerate(np.unique(train.y)):
        rows = train.y == name
        axis.plot(
            *train.X[rows].T,
            MARKS[code],
            color=_color(code),
            markersize=3.2,
            markeredgewidth=0,
            label=f"class {name} ({rows.sum()})",
        )
    if len(train.flipped):
        axis.plot(
            *train.X[train.flipped].T,
            "o",
            markersize=8,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=0.9,
            label=f"wrong label ({len(train.flipped)})",
        )
    axis.set_aspect("equal")
    axis.locator_params(nbins=6)
    axis.set_xlabel("x1")
    axis.set_ylabel("x2")
    axis.legend(
        loc="upper left", bbox_to_anchor=(-0.03, -0.17), ncols=2, frameon=False,
        handletextpad=0.2, columnspacing=1.0, borderaxespad=0,
    )  # fmt: skip
    _bare(axis)


def _matrix(
    figure: Figure, axis: Axes, matrix: FloatArray, train: Dataset | Split, *, max_cells: int
) -> Order:
    """Draw a matrix in the paper's order and return that order."""
    names, codes = np.unique(train.y, return_inverse=True)
    order = paper_order(codes, train.X[:, :2], [str(name) for name in names])
    n = len(matrix)
    shown = np.array(order.apply(matrix))
    np.fill_diagonal(shown, np.nan)
    limit = color_limit(matrix, RANGE)
    step = -(-n // max_cells)
    image = axis.imshow(
        shrunk(shown, step),
        cmap=_scale(),
        vmin=-limit,
        vmax=limit,
        extent=(0, n, n, 0),
        interpolation="nearest",
    )
    _class_strips(axis, order, n)
    cells = f" (a cell: mean of {step} × {step})" if step > 1 else ""
    axis.set_xlabel(f"points by class, then x1, then x2{cells}")
    left, bottom, width, height = axis.get_position().bounds
    beside = figure.add_axes((left + 1.04 * width, bottom + 0.1 * height, 0.016, 0.8 * height))
    bar = figure.colorbar(image, cax=beside)
    bar.set_label("interaction (blue: substitutes)")
    bar.formatter.set_powerlimits((0, 0))
    bar.outline.set_linewidth(0.5)
    return order


def _class_strips(axis: Axes, order: Order, n: int) -> None:
    """Draw a strip in the colours of the classes along the left and the lower edge."""
    from matplotlib.patches import Rectangle

    width = 0.025 * n
    for code, block in enumerate(order.blocks):
        size = block.stop - block.start
        for corner, sides in (
            ((-1.4 * width, block.start), (width, size)),
            ((block.start, n + 0.4 * width), (size, width)),
        ):
            strip: Any = Rectangle(corner, *sides, color=_color(code), clip_on=False, lw=0)
            axis.add_patch(strip)
        if block.start:
            axis.axhline(block.start, color=INK, linewidth=0.6)
            axis.axvline(block.start, color=INK, linewidth=0.6)
    middles = [(block.start + block.stop) / 2 for block in order.blocks]
    labels = [block.label for block in order.blocks]
    axis.set_yticks(middles, labels, rotation=90, va="center")
    axis.set_xticks(middles, labels)
    axis.tick_params(length=0, pad=9)
    _bare(axis)


def _bare(axis: Axes) -> None:
    axis.spines[["top", "right"]].set_visible(False)


def _shortened(title: str, most: int = 18) -> str:
    return title if len(title) <= most else f"{title[: most - 1]}…"

"""What the core finds about single points, whatever their labels are. Pure: no streamlit."""

from __future__ import annotations

from stiknn_core import Overview, overview
from stiknn_core.games import SII, AnyIndex
from stiknn_core.labels.overview import TargetOverview, target_overview
from stiknn_core.types import IntArray
from stiknn_ui.results.inputs import Inputs
from stiknn_ui.work.progress import Progress


def found_in(
    given: Inputs,
    k: int,
    progress: Progress | None = None,
    *,
    index: AnyIndex = SII,
    tests: IntArray | None = None,
) -> Overview | TargetOverview:
    """Return values and what labels are doubted by.

    Parameters
    ----------
    given : Inputs
    k : int
    progress : callable or None
    index : str or games.PairIndex
        Of the values.
    tests : (t,) int64 or None
        As ``test_rows`` of the core.
    """
    asked = {**given.arguments, "k": k, "index": index, "test_rows": tests, "progress": progress}
    return target_overview(**asked) if given.measured else overview(**asked)

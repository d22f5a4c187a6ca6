"""The test points of very many training points, until a person decides: some held-out rows."""

from __future__ import annotations

from typing import Final

from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MIN_SHARE, USUAL_TESTS, ComputeSpec, fits_a_matrix
from stiknn_ui.results.result import Result
from stiknn_ui.visit import state

_NEAR: Final = (0.6, 1.5)
_CHOICES: Final = frozenset({"compute.evaluation", "compute.share"})


def settle(dataset: Dataset) -> bool:
    """Hold rows out where leave-one-out would test so many; tell whether that changed.

    Nothing changes where a person has chosen the test points. With few points it is
    leave-one-out testing again.
    """
    if _CHOICES & state.session().chosen:
        return False
    data, compute = state.settings().data, state.settings().compute
    # Copies are made of what is not held out: a share that is about right stays what it is.
    right = _NEAR[0] < compute.share * dataset.n / USUAL_TESTS < _NEAR[1]
    if not fits_a_matrix(dataset.n) and not data.sample:
        if compute.evaluation == "leave-one-out" or (
            compute.evaluation == "hold-out" and not right
        ):
            share = max(MIN_SHARE, USUAL_TESTS / dataset.n)
            state.change("compute", evaluation="hold-out", share=share)
            return True
    elif compute.evaluation == "hold-out":
        state.change("compute", evaluation="leave-one-out", share=ComputeSpec.share)
        return True
    return False


def hold_out(share: float) -> None:
    """Let held-out rows be the test points because a person wants it."""
    state.change("compute", evaluation="hold-out", share=share)
    state.session().chosen.add("compute.evaluation")


def notice(analysis: Result) -> list[str]:
    """Say which test points there are where nobody has chosen them; nothing where a person has."""
    if _CHOICES & state.session().chosen or analysis.compute.evaluation != "hold-out":
        return []
    return [
        f"{analysis.n_test:,} rows, drawn at random from every class, are the test points of the "
        f"other {analysis.n:,}, since there are so many; they are not in the picture themselves. "
        "'Test points' changes that."
    ]

"""Who judges very many points, until a person decides: some rows that are held out for it."""

from __future__ import annotations

from typing import Final

from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_POINTS, MIN_SHARE, USUAL_JUDGES, ComputeSpec
from stiknn_ui.results.result import Result
from stiknn_ui.visit import state

_NEAR: Final = (0.6, 1.5)
_CHOICES: Final = frozenset({"compute.evaluation", "compute.share"})


def settle(dataset: Dataset) -> bool:
    """Hold rows out where so many points would judge each other; tell whether that changed.

    Nothing changes where a person has chosen who judges. With few points again they judge
    each other again.
    """
    if _CHOICES & state.session().chosen:
        return False
    data, compute = state.settings().data, state.settings().compute
    # Copies are made of what is not held out: a share that is about right stays what it is.
    right = _NEAR[0] < compute.share * dataset.n / USUAL_JUDGES < _NEAR[1]
    if dataset.n > MAX_POINTS and not data.sample:
        if compute.evaluation == "leave-one-out" or (
            compute.evaluation == "hold-out" and not right
        ):
            share = max(MIN_SHARE, USUAL_JUDGES / dataset.n)
            state.change("compute", evaluation="hold-out", share=share)
            return True
    elif compute.evaluation == "hold-out":
        state.change("compute", evaluation="leave-one-out", share=ComputeSpec.share)
        return True
    return False


def hold_out(share: float) -> None:
    """Let held-out rows judge because a person wants it."""
    state.change("compute", evaluation="hold-out", share=share)
    state.session().chosen.add("compute.evaluation")


def notice(analysis: Result) -> list[str]:
    """Say who judges where nobody has chosen it; nothing where a person has."""
    if _CHOICES & state.session().chosen or analysis.compute.evaluation != "hold-out":
        return []
    return [
        f"{analysis.n_test:,} rows, drawn at random from every class, judge the other "
        f"{analysis.n:,}, since there are so many; they are not in the picture themselves. "
        "'Judged by' changes that."
    ]

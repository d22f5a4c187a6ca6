"""What a game is called on screen: its index, its values, its score and its unit. Pure."""

from __future__ import annotations

from typing import Final

from stiknn_core.games import PairIndex, Score
from stiknn_core.scores import LEAVE_ONE_OUT, ScoreInfo

FAMILIES: Final = {
    "STII": "Shapley-Taylor",
    "SII": "Shapley interaction",
    "BII": "Banzhaf interaction",
    "weighted_banzhaf": "Weighted Banzhaf",
    "beta": "Beta Shapley",
    "calibrated": "Calibrated Shapley",
    "leave_two_out": "Leave two out",
}
"""Indices by family, without their numbers."""

SCORES_BY_NAME: Final = {
    "plain": "Matching labels",
    "shares": "Shares of annotators",
    "rbf": "Nearer counts more (RBF)",
    "inverse": "Nearer counts more (inverse distance)",
    "tricube": "Nearer counts more (tricube)",
    "absolute": "Absolute loss",
    "squared": "Squared loss",
    "huber": "Huber's loss",
}
"""Scores of the dashboard by the name in a `ComputeSpec`."""

_KERNELS: Final = {"rbf": "RBF", "inverse": "inverse distance", "tricube": "tricube"}
_LOSSES: Final = {"absolute": "absolute loss", "squared": "squared loss", "huber": "Huber's loss"}
_OVER_ALL: Final = "on average over all sets of the others"
_NOT_BETTER: Final = "negative does not mean that the data are better without it."


def index_line(index: PairIndex, least: str = "") -> str:
    """Return an index as it stands in a line of settings: "STII", "Beta Shapley (4, 1)".

    Parameters
    ----------
    index : PairIndex
    least : str, optional
        What to say of the fewest points of a calibrated set, in place of the number.
    """
    numbers = [f"{one:g}" for one in index.parameters]
    match index.family:
        case "weighted_banzhaf":
            return f"weighted Banzhaf (q = {numbers[0]})"
        case "beta":
            return f"Beta Shapley ({', '.join(numbers)})"
        case "calibrated":
            return f"calibrated Shapley (T = {least or numbers[0]})"
        case "leave_two_out":
            return "leave-two-out"
    return str(index.family)


def value_kind(index: PairIndex) -> str:
    """Return what stands before "value" for the values that belong to an index."""
    if index.family in ("STII", "SII"):
        return "KNN-Shapley"
    if index.family == "BII":
        return "KNN-Banzhaf"
    return "leave-one-out" if index.family == "leave_two_out" else index_line(index)


def value_title(index: PairIndex) -> str:
    """Return the name of those values: "KNN-Shapley value", "Beta Shapley (4, 1) value"."""
    kind = value_kind(index)
    return f"{kind[0].upper()}{kind[1:]} value"


def value_meaning(index: PairIndex, k: int) -> str:
    """Return one sentence or two on those values: what they measure, and which way is bad.

    Parameters
    ----------
    index : PairIndex
    k : int
        A set of at least so many points is full.
    """
    match index.family:
        case "weighted_banzhaf":
            sets = (
                "on average over sets of the others, each of whom is there with the chance "
                f"{index.parameters[0]:g}"
            )
        case "beta":
            alpha, beta = index.parameters
            size = "small" if alpha > beta else "large"
            more = f", {size} ones counting more" if alpha != beta else ""
            sets = f"on average over sets of the others{more}"
        case "calibrated":
            least = int(index.parameters[0])
            sets = f"on average over sets of at least {least:,} of the others"
            if least >= k:
                return (
                    f"What the point adds to the utility {sets}. Low = suspicious; negative = it "
                    "brings less than those whose places it takes."
                )
        case "leave_two_out":
            return (
                "What removing this point alone takes from the utility. Low = suspicious; negative "
                "= it would rise."
            )
        case _:
            sets = _OVER_ALL
    return f"What the point adds to the utility {sets}. Low = suspicious; {_NOT_BETTER}"


def below_zero(index: PairIndex, k: int) -> str:
    """Say what a negative value of an index says of a point; ``k`` as in `value_meaning`."""
    if index.family == "leave_two_out":
        return "Below 0 the utility would rise without the point."
    if index.family == "calibrated" and index.parameters[0] >= k:
        return (
            "Below 0 a point brings less than those whose places it takes, on average over sets of "
            f"at least {int(index.parameters[0]):,} of the others."
        )
    sets = "all sets" if index.family in ("STII", "SII", "BII") else "the sets that count"
    return (
        f"Below 0 a point lowers the utility on average over {sets} of the others. That does not "
        "mean that the data are better without it: see the leave-one-out value."
    )


def score_line(score: Score) -> str:
    """Return a score as it stands in a line of settings, with the width that was used."""
    if score.divided_by_size:
        return f"score {score.name}"
    match score.kind:
        case "plain":
            return "matching labels"
        case "kernel" if len(score.options) == 2:
            name, width = score.options
            return f"nearer counts more ({_KERNELS[name]}, bandwidth {width:g})"
        case "soft" if score.arrays:
            return "shares of annotators"
        case "measured" if score.options:
            loss, delta = score.options
            beyond = f", straight beyond {delta:g}" if loss == "huber" else ""
            return f"{_LOSSES[loss]}{beyond}"
    return f"score {score.name}"


def utility(score: Score) -> str:
    """Say what the utility is, to stand behind a comma."""
    if score.divided_by_size:
        return f"the mean score {score.name} of those of the k nearest that are there"
    match score.kind:
        case "plain":
            return "the likelihood of the right label"
        case "kernel":
            return "the votes for the right label, each weighed by its nearness"
        case "soft" if score.arrays:
            return "the share of annotators that the labels of the k nearest agree with"
        case "measured" if score.options:
            loss = score.options[0]
            # Huber's is half a square near 0: no unit of the target at all.
            units = {"absolute": "units", "squared": "squared units"}.get(loss)
            of = f", in {units} of the target" if units else ""
            return f"minus the mean {_LOSSES[loss]} of the k nearest{of}"
    return f"the mean score {score.name} of the k nearest"


def unit(score: Score) -> str:
    """Say in what values and interactions are counted, as a sentence."""
    return f"In units of utility, {utility(score)}."


def value_info(index: PairIndex, k: int) -> ScoreInfo:
    """Return what to say about a column of values."""
    title = value_kind(index)
    return ScoreInfo(f"{title} value", value_meaning(index, k))


def removal_info(score: Score) -> ScoreInfo:
    """Return what to say about the leave-one-out value, whose unit is that of the score."""
    return ScoreInfo(
        LEAVE_ONE_OUT.title,
        f"What removing this point alone takes from the utility, {utility(score)}; negative = it "
        "would rise.",
    )

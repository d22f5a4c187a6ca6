"""What a game is, in words and in TeX: scores and indices by their definitions."""

from __future__ import annotations

from typing import Final

from stiknn_ui.learn.fractions_text import tex
from stiknn_ui.learn.games.index import Index
from stiknn_ui.learn.games.score import measured

SCORES: Final[dict[str, str]] = {
    "plain": "Right labels (the paper's)",
    "inverse": "Nearer counts more",
    "absolute": "Measured targets, absolute loss",
    "squared": "Measured targets, squared loss",
}
"""What the games are called on the bench."""

FAMILIES: Final[dict[str, str]] = {
    "STII": "Shapley-Taylor (the paper's)",
    "SII": "Shapley",
    "BII": "Banzhaf",
    "weighted_banzhaf": "Weighted Banzhaf",
    "beta": "Beta",
    "calibrated": "Calibrated by size",
    "leave_two_out": "Leave two out",
}

_VALUES: Final[dict[str, str]] = {
    "SII": "Shapley value",
    "BII": "Banzhaf value",
    "weighted_banzhaf": "weighted Banzhaf value",
    "beta": "Beta Shapley value",
    "calibrated": "Shapley value over sets of T points and more",
    "leave_two_out": "leave-one-out value",
}

_ONE: Final[dict[str, str]] = {
    "plain": r"\mathbf{1}[\,y_i=y_{\text{test}}\,]",
    "inverse": r"\frac{\mathbf{1}[\,y_i=y_{\text{test}}\,]}{1+d_i}",
    "absolute": r"\lvert y_i-y_{\text{test}}\rvert",
    "squared": r"(y_i-y_{\text{test}})^2",
}


def utility(score: str) -> str:
    """Return v(S) as a sum over the k nearest, in TeX."""
    minus = "-" if measured(score) else ""
    return rf"v(S)={minus}\frac{{1}}{{k}}\sum_{{i=1}}^{{\min(k,s)}}{_ONE[score]}"


def brings(score: str, k: int) -> str:
    """Return a sentence on what a point brings."""
    with_k = f"with $k={k}$"
    if measured(score):
        return rf"A point brings $u=-\frac{{1}}{{k}}{_ONE[score]}$ {with_k}: minus its loss."
    if score == "inverse":
        return (
            r"A point of that class at distance $d$ brings "
            rf"$u=\frac{{1}}{{k}}\cdot\frac{{1}}{{1+d}}$ {with_k}, any other $0$."
        )
    return rf"A point brings $u=\frac{{1}}{{k}}$ {with_k} if it has that class, else $0$."


def weight(index: Index) -> str:
    """Return p_s of a pair with the numbers of the index filled in, in TeX."""
    numbers = [tex(one) for one in index.numbers]
    match index.family:
        case "SII":
            return r"p_s=\frac{1}{(n-1)\binom{n-2}{s}}"
        case "BII":
            return r"p_s=\frac{1}{2^{\,n-2}}"
        case "weighted_banzhaf":
            q, rest = numbers[0], tex(1 - index.numbers[0])
            return rf"p_s=\left({q}\right)^{{s}}\left({rest}\right)^{{n-2-s}}"
        case "beta":
            a, b = numbers
            return rf"p_s=\frac{{B(s+{b},\;n-2-s+{a})}}{{B({a},{b})}}"
        case "calibrated":
            least = numbers[0]
            return (
                rf"p_s=\frac{{1}}{{(n-1-{least})\binom{{n-2}}{{s}}}}\text{{ for }}s\ge {least},"
                r"\text{ else }0"
            )
        case "leave_two_out":
            return r"p_s=1\text{ for }s=n-2,\text{ else }0"
    return r"p_s=\frac{2}{n\binom{n-1}{s}}"


def pair_definition(index: Index) -> str:
    """Return the interaction as a sum over all subsets, in TeX."""
    if index.paper:
        summed = r"\frac{2}{n}\sum_{S\subseteq N\setminus\{i,j\}}\frac{1}{\binom{n-1}{s}}\,"
        own = ""
    else:
        summed = r"\sum_{S\subseteq N\setminus\{i,j\}}p_s\,"
        own = weight(index) + r"\\"
    return (
        rf"\begin{{gathered}}\phi_{{ij}}={summed}\Delta_{{ij}}(S)\\{own}"
        r"\Delta_{ij}(S)=v(Sij)-v(Si)-v(Sj)+v(S)\end{gathered}"
    )


def value_name(index: Index) -> str:
    """Return what the value of a single point is called that belongs to an index."""
    return _VALUES.get(index.family, "KNN-Shapley value")


def index_name(index: Index) -> str:
    """Return what an index is called on the bench, with its numbers: "Beta(4, 1)"."""
    called = FAMILIES[index.family].removesuffix(" (the paper's)")
    if not index.numbers:
        return called
    letters = {"weighted_banzhaf": ("q",), "beta": ("α", "β"), "calibrated": ("T",)}
    told = (
        f"{letter} = {float(number):g}"
        for letter, number in zip(letters[index.family], index.numbers, strict=True)
    )
    return f"{called}, {', '.join(told)}"

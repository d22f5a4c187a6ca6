"""Every term of the project once: pages draw their sentences from here, as does `docs/glossary.md`.

`python -m scripts.glossary` writes the document anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Key = Literal[
    "training points",
    "test points",
    "leave-one-out testing",
    "held-out rows",
    "k nearest",
    "utility",
    "game",
    "index",
    "score",
    "interaction",
    "substitutes",
    "complements",
    "faint",
    "diagonal",
    "value",
    "leave-one-out value",
    "part",
    "support",
    "label quality",
    "suggested label",
    "suspect",
    "confusion",
    "average precision",
    "measured target",
    "distance",
    "annotator",
    "disagreement",
    "dawid-skene",
    "proximity",
    "block",
    "standard error",
]


@dataclass(frozen=True)
class Term:
    """A word with one meaning.

    Attributes
    ----------
    title : str
        Heading in the document.
    means : str
        One sentence that also stands on pages, without Markdown.
    where : str
        Document and heading that explain it, from the folder of the documents.
    direction : str
        What large and small, or the signs, say; empty where there is no number.
    note : str
        What else to know, such as what it is not.
    code : str
        What it is called in code and files, where that is another word.
    """

    title: str
    means: str
    where: str
    direction: str = ""
    note: str = ""
    code: str = ""

    @property
    def said(self) -> str:
        """All of it but the place, in Markdown."""
        code = f"In code and files: {self.code}." if self.code else ""
        return " ".join(one for one in (self.means, self.direction, self.note, code) if one)


TERMS: Final[dict[Key, Term]] = {
    "training points": Term(
        "Training points",
        "The rows that the classifier looks for neighbours among; they alone are rows and columns "
        "of the matrix.",
        "method.md#the-game",
        code="`X`, `y`",
    ),
    "test points": Term(
        "Test points",
        "The rows with known labels that the classifier is tested on; every number is a mean over "
        "them.",
        "method.md#the-game",
        note="Other texts call them validation points.",
        code="`X_test`, `y_test`",
    ),
    "leave-one-out testing": Term(
        "Leave-one-out testing",
        "Each point is tested with all the others as training points, so that every point is both "
        "a training point and a test point.",
        "method.md#leave-one-out-testing",
        note="Not the leave-one-out value.",
        code="`leave-one-out`",
    ),
    "held-out rows": Term(
        "Held-out rows",
        "A share of the rows, drawn at random with every class in proportion, that are test points "
        "and not training points.",
        "method.md#the-game",
        note="A test file, or a column that marks the split, names the test points instead.",
    ),
    "k nearest": Term(
        "The k nearest",
        "The k training points nearest to a test point; they alone vote on its label.",
        "method.md#the-game",
    ),
    "utility": Term(
        "Utility",
        "v(S), the likelihood of the right label when the training points of the set S alone are "
        "there: the share of a test point's k nearest that have its label, averaged over the test "
        "points.",
        "method.md#the-game",
        "0 to 1, high = more right votes.",
        "It is no accuracy. Other games have other utilities: votes weighed by nearness, shares "
        "of annotators, or minus the mean loss of measured targets.",
        "`likelihood`, which is v(N), the utility of all training points",
    ),
    "game": Term(
        "Game",
        "What a neighbour brings to a test point, the score, and how much sets of other points "
        "count by their size, the index.",
        "games.md",
        note="The paper's: matching labels and Shapley-Taylor.",
        code="`score`, `index`",
    ),
    "index": Term(
        "Index",
        "How much sets of other points count in interactions and values, by their size alone.",
        "games.md#indices",
        note="Shapley-Taylor is the usual one; it keeps the value of a point off the diagonal.",
        code="`index`",
    ),
    "score": Term(
        "Score of a neighbour",
        "What one of the k nearest brings to the utility: 1 over k where its label is right, or a "
        "share, a weight or a loss in its place.",
        "games.md#scores",
        "High = adds more; a loss is negative.",
        "Not a score that suspects are ranked by.",
        "`score`; in `rank_suspects` `neighbor_score`",
    ),
    "interaction": Term(
        "Interaction",
        "What two training points add to the utility together, less what each adds on its own, "
        "averaged over the sets of other points.",
        "method.md#interactions",
        "Negative (blue) = substitutes, positive (orange) = complements, in units of utility.",
        "A cell of the matrix. Shapley-Taylor (STII), Shapley (SII), Banzhaf (BII) and other "
        "interactions weigh the sets differently.",
    ),
    "substitutes": Term(
        "Substitutes",
        "Two points that compete for the same places among the k nearest of the test points, so "
        "that each adds less where the other is.",
        "reading.md#one-cell",
        "Negative interaction, blue.",
        "Their labels need not be the same: a right and a wrong point compete as well.",
    ),
    "complements": Term(
        "Complements",
        "Two points that each add more where the other is: one shields a test point from what the "
        "other would do to it, or both harm it and their harm overlaps.",
        "reading.md#one-cell",
        "Positive interaction, orange.",
    ),
    "faint": Term(
        "Faint pair",
        "A pair that hardly counts, or is blue for some test points and orange for others.",
        "reading.md#one-cell",
        "Interaction near 0.",
        "The parts by test point, on Point, tell the two apart.",
    ),
    "diagonal": Term(
        "Diagonal",
        "With Shapley-Taylor what a point adds to the utility when no other is there, which is "
        "much larger than the pairs, the more so the more points there are; the picture leaves it "
        "blank.",
        "reading.md#the-diagonal",
        "Never negative, in units of utility.",
        "With every other index the diagonal holds the value of the point, which may be negative "
        "and need not be larger than the pairs; negative may all of it be where the utility is a "
        "loss. The paper speaks of main terms.",
    ),
    "value": Term(
        "Value",
        "What a point adds to the utility on average over all sets of other points.",
        "method.md#values-of-single-points",
        "A negative value says that the point lowers the utility on average over all sets; "
        "removing it alone may help, harm or do nothing.",
        "KNN-Shapley value, every size of the sets counting alike; with the Banzhaf interaction "
        "KNN-Banzhaf value, every set counting alike. Every other index has a value of its own, "
        "which is named by it.",
        "`values`, `value`",
    ),
    "leave-one-out value": Term(
        "Leave-one-out value",
        "v(N) − v(N without the point): what the utility loses when this point alone is removed.",
        "method.md#values-of-single-points",
        "Positive = removing it lowers the utility, negative = removing it raises the utility.",
        "A baseline to compare the value with. Not leave-one-out testing.",
        "`leave_one_out`",
    ),
    "part": Term(
        "Part of a test point",
        "What one test point gives to a value or an interaction, which is the mean of all parts.",
        "reading.md#one-cell",
        "Signed, in units of utility.",
    ),
    "support": Term(
        "Support of a class",
        "The weights of the neighbours that have this class, the nearer ones weighing more.",
        "method.md#label-support",
        "0 to 1, high = more and nearer neighbours of the class.",
        "Neighbours of a training point are here the test points that have it among their nearest.",
        "`support`",
    ),
    "label quality": Term(
        "Label quality",
        "The given class's share of the support, after the support of each class is divided by "
        "the square root of its frequency.",
        "method.md#label-support",
        "0 to 1, low = suspicious.",
        "Not the label quality of cleanlab, which is computed from the probabilities that a model "
        "predicts.",
        "`quality`",
    ),
    "suggested label": Term(
        "Suggested label",
        "The class with the largest share of the support, reckoned as for label quality; it may be "
        "the given one.",
        "method.md#label-support",
        note="It need not be the class with the most support before the division. Of a measured "
        "target it is the weighted median of what the test points around it have.",
        code="`suggested`",
    ),
    "suspect": Term(
        "Suspect",
        "A point whose given label is doubtful by the score that points are ranked by.",
        "detection.md",
        "Every score is low where the label is suspicious; the distance of a measured target is "
        "high.",
        "No score knows which label is true.",
    ),
    "confusion": Term(
        "One class mistaken for another",
        "A second opinion on labels that joins the support, trees that did not see the row and a "
        "linear model, and corrects for classes whose rows are often given the label of another.",
        "method.md#one-class-mistaken-for-another",
        "0 to 1, low = suspicious.",
        "A rank and no probability.",
        "`confusion`",
    ),
    "average precision": Term(
        "Average precision",
        "How well a ranking finds labels that are known to be wrong: the mean, over these, of the "
        "share of wrong ones from the top down to each.",
        "detection.md#protocol-of-the-second-opinion",
        "0 to 1, high = wrong labels come first; chance gives about the share of wrong labels.",
    ),
    "measured target": Term(
        "Measured target",
        "A label that is a number, such as a price; the utility is then minus the mean loss of the "
        "k nearest.",
        "games.md#scores",
        "In units of the loss, from 0 down; nearer 0 = fits better.",
        "The mean of their losses, not the loss of their mean.",
        "`games.measured`",
    ),
    "distance": Term(
        "Distance of the target",
        "How far a measured target is from the weighted median of what the test points around the "
        "row have.",
        "games.md#scores",
        "From 0 up, high = suspicious, in units of the target.",
        "Test points are around a row that have it among their nearest.",
        "`distance`",
    ),
    "annotator": Term(
        "Annotator",
        "Somebody who gave labels to rows; where a row has several, they count by their shares.",
        "files.md#annotators",
        code="`votes`, `annotators`",
    ),
    "disagreement": Term(
        "Disagreement of an annotator",
        "How much more of the support the label of a row has than the one that the annotator gave "
        "it, on average over their rows.",
        "games.md#what-it-costs-and-what-it-finds",
        "−1 to 1, high = suspicious.",
        "0 for rows whose label is theirs, right or wrong; who labelled hard rows has more of it.",
        "`disagreement`",
    ),
    "dawid-skene": Term(
        "Wrong by Dawid-Skene",
        "The share of an annotator's labels that are wrong by the model of Dawid and Skene, which "
        "looks at the labels of all annotators and at no feature.",
        "games.md#what-it-costs-and-what-it-finds",
        "0 to 1, high = suspicious.",
        code="`dawid_skene`",
    ),
    "proximity": Term(
        "Proximity of a random forest",
        "The share of trees that put two rows into one leaf, counted over the trees that did not "
        "see the test point.",
        "method.md#the-space-of-a-forest",
        "0 to 1, high = alike; the distance is 1 minus it.",
        "Out-of-bag proximity usually asks that neither of the two rows was "
        "seen: [Rhodes et al.](https://arxiv.org/abs/2201.12682), after "
        "[Breiman and Cutler](https://www.stat.berkeley.edu/~breiman/RandomForests/cc_home.htm).",
        '`space="forest"`',
    ),
    "block": Term(
        "Block",
        "The cells between two groups of points that stand side by side in the order.",
        "reading.md#blocks",
    ),
    "standard error": Term(
        "Standard error",
        "How far an entry may move with other test points of the same kind.",
        "reading.md#test-points",
        "Never negative, low = sure, in units of utility.",
    ),
}

INTRODUCTION: Final = (
    "One word for one thing, on all pages, in all documents and files. Where code or a file calls "
    "it otherwise, that is said."
)

SIGNS: Final = "negative = substitutes, positive = complements"
"""Which way interactions point, behind a semicolon."""


def means(key: Key) -> str:
    """Return the sentence of a term."""
    return TERMS[key].means


def inside(key: Key) -> str:
    """Return the sentence of a term, to stand behind a colon."""
    sentence = means(key)
    return sentence[0].lower() + sentence[1:]


def document() -> str:
    """Return `docs/glossary.md`."""
    parts = ["# Glossary", INTRODUCTION]
    for term in TERMS.values():
        file = term.where.partition("#")[0]
        parts += [f"## {term.title}", f"{term.said} More: [{file}]({term.where})."]
    return "\n\n".join(parts) + "\n"

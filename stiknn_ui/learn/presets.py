"""The examples to begin with, each with what it is there to show."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from stiknn_ui.learn.games.index import PAPER
from stiknn_ui.learn.games.score import PLAIN, Score
from stiknn_ui.learn.lesson import Lesson, Point, Probe
from stiknn_ui.learn.scene import Scene


class Preset(NamedTuple):
    """An example: its button, and what to see in it, as Markdown with formulas."""

    title: str
    scene: Scene
    text: str


def _lesson(
    points: str,
    tests: str,
    k: int,
    names: str = "ABCDEFGH",
    index: str = PAPER,
    score: Score = PLAIN,
) -> Lesson:
    """Return a lesson whose points are written "class x y", or "class x" on a line."""
    taught, asked = ([spot.split() for spot in text.split(",")] for text in (points, tests))
    return Lesson(
        tuple(
            Point(name, label, *map(Fraction, place))
            for name, (label, *place) in zip(names, taught, strict=False)
        ),
        tuple(Probe(label, *map(Fraction, place)) for label, *place in asked),
        k,
        "plane" if len(asked[0]) == 3 else "line",
        index=index,
        score=score,
    )


PRESETS: Final[dict[str, Preset]] = {
    "paper-2.1": Preset(
        "Paper 2.1",
        Scene(_lesson("a 2, b 4, a 6, a 8", "a 0", k=3, names="1234")),
        "The example of the paper's section 2.1: what a subset of the training points is worth. "
        r"With $k=3$, two of the three nearest points are right, so $v(N)=\frac{2}{3}$. Click "
        r"$\{1\}$, $\{2\}$ and $\{1,3,4\}$ under *2. The game* for the other values the paper "
        r"gives: $\frac{1}{3}$, $0$ and $\frac{3}{3}=1$.",
    ),
    "paper-2.2": Preset(
        "Paper 2.2",
        Scene(_lesson("b 2, a 4, b 6, a 8", "a 0", k=2, names="1234")),
        "The example of the paper's section 2.2: the interaction of points 1 and 2. Its labels are "
        "those that the printed terms belong to: point 1 alone is worth $0$, point 2 alone "
        r"$\frac{1}{2}$, and points 2 and 4 together $\frac{2}{2}$. **The paper prints "
        r"$\phi_{1,2}=\frac{1}{6}$; the definition gives $0$.** The reason is one sign in "
        r"its line for $S=\{4\}$. There $v(1,2,4)-v(1,4)-v(2,4)+v(4)="
        r"\frac{1}{2}-\frac{1}{2}-\frac{2}{2}+\frac{1}{2}=-\frac{1}{2}$, where the paper "
        r"has $+\frac{1}{2}$. So the lines of $\{4\}$ and $\{3,4\}$, which have the same weight, "
        r"cancel: $\frac{2}{4}\left(\frac{1}{3}\cdot\left(-\frac{1}{2}\right)+\frac{1}{3}\cdot"
        r"\frac{1}{2}\right)=0$. Algorithm 1 says $0$ as well. (For $\{3,4\}$ the paper "
        "swaps the two middle terms, to no effect.)",
    ),
    "tie": Preset(
        "A tie",
        Scene(_lesson("a 4, b 6, b 8, a 1", "a 5", k=1)),
        "A and B are equally far from the test point, and only one can be the nearest. Which of "
        "them is decides everything, so the order of the rows must not: the game takes the **mean "
        "over both orders**, half a place for each. Algorithm 1 handles one order at a time. "
        "Choose between the orders under *4. Algorithm 1*.",
    ),
    "copy": Preset(
        "A copy",
        Scene(_lesson("a 3, a 5, a 5, b 8", "a 1", k=2), pair=(1, 2)),
        "B and C are one point, entered twice. Copies are interchangeable: their rows of the "
        "matrix are equal, and so are their values. Here they interact **negatively**: they "
        "compete for the same places. Copies need not: choose $k=1$, give A, B and C the class "
        r"b and D the class a, and B and C turn positive, $\frac{1}{6}$: either does the whole "
        "harm, and the second adds none.",
    ),
    "large-k": Preset(
        "k ≥ n",
        Scene(_lesson("a 3, b 4, a 6, a 9", "a 1", k=5)),
        "With $k\\geq n$ everyone has a place among the $k$ nearest, and nobody is in anybody's "
        r"way: every pair interacts by $0$. The start of Algorithm 1 as printed, "
        r"$-\frac{2(n-k)}{n(n-1)}\,u(\alpha_n)$, turns positive for $k>n$, which is wrong; here it "
        "is $0$.",
    ),
    "mislabeled": Preset(
        "A wrong label",
        Scene(
            _lesson(
                "a 1.5 9, a 4.5 9, a 1.5 6, b 3 7.5, b 6.5 4, b 9 3.5, b 8 1",
                "a 3.5 6.5, a 1.5 8, b 8 3, a 5 8",
                k=2,
            ),
            pair=(0, 3),
        ),
        "D lies among the points of class a but is called b. Wherever it is near, it takes a "
        "place from a right answer, so its **value is negative** (under *Both ways agree*, for "
        "one test point). Take the test points in one by one under *5. Average*: in the end D is "
        "the only point that interacts with both groups.",
    ),
    "several": Preset(
        "Several test points",
        Scene(
            _lesson(
                "a 2 3, a 4 6, b 5 4, b 7 6, a 6 8.5, b 8 3",
                "a 2.5 5, b 6.5 4, a 4.5 7.5",
                k=2,
            ),
            pair=(1, 2),
        ),
        "For one test point, an interaction depends only on the **farther** of the two points: "
        "sorted from near to far, every column of the upper triangle holds one number. Another "
        "test point sorts differently. Under *5. Average* the patterns come together in one "
        "order, and their mean is no longer a pattern of columns: that is the matrix of the other "
        "pages.",
    ),
    "targets": Preset(
        "Measured targets",
        Scene(
            _lesson("3 1, 4 2, 9 4, 5 6, 3 8", "4 0", k=2, score="absolute"),
            pair=(0, 2),
        ),
        "Another **game**: points have a number in place of a class, and one of the $k$ nearest "
        "brings minus its distance from the test point's number. C at 9 is far off, and costs "
        "most. The theorem asks nothing of what a point brings, so the farther point decides here "
        "as well.",
    ),
}

FIRST: Final = "paper-2.1"


def preset_of(lesson: Lesson) -> str | None:
    """Return the name of the example that a lesson is, if it is one."""
    return next((name for name, one in PRESETS.items() if one.scene.lesson == lesson), None)

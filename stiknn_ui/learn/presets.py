"""The examples to begin with, each with what it is there to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from stiknn_ui.learn.lesson import Lesson, Point, Probe
from stiknn_ui.learn.scene import Scene


@dataclass(frozen=True)
class Preset:
    """An example.

    Attributes
    ----------
    title : str
        Its button.
    scene : Scene
    text : str
        What to see in it, as Markdown with formulas.
    """

    title: str
    scene: Scene
    text: str


def _on_line(
    test: float, places: Sequence[float], labels: str, names: str = "ABCDEFGH"
) -> tuple[tuple[Point, ...], tuple[Probe, ...]]:
    points = tuple(
        Point(name, label, Fraction(str(x)))
        for name, label, x in zip(names, labels, places, strict=False)
    )
    return points, (Probe("a", Fraction(str(test))),)


def _in_plane(
    points: Sequence[tuple[str, float, float]], tests: Sequence[tuple[str, float, float]]
) -> tuple[tuple[Point, ...], tuple[Probe, ...]]:
    return (
        tuple(
            Point(name, label, Fraction(str(x)), Fraction(str(y)))
            for name, (label, x, y) in zip("ABCDEFGH", points, strict=False)
        ),
        tuple(Probe(label, Fraction(str(x)), Fraction(str(y))) for label, x, y in tests),
    )


PRESETS: Final[dict[str, Preset]] = {
    "paper-2.1": Preset(
        "Paper 2.1",
        Scene(Lesson(*_on_line(0, (2, 4, 6, 8), "abaa", "1234"), k=3)),
        "The example of the paper's section 2.1: what a subset of the training points is worth. "
        r"With $k=3$, two of the three nearest points are right, so $v(N)=\frac{2}{3}$. Click "
        r"$\{1\}$, $\{2\}$ and $\{1,3,4\}$ under *2. The game* for the other values the paper "
        r"gives: $\frac{1}{3}$, $0$ and $\frac{3}{3}=1$.",
    ),
    "paper-2.2": Preset(
        "Paper 2.2",
        Scene(Lesson(*_on_line(0, (2, 4, 6, 8), "abba", "1234"), k=2)),
        "The example of the paper's section 2.2: the interaction of points 1 and 2. **The paper "
        r"prints $\phi_{1,2}=\frac{1}{6}$; the definition gives $0$.** The reason is one sign in "
        r"its line for $S=\{4\}$. There $v(1,2,4)-v(1,4)-v(2,4)+v(4)="
        r"\frac{1}{2}-\frac{2}{2}-\frac{1}{2}+\frac{1}{2}=-\frac{1}{2}$, where the paper "
        r"has $+\frac{1}{2}$. So the lines of $\{4\}$ and $\{3,4\}$, which have the same weight, "
        r"cancel: $\frac{2}{4}\left(\frac{1}{3}\cdot\left(-\frac{1}{2}\right)+\frac{1}{3}\cdot"
        r"\frac{1}{2}\right)=0$. Algorithm 1 says $0$ as well.",
    ),
    "tie": Preset(
        "A tie",
        Scene(Lesson(*_on_line(5, (4, 6, 8, 1), "abba"), k=1)),
        "A and B are equally far from the test point, and only one can be the nearest. Which of "
        "them is decides everything, so the order of the rows must not: the game takes the **mean "
        "over both orders**, half a place for each. Algorithm 1 handles one order at a time. "
        "Choose between the orders under *4. Algorithm 1*.",
    ),
    "copy": Preset(
        "A copy",
        Scene(Lesson(*_on_line(1, (3, 5, 5, 8), "aaab"), k=2), pair=(1, 2)),
        "B and C are one point, entered twice. Copies are interchangeable: their rows of the "
        "matrix are equal, and so are their values. With each other they interact **negatively**: "
        "what one brings, the other has already brought.",
    ),
    "large-k": Preset(
        "k ≥ n",
        Scene(Lesson(*_on_line(1, (3, 4, 6, 9), "abaa"), k=5)),
        "With $k\\geq n$ everyone has a place among the $k$ nearest, and nobody is in anybody's "
        r"way: every pair interacts by $0$. The start of Algorithm 1 as printed, "
        r"$-\frac{2(n-k)}{n(n-1)}\,u(\alpha_n)$, turns positive for $k>n$, which is wrong; here it "
        "is $0$.",
    ),
    "mislabeled": Preset(
        "A wrong label",
        Scene(
            Lesson(
                *_in_plane(
                    [
                        ("a", 1.5, 9),
                        ("a", 4.5, 9),
                        ("a", 1.5, 6),
                        ("b", 3, 7.5),
                        ("b", 6.5, 4),
                        ("b", 9, 3.5),
                        ("b", 8, 1),
                    ],
                    [("a", 3.5, 6.5), ("a", 1.5, 8), ("b", 8, 3), ("a", 5, 8)],
                ),
                k=2,
                space="plane",
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
            Lesson(
                *_in_plane(
                    [
                        ("a", 2, 3),
                        ("a", 4, 6),
                        ("b", 5, 4),
                        ("b", 7, 6),
                        ("a", 6, 8.5),
                        ("b", 8, 3),
                    ],
                    [("a", 2.5, 5), ("b", 6.5, 4), ("a", 4.5, 7.5)],
                ),
                k=2,
                space="plane",
            ),
            pair=(1, 2),
        ),
        "For one test point, an interaction depends only on the **farther** of the two points: "
        "sorted from near to far, every column of the upper triangle holds one number. Another "
        "test point sorts differently. Under *5. Average* the patterns come together in one "
        "order, and their mean is no longer a pattern of columns: that is the matrix of the other "
        "pages.",
    ),
}

FIRST: Final = "paper-2.1"


def preset_of(lesson: Lesson) -> str | None:
    """Return the name of the example that a lesson is, if it is one."""
    return next((name for name, one in PRESETS.items() if one.scene.lesson == lesson), None)

"""The gallery: linked views of known data, each one file, computed when the site is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

from sklearn.preprocessing import StandardScaler

from scripts.website.addresses import ROOT
from stiknn_core import interactions
from stiknn_core.datasets import load_bundled, load_csv, load_paper_dataset, make_dataset
from stiknn_core.types import Dataset
from stiknn_view.page import page
from stiknn_view.results import scene_of

K: Final = 5
SAMPLES: Final = ROOT / "sample_data"


@dataclass(frozen=True)
class Exhibit:
    """One view of the gallery.

    Attributes
    ----------
    key : str
        Its file's name.
    title : str
    about : str
        What to look at.
    load : callable
        Returns its data.
    mixed_units : bool
        Whether columns are standardised first.
    """

    key: str
    title: str
    about: str
    load: Callable[[], Dataset]
    mixed_units: bool = False


EXHIBITS: Final = (
    Exhibit(
        "circles",
        "Circles",
        "Two rings. Each class is a block of substitutes; pairs of two classes are fainter. "
        "Click a block.",
        partial(make_dataset, "circles", n=300, noise=0.1, seed=0),
    ),
    Exhibit(
        "moons",
        "Moons",
        "Two half circles that reach into each other. Click a block, or draw around a tip.",
        partial(make_dataset, "moons", n=300, noise=0.15, seed=0),
    ),
    Exhibit(
        "flips",
        "Wrong labels",
        "20 of 200 labels are wrong. Most are lines that look unlike their block; colour the "
        "points by label quality to see them in the scatter.",
        partial(load_csv, SAMPLES / "circles_flipped.csv", "label"),
    ),
    Exhibit(
        "monks2",
        "Monks-2",
        "A rule on six columns of whole numbers, full of ties: exactly two of them have their "
        "first value. A set of the paper, written down from its definition.",
        partial(load_paper_dataset, "monks2"),
    ),
    Exhibit(
        "digits",
        "Digits",
        "The first 40 of each handwritten digit of UCI's set (Alpaydin and Kaynak 1998, "
        "CC BY 4.0), as in scikit-learn: ten blocks.",
        partial(load_csv, SAMPLES / "digits_400.csv", "digit"),
    ),
    Exhibit(
        "circle-paper",
        "Circle, of the paper",
        "600 points on two rings with noise 0.1.",
        partial(load_paper_dataset, "circle"),
    ),
    Exhibit(
        "moon-paper",
        "Moon, of the paper",
        "600 points on two half circles with noise 0.1.",
        partial(load_paper_dataset, "moon"),
    ),
    Exhibit(
        "planes2d",
        "Planes2D, of the paper",
        "Two planes with noise in ten columns, by their rule; 600 rows.",
        partial(load_paper_dataset, "planes2d", n=600),
    ),
    Exhibit(
        "tic-tac-toe",
        "TicTacToe, of the paper",
        "Every final board; has x won? All boards, by playing.",
        partial(load_paper_dataset, "tic_tac_toe"),
    ),
    Exhibit(
        "iris",
        "Iris",
        "Three species by four measures (R. A. Fisher 1936, CC BY 4.0), as in scikit-learn.",
        partial(load_bundled, "iris"),
        mixed_units=True,
    ),
    Exhibit(
        "wine",
        "Wine",
        "Three growers by thirteen measures (S. Aeberhard and M. Forina 1991, CC BY 4.0), as in "
        "scikit-learn.",
        partial(load_bundled, "wine"),
        mixed_units=True,
    ),
    Exhibit(
        "breast-cancer",
        "Breast cancer",
        "569 tumours by thirty measures (W. H. Wolberg and others 1995, CC BY 4.0), as in "
        "scikit-learn.",
        partial(load_bundled, "breast_cancer"),
        mixed_units=True,
    ),
)


def file_of(exhibit: Exhibit) -> str:
    """Return an exhibit's view as one file; each point is tested with the others."""
    data = exhibit.load()
    X = StandardScaler().fit_transform(data.X) if exhibit.mixed_units else data.X
    return page(scene_of(interactions(X, data.y, k=K), name=exhibit.title))


def listed() -> str:
    """Return the page that shows them all, as HTML."""
    return "\n".join(
        [
            "<h1>Gallery</h1>",
            "<p>The linked view of known data, computed when this site was made and alive without "
            "a server. Click a block of a matrix and its points light up, draw around points and "
            "their rows and columns do. Each is one file that may be given away: "
            '<a href="sharing.html#one-file">how to make one</a>; '
            '<a href="reading.html">how to read one</a>.</p>',
            *map(_shown, EXHIBITS),
        ]
    )


def _shown(exhibit: Exhibit) -> str:
    title, address = escape(exhibit.title), f"gallery/{exhibit.key}.html"
    return (
        f'<section id="{exhibit.key}"><h2>{title}</h2><p>{escape(exhibit.about)} '
        f'<a href="{address}">Open {title} alone</a></p>'
        f'<iframe src="{address}" title="Linked view: {title}" sandbox="allow-scripts" '
        'loading="lazy"></iframe></section>'
    )

"""How to read a page, in short: one button in its head. `docs/reading.md` says it at length."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_core.types import Dataset
from stiknn_ui.page import reading
from stiknn_ui.visit import state
from stiknn_ui.words import glossary

LABEL: Final = "How to read this"

_PICTURE: Final = f"""
**Each row and each column is a training point, each cell a pair.** The colours compare pairs with
one another; a single pair is a small share of the utility, with Shapley-Taylor about
1 / (k × points).

- :blue-badge[Blue] **substitutes**: {glossary.inside("substitutes")}
- :orange-badge[Orange] **complements**: {glossary.inside("complements")}
- **Faint**: {glossary.inside("faint")}
- **Diagonal**: blank, with Shapley-Taylor far larger than the pairs.
"""

TEXTS: Final = {
    "explore": _PICTURE
    + """- **Strong block**: the strongest substitutes, often of one class.
- **Line unlike its block**: a point that behaves like another class. Often a wrong label,
  sometimes a point at a border or far out.

The order of the rows never changes a number. The picture speaks of this classifier, with these
features, this scaling and these test points. It knows no causes, and not which label is true.
""",
    "point": f"""
**What one point is worth, and through whom.**

- **Value**: {glossary.inside("value")} {glossary.TERMS["value"].direction}
- **Leave-one-out value**: what the utility loses when this point alone is removed.
- **Strongest substitutes** (blue) compete with it, so each takes something from its value.
  **Strongest complements** (orange) each add something.
- **Test points**: the value is the mean of what each of them gives. A few may make all of it.

With Shapley-Taylor the value is what the point adds alone, plus half of its interactions. With
every other index the diagonal already is the value; the page then shows sums by class.
""",
    "suspects": f"""
**The most doubtful labels come first.** Every score is oriented alike: low is suspicious.

- **Label quality**: {glossary.inside("label quality")}
- **Support**: {glossary.inside("support")} Neighbours are here the test points that have the
  point among their nearest.
- **Suggested**: {glossary.inside("suggested label")} Then the label may stand.
- **Where to stop is your decision.** Read from the top until most rows look right.
- **What fools it**: a correct label that is rare at its place looks suspicious, and wrong labels
  side by side support each other.

Tick rows, and they light up in both pictures. There a wrong label is often a line unlike its block.
Of more than 4,000 rows all are ranked; the picture has blocks, with the most suspicious marked.
The heads of the columns say what each score means.
""",
    "compare": """
**How much do the numbers hang on a setting?** A and B are computed on the same data.

- **Pearson** compares sizes, **Spearman** ranks, **same sign** only substitutes against
  complements. 1 = alike.
- **One scale** shows who is larger; with Shapley-Taylor more neighbours make nearly all
  interactions smaller. **Own scale** shows whether the patterns agree.
- **Suspects**: what changes for someone who checks the first rows of the list.
- **Enough test points?** Each entry is a mean over test points; its standard error says how far it
  may move with others.
""",
    "review": """
**One suspect at a time: what speaks for its label, and what against.**

- **Support**: the share of each class, after its support is divided by the square root of its
  frequency. That of the given label is the label quality; the class with the largest is suggested.
- **Nearest**: the points around it and their labels.
- **Columns**: the values that are the most unusual for the given class, or for the suggested one.
- **Scores**: low is suspicious; rank 1 is the most suspicious of all points. A negative value does
  not mean that the data are better without the point; the leave-one-out value says what removing it
  alone changes.
- **The line** below the histogram says how many of all points are suspects. Further left there are
  fewer and surer ones.

*Skip* leaves a point open; it comes again when all others are decided. A note decides nothing.
No score knows the truth. Look at the thing itself before you accept. Your file stays as it is: the
corrected one is under *Take away*, and every step can be undone. *Effect* compares your
changes with as many random ones.
""",
}
"""What each page's button says, by slug."""

MEASURED: Final = {
    "explore": """
**Measured targets**: nearly all pairs are orange with Shapley-Taylor. A neighbour costs a loss, an
empty place none; of two points that compete for the last place only one costs. The stronger, the
more the farther of the two costs. *Calibrated Shapley*, in the details of the game, leaves no place
empty: orange then costs more than what lies behind, blue less.
""",
    "suspects": """
**Measured targets** are ranked by how far they are from the middle of what the test points around
them have; four fifths of that lie between *low* and *high*. A high distance is suspicious.
""",
    "review": """
**Measured targets**: the middle of what the test points around the row have is suggested. Another
number can be typed, as it should stand in the file.
""",
}
"""What it says besides, where labels are measured."""

NEXT: Final = {
    "explore": ("point", "suspects", "learn"),
    "point": ("explore", "learn"),
    "suspects": ("review", "point"),
    "compare": ("explore",),
    "review": ("suspects", "explore"),
}
"""The pages that each text leads to, by their scripts' names."""


def button(dataset: Dataset | None = None) -> None:
    """Offer the help of the page that is open, if there is any; of measured data it says more."""
    slug = state.session().page
    text = TEXTS.get(slug)
    if text is None:
        return
    with st.popover(LABEL, icon=":material/help:", width="content"):
        st.markdown(text)
        if dataset is not None and dataset.measured and slug in MEASURED:
            st.markdown(MEASURED[slug])
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Read more", key="read-more", icon=":material/menu_book:"):
                reading.read()
            reading.glossary_button()
            for page in NEXT[slug]:
                st.page_link(f"pages/{page}.py", label=page.capitalize())

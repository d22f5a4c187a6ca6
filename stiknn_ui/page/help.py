"""How to read a page, in short: one button in its head. `docs/reading.md` says it at length."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.page import reading
from stiknn_ui.visit import state

LABEL: Final = "How to read this"

_PICTURE: Final = """
**Each row and each column is a training point, each cell a pair.** The colours compare pairs with
one another; a single pair is a small share of the likelihood, about 1 / (k × points).

- :blue-badge[Blue]: redundant. Each is worth less when the other is there.
- :orange-badge[Orange]: they complete each other. Each is worth more when the other is there.
- **Faint**: the pair hardly matters, or it helps some test points and harms as many.
- **Diagonal**: blank. What a point earns alone depends on its class only.
"""

TEXTS: Final = {
    "explore": _PICTURE
    + """- **Strong block**: points that say the same, usually of one class in one place.
- **Faint block**: points that nobody replaces, as in a small class, or that hardly meet.
- **Line unlike its block**: a point that behaves like another class. Often a wrong label,
  sometimes a point at a border or far out.

The order of the rows never changes a number. The picture speaks of this classifier, with these
features and this scaling. It knows no causes, and not which label is true.
""",
    "point": """
**What one point is worth, and through whom.**

- **Value**: what it earns alone, plus half of its interactions with all others. It is a mean over
  all sets of the others: a negative one does not mean that the data are better without the point
  ([Yang et al. 2024](https://arxiv.org/abs/2405.17489)).
- **Leave-one-out value**: what removing the point alone takes from the utility.
- **Rivals** (blue) can stand in for it, so each takes something from its value. **Friends**
  (orange) are worth more beside it.
- **Test points**: the value is the mean of what each of them gives. A few may make all of it.

For the Shapley and the Banzhaf interaction the diagonal already is the value; the page then shows
sums by class.
""",
    "suspects": """
**The most doubtful labels come first.** Every score is oriented alike: low is suspicious.

- **Label quality** is the share of the given label in the support, after each class is divided by
  the square root of its frequency. Support comes from the points that this one helps to classify.
- **Suggested** is the class with the largest of these shares. Where it is the given one, the label
  may stand.
- **Where to stop is your decision.** Read from the top until most rows look right.
- **What fools it**: a correct label that is rare at its place looks suspicious, and wrong labels
  side by side back each other.

Tick rows, and they light up in both pictures. There a wrong label is often a line unlike its block.
The heads of the columns say what each score means.
""",
    "compare": """
**How much do the numbers hang on a setting?** A and B are computed on the same data.

- **Pearson** compares sizes, **Spearman** ranks, **same sign** only blue against orange. 1 = alike.
- **One scale** shows who is larger; more neighbours make all interactions smaller. **Own scale**
  shows whether the patterns agree.
- **Suspects**: what changes for someone who checks the first rows of the list.
- **Enough test points?** Each entry is a mean over test points; its standard error says how far it
  may move with others.
""",
    "review": """
**One suspect at a time: what speaks for its label, and what against.**

- **Support**: the share of each class in the support by the points around this one, after each
  class is divided by the square root of its frequency. The share of the given label is the label
  quality; the class with the largest is suggested.
- **Nearest**: the points around it and their labels.
- **Columns**: the values that are the most unusual for the given class, or for the suggested one.
- **Scores**: low is suspicious; rank 1 is the most suspicious of all points. A negative value does
  not mean that the data are better without the point; the leave-one-out value says what removing it
  alone changes.
- **The line** below the histogram says how many are suspects. Further left there are fewer and
  surer ones.

*Skip* leaves a point open; it comes again when all others are decided. A note decides nothing.
No score knows the truth. Look at the thing itself before you accept. Your file stays as it is: the
corrected one is under *Take away*, and every step can be undone. *Effect* compares your
changes with as many random ones.
""",
}
"""What each page's button says, by slug."""

NEXT: Final = {
    "explore": ("point", "suspects", "learn"),
    "point": ("explore", "learn"),
    "suspects": ("review", "point"),
    "compare": ("explore",),
    "review": ("suspects", "explore"),
}
"""The pages that each text leads to, by their scripts' names."""


def button() -> None:
    """Offer the help of the page that is open, if there is any."""
    slug = state.session().page
    text = TEXTS.get(slug)
    if text is None:
        return
    with st.popover(LABEL, icon=":material/help:", width="content"):
        st.markdown(text)
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Read more", key="read-more", icon=":material/menu_book:"):
                reading.read()
            for page in NEXT[slug]:
                st.page_link(f"pages/{page}.py", label=page.capitalize())

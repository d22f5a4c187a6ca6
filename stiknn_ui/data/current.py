"""The data set that the controls of every page are about."""

from __future__ import annotations

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.data import paper_form
from stiknn_ui.results import kept
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def dataset() -> Dataset | None:
    """Return the data set the controls describe; None, with a sentence, if there is none."""
    paper_form.settle()
    spec = state.settings().data
    try:
        if spec.source == "upload":
            return upload_session.dataset()
        if not paper_form.ready(spec):
            return None
        return kept.public_dataset(spec)
    except StiknnError as error:
        messages.show_error(error)
        return None

"""The data set that the controls of every page are about."""

from __future__ import annotations

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.data import paper_form
from stiknn_ui.results import kept
from stiknn_ui.results.contents import Contents
from stiknn_ui.uploads import awaited, shown
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def dataset() -> Dataset | None:
    """Return the data set the controls describe; None, with a sentence, if there is none."""
    paper_form.settle()
    try:
        return _dataset()
    except StiknnError as error:
        messages.show_error(error)
        return None


def contents(dataset: Dataset) -> Contents:
    """Return what the rows of that data set say and show."""
    settings = state.settings()
    return shown.contents(dataset, settings.data, settings.compute)


def _dataset() -> Dataset | None:
    spec = state.settings().data
    if spec.source == "upload":
        if state.desk(UploadDesk).upload is None:
            awaited.draw()
            return None
        return upload_session.dataset()
    return kept.public_dataset(spec) if paper_form.ready(spec) else None

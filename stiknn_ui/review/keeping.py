"""Uploads that are kept because a person asked for it, and what a link to a review opens."""

from __future__ import annotations

from collections.abc import Mapping

from stiknn_core.errors import StiknnError
from stiknn_ui.asked import links
from stiknn_ui.review import desk, files, home
from stiknn_ui.review.about import About
from stiknn_ui.review.decisions import ReviewError
from stiknn_ui.review.journal import Kept
from stiknn_ui.review.layout import JournalError
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state


def kept() -> bool:
    """Tell whether the files in use now are kept with the review."""
    held = state.desk(ReviewDesk).kept
    return held is not None and held.digests == _digests()


def keep() -> bool:
    """Keep the upload in use and its test file, in place of what was kept before.

    Returns whether that worked; if not, the notice says why.
    """
    memory, uploaded = state.desk(ReviewDesk), state.desk(UploadDesk)
    if uploaded.upload is None:
        return False
    token, unsaved = desk.begin_review(), desk.unsaved()
    if not token:
        return False
    told = _settings()
    try:
        stored = [files.stored_file("data", uploaded.upload.file)]
        if uploaded.test is not None:
            stored.append(files.stored_file("test", uploaded.test))
        desk.journal().keep_upload(token, stored, told)
    except ReviewError as error:
        # A review that is not on the disk yet is none that is gone.
        memory.notice = f"The file could not be kept. {unsaved.trouble if unsaved else error}"
        return False
    memory.kept = Kept(_digests(), told)
    return True


def drop() -> bool:
    """Delete the kept files; the decisions stay."""
    memory = state.desk(ReviewDesk)
    if not memory.token:
        return False
    try:
        desk.journal().drop_upload(memory.token)
    except ReviewError as error:
        memory.notice = f"The file could not be deleted. {error}"
        return False
    memory.kept = None
    return True


def where_stored() -> str:
    """Return one sentence about what keeping the upload means."""
    return (
        f"Copies the uploaded file to {home.where()} on the machine that runs this app, so that a "
        'reload opens it again; "Forget this review" deletes it.'
    )


def sync() -> None:
    """Bring the kept choices and settings up to date; files are kept only when asked."""
    memory = state.desk(ReviewDesk)
    held = memory.kept
    if held is None or not memory.token or not kept():
        return
    told = _settings()
    if state.settings().data.source != "upload" or told == held.settings:
        return
    try:
        desk.journal().keep_settings(memory.token, told)
    except JournalError as error:
        memory.notice = str(error)
        return
    memory.kept = Kept(held.digests, told)


def arrive(token: str, params: Mapping[str, str]) -> None:
    """Open what a link to a review asks for, at the beginning of a visit.

    What the link says expressly comes first, then what is noted with the review. The token is
    well formed; it may belong to no review.
    """
    here = state.session()
    memory = state.desk(ReviewDesk)
    desk.arrive(token)
    if not memory.token:
        return
    about = About.from_json(memory.about)
    try:
        stored = desk.journal().stored_upload(token)
    except JournalError as error:
        memory.notice = str(error)
        return
    if stored is not None:
        try:
            _bring_back(files.restored(stored), about, params)
        except StiknnError as error:
            memory.notice = f"The kept file could not be opened. {error}"
    if about is not None and about.source != "upload" and "dataset" not in params:
        noted = links.parse(links.params_of(about.query))
        here.settings = links.overridden(noted.settings, params)
        here.chosen |= links.chosen(links.params_of(about.query))


def _bring_back(found: files.Restored, about: About | None, params: Mapping[str, str]) -> None:
    """Use a kept upload, or make it the draft if it needs a choice by now."""
    here = state.session()
    memory = state.desk(ReviewDesk)
    uploaded = state.desk(UploadDesk)
    before = here.settings
    uploaded.upload, uploaded.test = found.upload, found.test
    here.kept |= {"upload": found.settings.data}
    here.settings = links.overridden(found.settings, params)
    memory.kept = Kept(_digests(), _settings())
    if "dataset" in params or (about is not None and about.source != "upload"):
        here.settings = before  # other data were looked at last
        return
    try:
        upload_session.dataset()
    except StiknnError as error:
        uploaded.upload, here.settings = None, before
        uploaded.draft, uploaded.question = found.upload, error
        memory.notice = f"The kept file needs a choice on the Data page. {error}"
        return
    if found.scaling_chosen:
        here.chosen.add("compute.scaling")


def _settings() -> str:
    here = state.session()
    uploaded = state.desk(UploadDesk)
    assert uploaded.upload is not None
    chosen = "compute.scaling" in here.chosen
    return files.settings_text(uploaded.upload, here.settings, chosen)


def _digests() -> tuple[str, ...]:
    here = state.desk(UploadDesk)
    used = (here.upload.file if here.upload is not None else None, here.test)
    return tuple(file.digest for file in used if file is not None)

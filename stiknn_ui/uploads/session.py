"""What becomes of a visitor's uploads: read, chosen from, used, or refused.

A table takes the place of the data before only once it can be used as a whole. Until then
it is a draft beside them, and a file that cannot be read changes nothing at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, Evaluation
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices, carried
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import NO_OVERRIDES, ReadFile, Trouble, digest_of
from stiknn_ui.uploads.line import Reading, Use
from stiknn_ui.uploads.usable import built, checked, left_one_out, repaired, spec_for
from stiknn_ui.visit import state

WAIT: Final = 1.0
"""Seconds for which a page waits for a file rather than show how far it is."""


def current() -> Upload | None:
    """Return the table whose form is open: the draft, else the one in use."""
    here = state.desk(UploadDesk)
    return here.draft or here.upload


def receive(name: str, content: bytes, wanted: str = "") -> None:
    """Read a file that just came; the same file again is not read twice.

    Parameters
    ----------
    name : str
    content : bytes
    wanted : str, optional
        Name of the file that it takes the place of.
    """
    here = state.desk(UploadDesk)
    known = current()
    if known is not None and known.file.digest == digest_of(content):
        _let_go("data")
        here.trouble, here.taken_on = None, state.session().page
        take(known)
    else:
        _read("data", name, content, wanted=wanted)


def read_again(option: str, value: Any) -> None:
    """Read the file again with one option of ``read_table`` changed; None leaves it to the file."""
    here = state.desk(UploadDesk)
    known = current()
    source: Trouble | Any = here.trouble or (known.file if known else None)
    if source is None:
        return
    overrides = {name: old for name, old in source.overrides.items() if name != option}
    if value is not None:
        overrides[option] = value
    _read("data", source.name, source.content, overrides)


def choose(choices: Choices) -> None:
    """Use the open table's columns in another way."""
    known = current()
    if known is not None and known.choices != choices:
        take(Upload(known.file, choices))


def step_back() -> None:
    """Forget the file that could not be read, or else the draft."""
    here = state.desk(UploadDesk)
    if here.trouble is None:
        _close_draft(here)
    here.trouble = None


def accept() -> None:
    """Put the draft to use as it is now."""
    here = state.desk(UploadDesk)
    if here.draft is not None and here.answered:
        _use(here.draft)


def draft_dataset() -> Dataset | None:
    """Return the data set that the draft would be; None as long as something is to be chosen."""
    here = state.desk(UploadDesk)
    if here.draft is None or not here.answered:
        return None
    return built(here.draft, spec_for(here.draft), left_one_out(state.settings().compute))


def dataset(compute: ComputeSpec | None = None) -> Dataset:
    """Return the upload as the settings ask for it, with noise, and tests behind if there are any.

    Parameters
    ----------
    compute : ComputeSpec, optional
        Other test points than those of the settings.

    Raises
    ------
    StiknnError
        If the settings do not fit the table.
    LookupError
        If nothing was uploaded in this session.
    """
    here = state.session()
    uploaded = state.desk(UploadDesk)
    if uploaded.upload is None:
        raise LookupError("no table was uploaded in this session")
    return built(uploaded.upload, here.settings.data, compute or here.settings.compute)


def receive_test(name: str, content: bytes) -> None:
    """Read a test file and test on it; if that fails, nothing changes."""
    _read("test", name, content)


def stop(use: Use) -> None:
    """Stop reading a file; all is as it was before."""
    here = state.desk(UploadDesk)
    if use in here.readings:
        here.told = f"Reading {here.readings[use].name} was stopped; nothing has changed."
        _let_go(use)


def take(upload: Upload) -> None:
    """Use a table, or make it the draft if something is asked first.

    Missing values are asked about, with the repair that is proposed chosen already.
    """
    uploaded = state.desk(UploadDesk)
    asked = upload.problems.any and (
        upload.choices.missing == "refuse" or (uploaded.draft is not None and uploaded.answered)
    )
    if asked and upload.choices.missing == "refuse":
        upload = repaired(upload)
    error, upload = checked(upload)
    if error is None and not asked:
        _use(upload)
        return
    uploaded.draft, uploaded.answered = upload, error is None
    uploaded.question = error or upload.question


def settle() -> None:
    """Take the files that have been read meanwhile; at the beginning of each run of a page."""
    here, page = state.desk(UploadDesk), state.session().page
    for use, reading in list(here.readings.items()):
        job = reading.job
        if job.running:
            continue
        _let_go(use)
        if job.put_out:  # nobody stopped it, and the visitor is back
            _begin(use, reading)
            continue
        outcome = job.result or job.error
        if outcome is None:
            continue
        here.taken_on = page
        said = (_take_test if use == "test" else _take_file)(reading, outcome)
        if page != reading.page:
            here.told = said


def test_on(evaluation: Evaluation) -> None:
    """Choose the test points; a split column is proposed, and a test file waited for."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    uploaded.wants_test = evaluation == "test-file" and uploaded.test is None
    if uploaded.wants_test:
        return  # the test points of now stay until the file is there
    column = here.settings.compute.split_column
    if evaluation == "split-column" and uploaded.upload is not None:
        table = uploaded.upload.table
        if column not in table.facts:
            column = table.column_with("split") or ""
    state.change("compute", evaluation=evaluation, split_column=column)
    here.chosen.add("compute.evaluation")


def _read(
    use: Use,
    name: str,
    content: bytes,
    overrides: Mapping[str, Any] = NO_OVERRIDES,
    wanted: str = "",
) -> None:
    """Read a file in place of one that is still being read, and wait for it a moment.

    What takes longer is taken by the next run after its end.
    """
    here, page = state.desk(UploadDesk), state.session().page
    _let_go(use)
    here.told = here.taken_on = ""
    _begin(use, Reading(name, content, overrides, wanted=wanted, page=page))
    if use in here.readings:
        here.readings[use].job.wait(WAIT)
    settle()


def _begin(use: Use, reading: Reading) -> None:
    try:
        reading.begin(state.session().visitor)
    except StiknnError as error:  # the line is full
        (_take_test if use == "test" else _take_file)(reading, error)
    else:
        state.desk(UploadDesk).readings[use] = reading


def _let_go(use: Use) -> None:
    reading = state.desk(UploadDesk).readings.pop(use, None)
    if reading is not None:
        reading.job.stop()


def _take_file(reading: Reading, outcome: ReadFile | Exception) -> str:
    """Use a file, ask about it, or say why it cannot be read; returns which in one sentence."""
    here = state.desk(UploadDesk)
    if isinstance(outcome, Exception):
        here.trouble = Trouble(reading.name, reading.content, reading.overrides, outcome)
        return f"{reading.name} could not be read: the Data page says why."
    known = current()
    here.trouble = None
    if known is None:
        take(Upload(outcome))
    else:
        choices, sentence = carried(known.choices, outcome.table)
        take(Upload(outcome, choices, sentence))
    if here.draft is not None:
        return f"{reading.name} was read: the Data page asks something about it."
    if reading.wanted and outcome.name != reading.wanted:
        state.session().notice = (
            f"The link was made with {reading.wanted}; {outcome.name} has taken its place."
        )
    return f"{reading.name} was read and is in use."


def _take_test(reading: Reading, outcome: ReadFile | Exception) -> str:
    """Test on a file, or keep why it cannot be read; returns which in one sentence."""
    here = state.desk(UploadDesk)
    if isinstance(outcome, Exception):
        here.test_error = outcome
        return f"The test file {reading.name} could not be read; nothing has changed."
    here.test, here.test_error, here.wants_test = outcome, None, False
    here.built.clear()
    digest = outcome.digest
    state.change("compute", evaluation="test-file", test_name=outcome.name, test_digest=digest)
    state.session().chosen.add("compute.evaluation")
    return f"The test file {reading.name} was read; its rows are the test points."


def _use(upload: Upload) -> None:
    spec = spec_for(upload)
    uploaded = state.desk(UploadDesk)
    uploaded.upload = upload
    _close_draft(uploaded)
    state.use_data(spec)


def _close_draft(here: UploadDesk) -> None:
    here.draft, here.question, here.answered = None, None, False

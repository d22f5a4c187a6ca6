"""What becomes of a visitor's uploads: read, chosen from, used, or refused.

A table takes the place of the data before only once it can be used as a whole. Until then
it is a draft beside them, and a file that cannot be read changes nothing at all.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, Evaluation
from stiknn_ui.results.sources import disturbed
from stiknn_ui.uploads.build import Upload, drawn, joined, split_of
from stiknn_ui.uploads.choices import Choices, carried, repairs
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import NO_OVERRIDES, ReadFile, Trouble, digest_of
from stiknn_ui.uploads.line import Reading, Use
from stiknn_ui.visit import state
from stiknn_ui.words.wording import PUBLIC_EVALUATION

# Two ways to compare may split the rows in two ways, each kept before and after noise.
_MOST_BUILT: Final = 4
WAIT: Final = 1.0
"""Seconds for which a page waits for a file rather than show how far it is."""
_logger = logging.getLogger(__name__)


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
        _take(known)
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
        _take(Upload(known.file, choices))


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
    return _built(here.draft, _spec_for(here.draft), _judged_alone(state.settings().compute))


def dataset(compute: ComputeSpec | None = None) -> Dataset:
    """Return the upload as the settings ask for it, with noise, and tests behind if there are any.

    Parameters
    ----------
    compute : ComputeSpec, optional
        Another way to judge than that of the settings.

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
    return _built(uploaded.upload, here.settings.data, compute or here.settings.compute)


def receive_test(name: str, content: bytes) -> None:
    """Read a test file and judge by it; if that fails, nothing changes."""
    _read("test", name, content)


def stop(use: Use) -> None:
    """Stop reading a file; all is as it was before."""
    here = state.desk(UploadDesk)
    if use in here.readings:
        here.told = f"Reading {here.readings[use].name} was stopped; nothing has changed."
        _let_go(use)


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


def judge_by(evaluation: Evaluation) -> None:
    """Choose who judges; a split column is proposed, and a test file waited for."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    uploaded.wants_test = evaluation == "test-file" and uploaded.test is None
    if uploaded.wants_test:
        return  # what judges now goes on until the file is there
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
    visit = state.session()
    try:
        reading.begin(visit.visitor, visit)
    except StiknnError as error:  # the line is full
        (_take_test if use == "test" else _take_file)(reading, error)
    else:
        state.desk(UploadDesk).readings[use] = reading


def _let_go(use: Use) -> None:
    reading = state.desk(UploadDesk).readings.pop(use, None)
    if reading is not None:
        reading.let_go()


def _take_file(reading: Reading, outcome: ReadFile | Exception) -> str:
    """Use a file, ask about it, or say why it cannot be read; returns which in one sentence."""
    here = state.desk(UploadDesk)
    if isinstance(outcome, Exception):
        here.trouble = Trouble(reading.name, reading.content, reading.overrides, outcome)
        return f"{reading.name} could not be read: the Data page says why."
    known = current()
    here.trouble = None
    if known is None:
        _take(Upload(outcome))
    else:
        choices, sentence = carried(known.choices, outcome.table)
        _take(Upload(outcome, choices, sentence))
    if here.draft is not None:
        return f"{reading.name} was read: the Data page asks something about it."
    if reading.wanted and outcome.name != reading.wanted:
        state.session().notice = (
            f"The link was made with {reading.wanted}; {outcome.name} has taken its place."
        )
    return f"{reading.name} was read and is in use."


def _take_test(reading: Reading, outcome: ReadFile | Exception) -> str:
    """Judge by a test file, or keep why it cannot be read; returns which in one sentence."""
    here = state.desk(UploadDesk)
    if isinstance(outcome, Exception):
        here.test_error = outcome
        return f"The test file {reading.name} could not be read; nothing has changed."
    here.test, here.test_error, here.wants_test = outcome, None, False
    here.built.clear()
    digest = outcome.digest
    state.change("compute", evaluation="test-file", test_name=outcome.name, test_digest=digest)
    state.session().chosen.add("compute.evaluation")
    return f"The test file {reading.name} was read and judges."


def _take(upload: Upload) -> None:
    """Use a table, or make it the draft if something is asked first.

    Missing values are asked about, with the repair that is proposed chosen already.
    """
    uploaded = state.desk(UploadDesk)
    asked = upload.problems.any and (
        upload.choices.missing == "refuse" or (uploaded.draft is not None and uploaded.answered)
    )
    if asked and upload.choices.missing == "refuse":
        upload = _repaired(upload)
    error, upload = _judged(upload)
    if error is None and not asked:
        _use(upload)
        return
    uploaded.draft, uploaded.answered = upload, error is None
    uploaded.question = error or upload.question


def _judged(upload: Upload) -> tuple[Exception | None, Upload]:
    """Return what is wrong with a table; another way to judge is taken where that mends it."""
    spec, compute = _spec_for(upload), state.settings().compute
    error = _fault(upload, spec, compute)
    if error is None or compute.evaluation == "leave-one-out":
        return error, upload
    fault_alone = _fault(upload, spec, _judged_alone(compute))
    if fault_alone is None and compute.evaluation not in PUBLIC_EVALUATION:
        state.change("compute", evaluation="leave-one-out")
        said = f"Every point is judged by the others again, since: {error}"
        upload = Upload(upload.file, upload.choices, f"{upload.carried} {said}".strip())
    # A hold-out that does not fit is told beside its own controls.
    return fault_alone, upload


def _judged_alone(compute: ComputeSpec) -> ComputeSpec:
    return replace(compute, evaluation="leave-one-out")


def _repaired(upload: Upload) -> Upload:
    """Return the table with the first repair that works; as it was if none does."""
    alone = _judged_alone(state.settings().compute)
    for missing in repairs(upload.problems):
        tried = Upload(upload.file, replace(upload.choices, missing=missing), upload.carried)
        if _fault(tried, tried.spec, alone) is None:
            return tried
    return upload


def _use(upload: Upload) -> None:
    spec = _spec_for(upload)
    uploaded = state.desk(UploadDesk)
    uploaded.upload = upload
    _close_draft(uploaded)
    state.use_data(spec)


def _close_draft(here: UploadDesk) -> None:
    here.draft, here.question, here.answered = None, None, False


def _spec_for(upload: Upload) -> DataSpec:
    """Keep the noise and the sample as long as it is the same file."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    data = here.settings.data
    same = uploaded.upload is not None and uploaded.upload.file.content is upload.file.content
    if not same or data.source != "upload":
        return upload.spec
    return replace(data, name=upload.spec.name, digest=upload.spec.digest)


def _fault(upload: Upload, spec: DataSpec, compute: ComputeSpec) -> Exception | None:
    try:
        _built(upload, spec, compute)
    except Exception as error:
        _log_unless_told(error)
        return error
    return None


def _built(upload: Upload, spec: DataSpec, compute: ComputeSpec) -> Dataset:
    """Build a data set, or find it among the last few."""
    here = state.desk(UploadDesk)
    split_key = (upload.spec.digest, compute.split)
    whole_key = (spec, *split_key)
    if whole_key not in here.built:
        if split_key not in here.built:
            test = here.test if compute.evaluation == "test-file" else None
            _keep(split_key, split_of(upload, compute, test))
        _keep(split_key, here.built.pop(split_key))  # used just now, so it stays longest
        both: tuple[Dataset, Dataset | None] = here.built[split_key]
        train, test_rows = drawn(both[0], both[1], spec)
        _keep(whole_key, joined(disturbed(train, spec), test_rows))
    found: Dataset = here.built[whole_key]
    return found


def _keep(key: Any, value: Any) -> None:
    built = state.desk(UploadDesk).built
    built[key] = value
    while len(built) > _MOST_BUILT:
        del built[next(iter(built))]


def _log_unless_told(error: Exception) -> None:
    if not isinstance(error, StiknnError):
        _logger.error("an upload went wrong", exc_info=error)

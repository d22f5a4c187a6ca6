"""Whether an upload can be used as it is, and the data set that is made of it."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import replace
from typing import Any, Final

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.sources import disturbed
from stiknn_ui.uploads.build import Upload, drawn, joined, split_of
from stiknn_ui.uploads.choices import repairs
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words.wording import PUBLIC_EVALUATION
from stiknn_ui.work.sizes import size_of

# Two ways to compare may split the rows in two ways, each kept before and after noise.
_MOST_BUILT: Final = 4
# Of large tables the one way alone: dozens of visitors may each have one.
_LEAST_BUILT: Final = 2
_MOST_BYTES: Final = 8_000_000
# Whoever came first is done first: where dozens build at once, all are done last.
_AT_ONCE: Final = threading.BoundedSemaphore(os.cpu_count() or 1)
_logger = logging.getLogger(__name__)


def checked(upload: Upload) -> tuple[Exception | None, Upload]:
    """Return what is wrong with a table; other test points are taken where that mends it."""
    spec, compute = spec_for(upload), state.settings().compute
    error = _fault(upload, spec, compute)
    if error is None or compute.evaluation == "leave-one-out":
        return error, upload
    fault_alone = _fault(upload, spec, left_one_out(compute))
    if fault_alone is None and compute.evaluation not in PUBLIC_EVALUATION:
        state.change("compute", evaluation="leave-one-out")
        said = f"Each point is tested with the others again, since: {error}"
        upload = Upload(upload.file, upload.choices, f"{upload.carried} {said}".strip())
    # A hold-out that does not fit is told beside its own controls.
    return fault_alone, upload


def left_one_out(compute: ComputeSpec) -> ComputeSpec:
    """Return the same with leave-one-out testing."""
    return replace(compute, evaluation="leave-one-out")


def repaired(upload: Upload) -> Upload:
    """Return the table with the first repair that works; as it was if none does."""
    alone = left_one_out(state.settings().compute)
    for missing in repairs(upload.problems, upload.table.pictures):
        tried = Upload(upload.file, replace(upload.choices, missing=missing), upload.carried)
        if _fault(tried, tried.spec, alone) is None:
            return tried
    return upload


def spec_for(upload: Upload) -> DataSpec:
    """Keep the noise and the sample as long as it is the same file."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    data = here.settings.data
    same = uploaded.upload is not None and uploaded.upload.file.content == upload.file.content
    if not same or data.source != "upload":
        return upload.spec
    return replace(data, name=upload.spec.name, digest=upload.spec.digest)


def _fault(upload: Upload, spec: DataSpec, compute: ComputeSpec) -> Exception | None:
    try:
        built(upload, spec, compute)
    except Exception as error:
        _log_unless_told(error)
        return error
    return None


def built(upload: Upload, spec: DataSpec, compute: ComputeSpec) -> Dataset:
    """Build a data set, or find it among the last few."""
    built = state.desk(UploadDesk).built
    whole_key = (spec, upload.spec.digest, compute.split)
    if whole_key not in built:
        with _AT_ONCE:
            _build(upload, spec, compute)
    found: Dataset = built[whole_key]
    return found


def _build(upload: Upload, spec: DataSpec, compute: ComputeSpec) -> None:
    here = state.desk(UploadDesk)
    split_key = (upload.spec.digest, compute.split)
    if split_key not in here.built:
        test = here.test if compute.evaluation == "test-file" else None
        _keep(split_key, split_of(upload, compute, test))
    _keep(split_key, here.built.pop(split_key))  # used just now, so it stays longest
    both: tuple[Dataset, Dataset | None] = here.built[split_key]
    train, test_rows = drawn(both[0], both[1], spec)
    noisy = disturbed(train, spec)
    whole = joined(noisy, test_rows)
    if both[1] is not None and noisy is both[0] and test_rows is both[1]:
        # Each number is kept once: what was split becomes a view of the whole.
        here.built[split_key] = (
            replace(noisy, X=whole.X[: noisy.n]),
            replace(both[1], X=whole.X[noisy.n :]),
        )
    _keep((spec, *split_key), whole)


def _keep(key: Any, value: Any) -> None:
    built = state.desk(UploadDesk).built
    built[key] = value
    while len(built) > _MOST_BUILT or (len(built) > _LEAST_BUILT and size_of(built) > _MOST_BYTES):
        del built[next(iter(built))]


def _log_unless_told(error: Exception) -> None:
    if not isinstance(error, StiknnError):
        _logger.error("an upload went wrong", exc_info=error)

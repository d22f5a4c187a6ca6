"""Texts and pictures of the rows of a result: from the table it was read from, if that is there.

Results lie on shelves of all visitors; tables belong to one, so the two meet only on a page.
"""

from __future__ import annotations

from stiknn_core.tables import Table
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.contents import Columns, Contents, columns_of
from stiknn_ui.results.pixels import Ends, range_of
from stiknn_ui.results.result import Result, selection_scope
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.work import shelves


def contents_of(result: Result) -> Contents:
    """Return what the rows of a result's data set say and show."""
    return contents(result.dataset, result.data, result.compute)


def contents(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Contents:
    """Return what the rows of a data set say and show, of an upload as of any other.

    Parameters
    ----------
    dataset : Dataset
    data : DataSpec
    compute : ComputeSpec
        Its split says where test rows come from.
    """
    here = state.desk(UploadDesk)
    upload = here.upload
    if data.source == "upload" and upload is not None and upload.spec.digest == data.digest:
        columns = columns_of(upload.table, upload.uses)
        if columns:
            test = _test_table(here, compute)
            return Contents(dataset, columns, upload.table, test, _pixels(dataset, data, compute))
    return Contents(dataset, Columns(), pixels=_pixels(dataset, data, compute))


def _test_table(here: UploadDesk, compute: ComputeSpec) -> Table | None:
    """Return the table of the test file, where test rows come from that one."""
    if compute.evaluation != "test-file" or here.test is None:
        return None
    return here.test.table if here.test.digest == compute.test_digest else None


def _pixels(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Ends | None:
    key = f"pixels|{selection_scope(data, compute)}"
    found: tuple[Ends | None] = shelves.derived().obtain(key, lambda: (range_of(dataset),))
    return found[0]

"""From an uploaded table, choices and a way of judging to one data set. Pure.

The split is made before anything is learned from the rows: medians, most frequent words and
one-hot levels come from training rows alone. The data set holds the training rows first and
then the rows that judge them; ``test_from`` says where those begin.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables import Table, sample_rows
from stiknn_core.tables.cells.missing import Problems
from stiknn_core.types import AnyArray, Dataset
from stiknn_ui.spec import ComputeSpec, DataSpec
from stiknn_ui.uploads.choices import Choices, Use, labelled, plan_of, problems_of, uses_of
from stiknn_ui.uploads.files import ReadFile

FILE_DIGEST: Final = "file_digest"
"""Name in ``Dataset.params``: the digest of the file that training rows were read from."""

# The core speaks to notebooks; on the page these are boxes and lists.
_NOTEBOOK_WORDS: Final = (
    (", with missing='drop_rows', 'drop_columns' or 'impute'", ": choose how on the Data page"),
    (", or leave those rows out with missing_labels='drop_rows'", ", or leave those rows out"),
    ("leave those rows out with missing_labels='drop_rows'", "leave those rows out"),
    ("leave those rows out with ragged='drop'", "leave those rows out"),
    ("or name them in one_hot or ordered", "or choose another use for them under Columns"),
    ("choose with X= and y= among", "choose the features among"),
    ("choose one with y= among", "choose them among"),
    ("choose one with member=", "choose one"),
    ("choose features=, or one_hot= for columns of words", "choose some under Columns"),
    ("choose one with label= among", "choose one of"),
    ("; add it to ordered", "; add it to the order"),
    ("give column=, share= or a test table", "choose another way of judging"),
)
# Counted anew once rows were drawn and noise was added.
_SAID_LATER: Final = ("a training row, so the test set knows", "No training row has the class")


@dataclass(frozen=True, eq=False)
class Upload:
    """A file that was read and what its columns are used for.

    Attributes
    ----------
    file : ReadFile
    choices : Choices
    carried : str
        What could not be kept of the choices for the file before; empty if all was.
    """

    file: ReadFile
    choices: Choices = field(default_factory=Choices)
    carried: str = ""

    @cached_property
    def table(self) -> Table:
        """The table with the proposals that follow from the chosen label."""
        return labelled(self.file.table, self.choices)

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why each use is proposed; half a sentence each."""
        return {name: role.reason for name, role in self.table.roles.items()}

    @cached_property
    def uses(self) -> dict[str, Use]:
        """What every column is used for."""
        return uses_of(self.table, self.choices)

    @cached_property
    def problems(self) -> Problems:
        """Missing and infinite cells of the columns in use."""
        return problems_of(self.table, self.choices)

    @cached_property
    def spec(self) -> DataSpec:
        """The data set as it came, known by its content and all choices."""
        digest = hashlib.sha256(f"{self.file.digest}|{self.choices!r}".encode()).hexdigest()
        return DataSpec(source="upload", name=self.file.name, flip=0.0, digest=digest)


def split_of(
    upload: Upload, compute: ComputeSpec, test: ReadFile | None
) -> tuple[Dataset, Dataset | None]:
    """Return the training rows and, unless they judge each other, the test rows.

    Parameters
    ----------
    upload : Upload
    compute : ComputeSpec
        Only its ``split`` counts.
    test : ReadFile or None
        The test file; needed for "test-file".

    Raises
    ------
    StiknnError
        If something must be chosen first, or the split is impossible.
    """
    train, judges = _split(upload, compute, test)
    return replace(train, params={**train.params, FILE_DIGEST: upload.file.digest}), judges


def _split(
    upload: Upload, compute: ComputeSpec, test: ReadFile | None
) -> tuple[Dataset, Dataset | None]:
    column = compute.split_column if compute.evaluation == "split-column" else ""
    try:
        table, options = plan_of(upload.table, upload.choices, upload.problems, column)
        match compute.evaluation:
            case "hold-out":
                return table.to_split(share=compute.share, seed=compute.split_seed, **options)
            case "test-file":
                if test is None:
                    raise FileError("There is no test file yet: add one, or judge another way.")
                return table.to_split(test=test.table, **options)
            case "split-column":
                return table.to_split(column=column or None, **options)
        return table.to_dataset(**options), None
    except StiknnError as error:
        sentence = in_page_words(error)
        if sentence == str(error):
            raise
        raise type(error)(sentence) from None


def joined(train: Dataset, test: Dataset | None) -> Dataset:
    """Return training rows and test rows as one data set that knows where the tests begin.

    Parameters
    ----------
    train : Dataset
        Noise included.
    test : Dataset or None
        With the same features; None returns ``train``.
    """
    if test is None:
        return train
    truth = None
    if train.y_true is not None:
        truth = _stacked(train.y_true, test.y if test.y_true is None else test.y_true)
    read_from = None
    if train.source_rows is not None and test.source_rows is not None:
        # Those of a test file are rows of that file.
        read_from = np.concatenate([train.source_rows, test.source_rows])
    return replace(
        train,
        X=np.vstack([train.X, test.X]),
        y=_stacked(train.y, test.y),
        ids=_stacked(train.ids, test.ids),
        y_true=truth,
        flipped=np.concatenate([train.flipped, test.flipped + train.n]),
        copy_of=np.concatenate([_copies(train), np.full(test.n, -1, dtype=np.int64)]),
        source_rows=read_from,
        test_from=train.n,
        notices=tuple(dict.fromkeys([*train.notices, *_kept(test.notices)])),
    )


def drawn(train: Dataset, test: Dataset | None, spec: DataSpec) -> tuple[Dataset, Dataset | None]:
    """Return the seeded sample that ``spec`` asks for, of either side at most so many rows."""
    if not spec.sample:
        return train, test
    return (
        sample_rows(train, spec.sample, spec.seed),
        None if test is None else sample_rows(test, spec.sample, spec.seed),
    )


def in_page_words(error: StiknnError) -> str:
    """Return the sentence of an error without the arguments that only notebooks know."""
    sentence = str(error)
    for notebook, page in _NOTEBOOK_WORDS:
        sentence = sentence.replace(notebook, page)
    return sentence


def _stacked(first: AnyArray, second: AnyArray) -> AnyArray:
    if first.dtype.kind == second.dtype.kind:
        return np.concatenate([first, second])
    both: list[Any] = [*first.tolist(), *second.tolist()]
    return np.array(both, dtype=object)


def _copies(dataset: Dataset) -> AnyArray:
    if dataset.copy_of is None:
        return np.full(dataset.n, -1, dtype=np.int64)
    return dataset.copy_of


def _kept(notices: tuple[str, ...]) -> list[str]:
    return [said for said in notices if not any(part in said for part in _SAID_LATER)]

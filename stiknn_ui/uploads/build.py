"""From an uploaded table, choices and test points to one data set. Pure.

The split is made before anything is learned from the rows: medians, most frequent words and
one-hot levels come from training rows alone. The data set holds the training rows first and
then the test points; ``test_from`` says where those begin.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.phrases import listed
from stiknn_core.tables import ChoiceError, Table, sample_rows
from stiknn_core.tables.cells.missing import Problems
from stiknn_core.types import AnyArray, Dataset, Notice, NoticeKind, Votes
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.uploads.choices import (
    Choices,
    Use,
    labelled,
    missing_question,
    offers_of,
    plan_of,
    problems_of,
    uses_of,
)
from stiknn_ui.uploads.files import ReadFile

FILE_DIGEST: Final = "file_digest"
"""Name in ``Dataset.params``: the digest of the file that training rows were read from."""

# The core names arguments; on the page these are boxes and lists.
_ADVICE: Final[Mapping[str, str]] = {
    "column": "choose other test points",
    "features": "choose some under Columns",
    "ids": "choose the column that names the rows",
    "label": "choose the column that holds it",
    "missing": "choose on the Data page what to do with them",
    "missing_labels": "fill them in, or leave those rows out",
    "encode": "choose another use for it under Columns",
    "one_hot": "leave them out, or choose another use for them under Columns",
    "ordered": "add it to the order",
    "ragged": "mend the file, choose another separator, or leave those rows out",
}
# Counted anew once rows were drawn and noise was added.
_SAID_LATER: Final[tuple[NoticeKind, ...]] = ("repeated rows", "untrained class")


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
    def offers(self) -> dict[str, Use]:
        """The columns that are left out and could be used, and what for."""
        return offers_of(self.table, self.choices)

    @cached_property
    def problems(self) -> Problems:
        """Missing and infinite cells of the columns in use."""
        return problems_of(self.table, self.choices)

    @property
    def question(self) -> StiknnError:
        """What is said of the missing values before they are used."""
        return missing_question(self.problems)

    @cached_property
    def spec(self) -> DataSpec:
        """The data set as it came, known by its content and all choices."""
        digest = hashlib.sha256(f"{self.file.digest}|{self.choices!r}".encode()).hexdigest()
        return DataSpec(source="upload", name=self.file.name, flip=0.0, digest=digest)


def split_of(
    upload: Upload, compute: ComputeSpec, test: ReadFile | None
) -> tuple[Dataset, Dataset | None]:
    """Return the training rows and, unless each is left out in turn, the test rows.

    Of ``compute`` only the ``split`` counts; the test file is needed for "test-file".
    """
    train, tested = _split(upload, compute, test)
    return replace(train, params={**train.params, FILE_DIGEST: upload.file.digest}), tested


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
                    raise FileError(
                        "There is no test file yet: add one, or choose other test points."
                    )
                return table.to_split(test=test.table, **options)
            case "split-column":
                return table.to_split(column=column or None, **options)
        return table.to_dataset(**options), None
    except StiknnError as error:
        if not error.option:
            raise
        raise type(error)(in_page_words(error)) from None


def joined(train: Dataset, test: Dataset | None) -> Dataset:
    """Return training rows, noise included, and test rows as one data set.

    It knows where the tests begin; without any it is ``train``.
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
        copy_of=np.concatenate([np.asarray(train.copy_of), np.full(test.n, -1)]),
        source_rows=read_from,
        test_from=train.n,
        notices=tuple(dict.fromkeys([*train.notices, *_kept(test.notices)])),
        votes=_votes(train, test),
    )


def _votes(train: Dataset, test: Dataset) -> Votes | None:
    first, second = train.votes, test.votes
    if first is None or second is None:
        return None
    return replace(first, said=np.vstack([first.said, second.said]))


def drawn(train: Dataset, test: Dataset | None, spec: DataSpec) -> tuple[Dataset, Dataset | None]:
    """Return the seeded sample that ``spec`` asks for, of either side at most so many rows."""
    if not spec.sample:
        return train, test
    return (
        sample_rows(train, spec.sample, spec.seed),
        None if test is None else sample_rows(test, spec.sample, spec.seed),
    )


def in_page_words(error: StiknnError) -> str:
    """Return what is wrong, with the advice of the page in place of a notebook's."""
    if isinstance(error, ChoiceError):
        return f"{error.problem}; choose one of {listed(error.choices)}."
    advice = _ADVICE.get(error.option)
    return f"{error.problem}; {advice}." if advice else str(error)


def _stacked(first: AnyArray, second: AnyArray) -> AnyArray:
    if first.dtype.kind == second.dtype.kind:
        return np.concatenate([first, second])
    both: list[Any] = [*first.tolist(), *second.tolist()]
    return np.array(both, dtype=object)


def _kept(notices: tuple[str, ...]) -> list[str]:
    return [
        said for said in notices if not isinstance(said, Notice) or said.kind not in _SAID_LATER
    ]

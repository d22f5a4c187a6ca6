"""What is remembered of one visitor's uploads between reruns; seen by nobody else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.files import ReadFile, Trouble
from stiknn_ui.uploads.line import Reading, Use


@dataclass
class UploadDesk:
    """One visitor's files.

    Attributes
    ----------
    upload : Upload or None
        The uploaded table that can be used.
    draft : Upload or None
        A table that was read, but of which something is asked before it can be used.
    question : Exception or None
        What is asked.
    answered : bool
        Whether what is chosen for the draft answers it, so that one press puts it to use.
    trouble : Trouble or None
        The last file, if it could not be read.
    test : ReadFile or None
        The test file.
    test_error : Exception or None
        Why the last test file was refused.
    wants_test : bool
        Test points from a file were chosen, and none is there yet.
    readings : dict
        Files that are being read; what is above stays until one has been.
    taken_on : str
        The page that the last file was taken on, once it had been read.
    told : str
        What became of a file, where the page that it was added on does not show it.
    built : dict
        The last few data sets made of the upload.
    """

    upload: Upload | None = None
    draft: Upload | None = None
    question: Exception | None = None
    answered: bool = False
    trouble: Trouble | None = None
    test: ReadFile | None = None
    test_error: Exception | None = None
    wants_test: bool = False
    readings: dict[Use, Reading] = field(default_factory=dict)
    taken_on: str = ""
    told: str = ""
    built: dict[Any, Any] = field(default_factory=dict)

    def left(self) -> None:
        """Let everyone who waits go first: the visitor's connection is lost."""
        for reading in self.readings.values():
            reading.job.look_away()

    def ended(self) -> None:
        """Let go of everything: the visit is over."""
        for reading in self.readings.values():
            reading.job.stop()

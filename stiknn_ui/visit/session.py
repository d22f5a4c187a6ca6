"""What is remembered of one visitor between reruns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.selection import Selection
from stiknn_ui.asked.spec import DataSpec, Source
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.compare.desk import CompareDesk
from stiknn_ui.learn.desk import Desk
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review.decisions import Record
from stiknn_ui.review.journal import Journal, Kept
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.files import ReadFile, Trouble
from stiknn_ui.work.jobs import Job


@dataclass
class Session:
    """Everything remembered for one visitor between reruns.

    Attributes
    ----------
    visitor : str
        Random text that tells this visitor from others; known to the server only.
    settings : Settings
        What the controls say.
    page : str
        The page that is open, by its slug.
    notice : str
        What was not understood in the link the visit began with.
    shown : Analysis or None
        The last finished result; it stays until the next one is there. One for each visitor,
        which their page holds on to whatever the shelf of results drops.
    job : Job or None
        The computation that runs, or the last one if it failed or was stopped.
    requested : str
        Key of the result that was asked for by pressing Compute.
    blocks : BlockDesk
        What is looked at of data with too many points for one matrix.
    compare : CompareDesk
        The second result on the page that compares two, and what is made of both.
    upload : Upload or None
        The uploaded table that can be used; kept for one visitor only.
    draft : Upload or None
        A table that was read, but of which something must be chosen before it can be used.
    draft_error : Exception or None
        What must be chosen.
    trouble : Trouble or None
        The last file, if it could not be read.
    test : ReadFile or None
        The test file.
    test_error : Exception or None
        Why the last test file was refused.
    wants_test : bool
        A test file was chosen as the judge, and none is there yet.
    built : dict
        The last few data sets made of the upload.
    scaling_chosen : bool
        Whether a person has chosen a scaling, so that no source may change it.
    space_chosen : bool
        Whether a person has chosen where neighbours are looked for, so that no page may.
    wanted : str
        Set from OpenML that was chosen but is not in use: it may have to be fetched first.
    fetching : Job or None
        The download this visitor waits for.
    fetch_error : Exception or None
        Why the last download failed.
    noise_before : DataSpec or None
        The data before all noise was removed, for taking that back.
    tab : Source or None
        Form that was opened without changing the data.
    kept : dict
        The last settings of each data source, for coming back to it.
    selections : dict
        Selections by scope: point ids mean nothing without it.
    newest_seq : int
        Highest selection number seen; later ones must exceed it.
    scopes : dict
        Scope that each view showed last.
    drawn_on : dict
        The page that drew each bound widget last, and when it first did, by the widget's key.
    looked_at : dict
        The point that was looked at closely last, by scope.
    hushed : set of str
        Examples of the gallery whose note was dismissed.
    review : str
        Token of the review that decisions are written to; empty until the first one.
    review_notice : str
        What a person should know about the review on the next draw.
    review_seen : Record
        The decisions as they were last read, which is how a person last saw them.
    review_fallback : Journal or None
        Keeps the decisions of this visit where they cannot be written to the disk.
    review_trouble : str
        Why they cannot.
    review_kept : Kept or None
        The upload that is kept with the review, because a person asked for it.
    review_about : str
        What is noted about the data of the review.
    cursor : dict
        The point in view of each review, by what is reviewed.
    thresholds : dict
        Where the line was drawn, by score and result.
    copies_together : bool
        Whether a decision about a point is one about all its copies.
    dialog : {"", "note", "bulk", "forget"}
        Which dialog of the review is open; meanwhile the keys of the page behind it rest.
    review_side : {"train", "test"}
        Whose labels are reviewed.
    reviewed_in : dict
        The point that a review selected last, by scope.
    learn : Desk or None
        What is on the Learn page; None before the first visit.
    """

    visitor: str = field(default_factory=lambda: uuid4().hex)
    settings: Settings = field(default_factory=Settings)
    page: str = "home"
    notice: str = ""
    shown: Analysis | None = None
    job: Job[Analysis] | None = None
    requested: str = ""
    blocks: BlockDesk = field(default_factory=BlockDesk)
    compare: CompareDesk = field(default_factory=CompareDesk)
    upload: Upload | None = None
    draft: Upload | None = None
    draft_error: Exception | None = None
    trouble: Trouble | None = None
    test: ReadFile | None = None
    test_error: Exception | None = None
    wants_test: bool = False
    built: dict[Any, Any] = field(default_factory=dict)
    scaling_chosen: bool = False
    space_chosen: bool = False
    wanted: str = ""
    fetching: Job[int] | None = None
    fetch_error: Exception | None = None
    noise_before: DataSpec | None = None
    tab: Source | None = None
    kept: dict[Source, DataSpec] = field(default_factory=dict)
    selections: dict[str, Selection] = field(default_factory=dict)
    newest_seq: int = 0
    scopes: dict[str, str] = field(default_factory=dict)
    drawn_on: dict[str, tuple[str, float]] = field(default_factory=dict)
    looked_at: dict[str, int] = field(default_factory=dict)
    hushed: set[str] = field(default_factory=set)
    review: str = ""
    review_notice: str = ""
    review_seen: Record = field(default_factory=Record)
    review_fallback: Journal | None = None
    review_trouble: str = ""
    review_kept: Kept | None = None
    review_about: str = ""
    cursor: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)
    copies_together: bool = True
    dialog: Literal["", "note", "bulk", "forget"] = ""
    review_side: Literal["train", "test"] = "train"
    reviewed_in: dict[str, str] = field(default_factory=dict)
    learn: Desk | None = None

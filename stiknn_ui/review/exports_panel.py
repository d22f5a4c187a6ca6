"""The buttons that take a review away: corrected data, suspects, changes, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.exporting import dataset_to_frame
from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.types import IntArray
from stiknn_ui.asked.spec import RankBy, ViewSpec
from stiknn_ui.page.download import download
from stiknn_ui.results import describe, drawing, exports, sharing
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import score_info
from stiknn_ui.review import desk, effect, effect_panel, report, report_figures, threshold
from stiknn_ui.review import exports as files
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.corrected import (
    FORMS,
    Form,
    as_in_file,
    corrected_data,
    corrected_file,
    forms_of,
)
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Key, Record
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.keys import Places
from stiknn_ui.review.label_studio import Shown, label_studio_tasks, shown_by
from stiknn_ui.review.subject import Subject
from stiknn_ui.review.target_effect import target_effect
from stiknn_ui.review.truth import hits_of
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import ReadFile
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_CSV: Final = "text/csv"
_JSON: Final = ("application/json", "json")


@dataclass(frozen=True)
class _File:
    label: str
    kind: str
    name: str
    make: Callable[[], bytes]
    mime: str = _CSV
    extension: str = "csv"


def downloads(subject: Subject, view: ViewSpec, by: RankBy, flags: Flags) -> None:
    """Offer what comes of the review; pressing a button changes nothing on the page.

    The suspects are those of the points in view, ranked by the score ``by``.
    """
    analysis, record = subject.analysis, desk.record()
    name = analysis.data.name
    tables = _tables(analysis, record)
    log = partial(files.changes_csv, record, _sources(analysis))
    report_of = _report(subject, view, by, flags, record)
    settings = _as_shown(analysis, view)[-1] | {"rank_by": by, "side": subject.side}
    found = (subject, by, desk.decided(analysis))
    tasks = partial(label_studio_tasks, *found, *_shown_rows(subject))
    offered = [
        *(tables or [_data_file(analysis)]),
        _File("Suspects (CSV)", "suspects", name, partial(files.suspects_csv, *found, settings)),
        _File(
            "Suspects (JSON)",
            "suspects-json",
            name,
            partial(files.suspects_json, *found, settings),
            *_JSON,
        ),
        # Its tasks ask for a choice among classes.
        *(
            [_File("Tasks for Label Studio (JSON)", "label-studio", name, tasks, *_JSON)]
            if subject.said is None
            else []
        ),
        _File("Changes (CSV)", "changes", name, log),
        _File("Report (HTML)", "report", name, report_of, "text/html", "html"),
    ]
    for file in offered:
        kind = file.kind.removesuffix(f"-{file.extension}")
        file_name = files.file_name(kind, file.name, file.extension)
        download(file.label, file.make, file_name, file.kind, mime=file.mime)
    st.caption(messages.plain(_told(analysis, upload=bool(tables))))


def _told(analysis: Result, *, upload: bool) -> str:
    if upload:
        return (
            "The corrected file holds every column and row of the upload, also those not in use "
            "here; only decided labels are changed and removed rows left out. A list of records "
            "in JSON keeps every other letter. CSV is in UTF-8, "
            "blanks around cells are gone, and cells that a spreadsheet would run as a formula "
            "have an apostrophe in front. Formats that hold numbers rather than text, such as "
            "ARFF or Excel, come out with their numbers written anew: 1 may become 1.0."
        )
    if analysis.data.source == "upload" and analysis.data.noisy:
        return (
            "Noise was added to these data on purpose, so decisions are about them and not about "
            "the upload: the corrected file holds the data as they are here."
        )
    return (
        "The corrected file holds the data as they are here; only decided labels are changed and "
        "removed rows left out."
    )


def _tables(analysis: Result, record: Record) -> list[_File]:
    """Return the corrected upload, and the test file's; empty unless keys are rows of them."""
    keys, label = review_kept.places_of(analysis), analysis.dataset.params.get("label")
    uploaded = state.desk(UploadDesk)
    if not _of_upload(analysis) or uploaded.upload is None:
        return []
    train = uploaded.upload.file
    asked = analysis.dataset.params.get("annotators")
    about = (str(label), asked, record)
    measured = analysis.dataset.measured
    key = keys[int(analysis.rows[0])]
    found = _table_files("data", "corrected", train, key, *about, measured=measured)
    test, start = uploaded.test, analysis.dataset.test_from
    test_file = analysis.compute.evaluation == "test-file"
    if test is None or start is None or not test_file:
        return found
    if test.digest == analysis.compute.test_digest:
        found += _table_files(
            "test file", "corrected-test", test, keys[start], *about, measured=measured
        )
    return found


def _table_files(
    what: str,
    kind: str,
    file: ReadFile,
    key: Key,
    column: str,
    annotators: Mapping[str, Any] | None,
    record: Record,
    *,
    measured: bool,
) -> list[_File]:
    def make(form: Form) -> bytes:
        decisions = files.decisions_for(record.decisions, key[0])
        if measured:
            decisions = as_in_file(file.table, column, decisions)
        return corrected_file(file, column, decisions, form, annotators)

    return [
        _File(
            f"Corrected {what} ({FORMS[form].name})",
            kind if form == "csv" else f"{kind}-{form}",
            file.name,
            partial(make, form),
            FORMS[form].mime,
            form,
        )
        for form in forms_of(file.table)
    ]


def _shown_rows(subject: Subject) -> tuple[tuple[pd.DataFrame, IntArray], Shown]:
    """Return the table that points are rows of, those rows, and what a person sees of them.

    It is the uploaded table where decisions are about its rows. Vectors are left out: there is
    nothing to see in them.
    """
    analysis = subject.analysis
    shown = shown_by(analysis.dataset)
    file = _file_of(subject)
    if file is None:
        return (dataset_to_frame(analysis.dataset), subject.rows), shown
    places = review_kept.places_of(analysis)
    frame = file.table.frame.drop(columns=list(file.table.vectors))
    return (frame, places.row_of[subject.rows]), shown


def _file_of(subject: Subject) -> ReadFile | None:
    """Return the file that points are rows of; None where they are rows of no file."""
    analysis, uploaded = subject.analysis, state.desk(UploadDesk)
    if not _of_upload(analysis) or uploaded.upload is None:
        return None
    if subject.side == "train" or analysis.compute.evaluation != "test-file":
        return uploaded.upload.file
    test = uploaded.test
    return test if test is not None and test.digest == analysis.compute.test_digest else None


def _of_upload(analysis: Result) -> bool:
    """Tell whether rows of the data are rows of the upload that is there now."""
    data, upload = analysis.data, state.desk(UploadDesk).upload
    if data.source != "upload" or data.noisy or upload is None:
        return False
    return analysis.dataset.params.get("label") is not None and upload.spec.digest == data.digest


def _data_file(analysis: Result) -> _File:
    labels, removed = desk.corrected(analysis)
    make = partial(corrected_data, analysis.dataset, labels, removed)
    return _File("Corrected data (CSV)", "corrected", analysis.data.name, make)


def _as_shown(
    analysis: Result, view: ViewSpec
) -> tuple[Plane, Order, dict[str, str | int | float]]:
    """Return plane and order of the pictures, and all settings by name."""
    drawn = drawing.drawn_of(analysis, view.plane)
    order = Order(np.arange(analysis.n), "input", "Input order")
    if isinstance(analysis, Analysis):
        order = drawing.order_of(analysis, view.order, drawn)
    return drawn.plane, order, exports.settings_of(analysis, order, drawn.plane)


def _sources(analysis: Result) -> frozenset[str]:
    return frozenset(review_kept.places_of(analysis).sources)


def _report(
    subject: Subject, view: ViewSpec, by: RankBy, flags: Flags, record: Record
) -> Callable[[], bytes]:
    """Return what makes the report, with all it needs of this visit taken now."""
    analysis, sources = subject.analysis, _sources(subject.analysis)
    labels, removed = desk.corrected(analysis)
    found = effect_panel.known(analysis, labels, removed)
    plane, _, settings = _as_shown(analysis, view)
    settings |= {"rank_by": by, "threshold": flags.threshold, "side": subject.side}
    decided, places = desk.decided(analysis), review_kept.places_of(analysis)

    def make() -> bytes:
        told = []
        if found is not None:
            told = [effect.measured_on(found, analysis), *effect.sentences(found, analysis)]
        if analysis.dataset.measured and effect.n_changed(analysis, labels, removed) != (0, 0):
            told = [target_effect(analysis, labels, removed)]
        scores, title = subject.scores[by], score_info(analysis, by).title
        dots = report_figures.drawn_points(analysis, labels, removed)
        some = "" if len(dots) == analysis.n else f", {len(dots):,} of {analysis.n:,}"
        scatter = report_figures.scatter_of(analysis, plane, labels, removed, dots)
        figures = [
            (f"Training points{some}", scatter),
            (
                f"Distribution of {title}",
                report_figures.for_report(threshold.histogram_of(scores, flags, title), 300),
            ),
        ]
        return report.build_report(
            title=analysis.data.name,
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            summary=_summary(subject, by, flags, record, decided, places),
            effect=told,
            effect_table=None if found is None else effect.effect_table(found.effect),
            figures=figures,
            view=sharing.scene_of(analysis, view) if isinstance(analysis, Analysis) else None,
            changes=files.changes_table(record, sources),
            settings=settings,
        )

    return make


def _summary(
    subject: Subject, by: RankBy, flags: Flags, record: Record, decided: Decided, places: Places
) -> list[str]:
    analysis, scores = subject.analysis, subject.scores[by]
    ranked = score_info(analysis, by)
    told = [
        describe.data_line(analysis.data, analysis.dataset),
        describe.compute_line(analysis.compute, analysis.k, analysis.given),
        f"{ranked.title}: {ranked.meaning}",
        threshold.count_line(scores, flags),
        report.decisions_line(decided.values()),
    ]
    keys = [key for key in record.decisions if key[0] in places.sources]
    away = len(keys) - len(set(places.find(keys)[0].tolist()))
    if away:
        told.append(f"{away:,} more concern rows that are not in use here.")
    if analysis.truth_known:
        told.append(f"Truth known: {hits_of(flags.of(scores), subject.wrong).sentence}")
    return told

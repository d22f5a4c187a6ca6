"""What a card of the review gives to read and to look at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.contents import MOST_SHOWN, Contents, columns_of
from stiknn_ui.results.pixels import range_of
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import payload
from stiknn_ui.review.subject import Subject, training_points
from stiknn_ui.uploads.build import Upload, split_of
from stiknn_ui.uploads.files import read_file
from tests.ui.row_contents import LONG, MARKUP, messages, shapes, with_pictures
from tests.ui.view_bytes import unpack


def reviewed(upload: Upload) -> tuple[Subject, Contents]:
    dataset, _ = split_of(upload, ComputeSpec(), None)
    analysis = analyse(dataset, upload.spec, ComputeSpec())
    held = Contents(dataset, columns_of(upload.table, upload.uses), upload.table)
    return subject_of(analysis), held


def subject_of(analysis: Analysis) -> Subject:
    return training_points(analysis, scores_of(analysis))


@pytest.fixture(scope="module")
def texts() -> tuple[Subject, Contents]:
    return reviewed(Upload(read_file("messages.csv", messages())))


def test_a_card_has_its_text_and_those_of_its_nearest(texts: tuple[Subject, Contents]) -> None:
    subject, held = texts
    plane = subject.analysis.plane
    header, _ = unpack(payload.points(subject, plane, held))
    assert (header["texts"], header["pictures"], header["pixelated"]) == (True, False, False)
    asked = np.array([2, 4, 5])
    window, _ = unpack(payload.window(subject, plane, asked, "", None, held))
    near, _ = subject.nearest(asked)
    for told, point, around in zip(window["texts"], asked, near, strict=True):
        assert "".join(told["text"]) == held.texts([point])[0]
        for pieces, one in zip(told["near"], around, strict=True):
            assert "".join(pieces)[:200] == " ".join(held.texts([one])[0].split())[:200]
    own = window["texts"][0]
    assert "".join(own["text"]) == MARKUP
    assert {word.lower() for word in own["text"][1::2]} == {"free", "money", "prize"}
    for pieces in own["near"]:
        assert {word.lower() for word in pieces[1::2]} <= {"free", "money", "prize"}


def test_a_long_text_comes_whole_when_somebody_asks(texts: tuple[Subject, Contents]) -> None:
    subject, held = texts
    plane, asked = subject.analysis.plane, np.array([3])
    (told,) = unpack(payload.window(subject, plane, asked, "", None, held))[0]["texts"]
    whole = LONG.strip()
    assert "".join(told["text"]) == whole[:MOST_SHOWN]
    assert (told["letters"], told["cut"]) == (len(whole), True)
    (told,) = unpack(payload.window(subject, plane, asked, "", None, held, whole=True))[0]["texts"]
    assert "".join(told["text"]) == whole
    assert not told["cut"]


def test_a_card_has_its_picture_and_those_of_its_nearest() -> None:
    file = read_file("shapes.csv", shapes())
    subject, held = reviewed(Upload(replace(file, table=with_pictures(file.table))))
    asked = np.array([7, 29, 8])
    header, arrays = unpack(payload.window(subject, subject.analysis.plane, asked, "", None, held))
    assert header["texts"] is None
    near, _ = subject.nearest(asked)
    places = arrays["pictureOf"].reshape(3, -1)
    ends = [0, *arrays["pictureEnds"].tolist()]
    files = arrays["pictureBytes"].tobytes()
    for line, point, around in zip(places, asked, near, strict=True):
        sent = [files[ends[place] : ends[place + 1]] for place in line]
        assert sent == held.thumbnails([point, *around])
    assert len(ends) - 1 == len(np.unique([*asked, *near.ravel()])), "each is sent once"


def test_pixels_are_pictures_too_and_windows_of_them_are_smaller() -> None:
    spec = DataSpec(source="bundled", name="digits", flip=0.1, sample=120)
    subject = subject_of(analyse(build(spec), spec, ComputeSpec()))
    dataset = subject.analysis.dataset
    held = Contents(dataset, pixels=range_of(dataset))
    header, _ = unpack(payload.points(subject, subject.analysis.plane, held))
    assert (header["texts"], header["pictures"], header["pixelated"]) == (False, True, True)
    assert payload.affordable(subject, held) == 16 < payload.affordable(subject)


def test_rows_without_texts_and_pictures_send_none(texts: tuple[Subject, Contents]) -> None:
    subject, held = texts
    nothing = Contents(held.dataset)
    plane, asked = subject.analysis.plane, np.array([3])
    for contents in (None, nothing):
        header, arrays = unpack(payload.window(subject, plane, asked, "", None, contents))
        assert header["texts"] is None
        assert "pictureOf" not in arrays
        assert not unpack(payload.points(subject, plane, contents))[0]["texts"]

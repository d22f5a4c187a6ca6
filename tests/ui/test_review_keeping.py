"""Uploads are kept when a person asks, and come back as they were."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stiknn_core.tables import TextSettings
from stiknn_ui.asked import links
from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ViewSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.review import desk, files, home, keeping
from stiknn_ui.review.about import About
from stiknn_ui.review.decisions import Decision, ReviewError
from stiknn_ui.review.journal import Journal, StoredUpload
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.uploads import session as uploads
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import read_file
from stiknn_ui.visit import state
from stiknn_ui.visit.state import Session

ROWS = [f"P{i:02d};{i % 7},5;{['lo', 'mid', 'hi'][i % 3]};{'ab'[i % 2]}" for i in range(40)]
CSV = "\n".join(["id;u;size;label", *ROWS]).encode("utf-16")
TEST = b"id;u;size;label\nT1;1,5;lo;a\nT2;2,5;hi;b\n"
CHOICES = Choices(
    label="label",
    ids="id",
    uses=(("size", "ordered"),),
    orders=(("size", ("lo", "mid", "hi")),),
    missing="impute",
    extent="all",
    text=TextSettings(components=7),
    measured=False,
)


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Return a function that begins a visit, with a link's parameters."""
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "home"))

    def begin(**params: str) -> Session:
        parsed = links.parse(params)
        here = Session(settings=parsed.settings, notice=parsed.notice)
        monkeypatch.setattr(state, "session", lambda: here)
        if parsed.review:
            keeping.arrive(parsed.review, params)
        return here

    return begin


def upload_all(here: Session) -> None:
    """Upload both files, choose something everywhere, and decide on two rows."""
    uploads.receive("mine.csv", CSV)
    uploads.read_again("missing_words", ("none", "-"))
    uploads.choose(CHOICES)
    uploads.receive_test("test.csv", TEST)
    state.change("data", flip=0.0, sample=30, seed=5)
    state.change("compute", k=3, scaling="robust")
    state.change("view", order="value", plane="columns:u,size")
    here.chosen.add("compute.scaling")
    assert here.settings.compute.evaluation == "test-file"
    assert here.desk(UploadDesk).upload is not None
    analysis = current()
    desk.decide(desk.changes_of(analysis, {0: Decision("keep"), 30: Decision("remove")}))
    assert here.desk(ReviewDesk).token


def kept_names() -> tuple[str, ...]:
    """Return the names of the files that stand in the file of decisions."""
    journal = desk.journal()
    assert journal is not None
    stored = journal.stored_upload(state.desk(ReviewDesk).token)
    return () if stored is None else tuple(file.name for file in stored.files)


def current() -> Analysis:
    settings = state.settings()
    return analyse(uploads.dataset(), settings.data, settings.compute)


def test_nothing_of_an_upload_is_kept_unasked(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.sync()
    assert not keeping.kept()
    assert kept_names() == ()
    Journal(home.database_path()).close()
    written = b"".join(path.read_bytes() for path in home.stiknn_home().iterdir())
    assert CSV[100:200] not in written
    assert b"P17" not in written, "a row nobody decided on"


def test_a_kept_upload_is_in_use_at_once(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    assert keeping.keep()
    assert keeping.kept()
    assert kept_names() == ("mine.csv", "test.csv")
    before = uploads.dataset()
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.desk(ReviewDesk).notice == ""
    assert found.settings == here.settings
    assert "compute.scaling" in found.chosen
    assert found.desk(UploadDesk).upload is not None
    assert found.desk(UploadDesk).upload.choices == CHOICES
    assert found.desk(UploadDesk).upload.file.digest == here.desk(UploadDesk).upload.file.digest  # type: ignore[union-attr]
    assert found.desk(UploadDesk).upload.file.content == CSV
    after = uploads.dataset()
    np.testing.assert_array_equal(after.X, before.X)
    np.testing.assert_array_equal(after.y, before.y)
    analysis = current()
    assert desk.decided(analysis) == {0: Decision("keep"), 30: Decision("remove")}
    assert keeping.kept()
    assert desk.awaited() == ""


def test_later_choices_and_settings_are_kept_too(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    state.change("compute", k=2, evaluation="leave-one-out")
    uploads.choose(dataclasses.replace(CHOICES, uses=(("size", "ignored"),), orders=()))
    keeping.sync()
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.settings == here.settings
    assert found.settings.compute.k == 2
    assert found.desk(UploadDesk).upload.uses["size"] == "ignored"  # type: ignore[union-attr]


def test_what_the_link_says_comes_before_what_was_kept(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    found = visit(review=here.desk(ReviewDesk).token, k="4", order="class")
    assert found.settings.compute == dataclasses.replace(here.settings.compute, k=4)
    assert found.settings.data.source == "upload"
    found = visit(review=here.desk(ReviewDesk).token, dataset="moons")
    assert found.settings.data.name == "moons"
    assert found.desk(UploadDesk).upload is not None
    assert found.kept["upload"] == here.settings.data


def test_the_data_looked_at_last_are_opened(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    state.use_data(DataSpec(name="moons", n=40))
    desk.decide(desk.changes_of(public(), {1: Decision("skip")}))
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.settings.data.name == "moons"
    assert found.desk(UploadDesk).upload is not None


def public() -> Analysis:
    settings = state.settings()
    return analyse(build(settings.data), settings.data, settings.compute)


def test_without_the_file_its_name_is_told_and_uploading_it_brings_all_back(
    visit: Callable[..., Session],
) -> None:
    here = visit()
    upload_all(here)
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.desk(UploadDesk).upload is None
    sentence = desk.awaited()
    assert "'mine.csv' with 40 rows" in sentence
    assert "label column 'label'" in sentence
    uploads.receive("renamed.csv", CSV)
    uploads.read_again("missing_words", ("none", "-"))
    uploads.choose(Choices(label="size", ids="id"))
    assert "choose it on the Data page" in desk.awaited()
    uploads.choose(Choices(label="label", ids="id"))
    assert desk.awaited() == ""
    state.use_data(DataSpec())
    assert desk.awaited() == "", "the file is here, whatever is looked at"
    state.use_data(here_again(found))
    analysis = current()
    assert desk.decided(analysis)[0] == Decision("keep")


def here_again(session: Session) -> DataSpec:
    return session.kept["upload"]


def test_another_file_is_not_kept_in_its_place(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    uploads.receive("other.csv", b"u,label\n1,a\n2,b\n3,a\n4,b\n5,a\n")
    keeping.sync()
    assert not keeping.kept()
    assert kept_names() == ("mine.csv", "test.csv")
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.desk(UploadDesk).upload is not None
    assert found.desk(UploadDesk).upload.file.name == "mine.csv"
    assert found.desk(UploadDesk).upload.choices == CHOICES


def test_kept_files_can_be_dropped_and_forgotten(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    assert keeping.drop()
    assert not keeping.kept()
    assert visit(review=here.desk(ReviewDesk).token).desk(UploadDesk).upload is None
    here = visit()
    upload_all(here)
    keeping.keep()
    token = here.desk(ReviewDesk).token
    desk.forget()
    assert kept_names() == ()
    found = visit(review=token)
    assert found.desk(UploadDesk).upload is None
    assert "not there any more" in found.desk(ReviewDesk).notice


def test_keeping_needs_no_decision_first(visit: Callable[..., Session]) -> None:
    here = visit()
    assert not keeping.keep(), "there is nothing to keep"
    assert here.desk(ReviewDesk).token == ""
    uploads.receive("mine.csv", CSV)
    assert keeping.keep()
    assert visit(review=here.desk(ReviewDesk).token).desk(UploadDesk).upload is not None


def test_what_cannot_be_understood_is_one_sentence(visit: Callable[..., Session]) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    Journal(home.database_path()).keep_settings(here.desk(ReviewDesk).token, '{"choices": 5}')
    found = visit(review=here.desk(ReviewDesk).token)
    assert "another version of this app: upload it again" in found.desk(ReviewDesk).notice
    assert found.desk(UploadDesk).upload is None
    assert desk.record().decisions


def test_a_file_that_needs_a_choice_by_now_becomes_the_draft(
    visit: Callable[..., Session],
) -> None:
    here = visit()
    upload_all(here)
    keeping.keep()
    told = json.loads(here.desk(ReviewDesk).kept.settings)  # type: ignore[union-attr]
    told["choices"] |= {"label": None, "uses": [[name, "ignored"] for name in ("u", "size")]}
    Journal(home.database_path()).keep_settings(here.desk(ReviewDesk).token, json.dumps(told))
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.desk(UploadDesk).upload is None
    assert found.desk(UploadDesk).draft is not None
    assert "needs a choice on the Data page" in found.desk(ReviewDesk).notice


def test_every_setting_survives_json() -> None:
    upload = Upload(read_file("mine.csv", CSV, {"missing_words": ("x", "y"), "header": 0}), CHOICES)
    test = read_file("t.csv", TEST)
    settings = Settings(
        DataSpec("upload", "mine.csv", 77, 0.7, 7, 7, 0.7, 0.27, "nearest", 0.17, 0.37, 0.57,
                 "a", "b", "c", 47, upload.spec.digest),
        ComputeSpec(7, "BII", "cosine", "index", "test-file", 0.47, 17, "robust", "forest",
                    "t.csv", test.digest, "x", "rbf", 0.7),
        ViewSpec("value", "quality", 0.77, True, "row", "tsne", 7, "sweep", True),
    )  # fmt: skip
    for spec in (settings.data, settings.compute, settings.view, CHOICES):
        usual = type(spec)()
        same = [
            f.name
            for f in dataclasses.fields(spec)
            if getattr(spec, f.name) == getattr(usual, f.name) and f.name != "truth"
        ]
        assert not same, "a field at its default shows nothing"
    stored = StoredUpload(
        (files.stored_file("data", upload.file), files.stored_file("test", test)),
        files.settings_text(upload, settings, True),
    )
    found = files.restored(stored)
    assert found.settings == settings
    assert found.upload.choices == CHOICES
    assert found.upload.spec == upload.spec
    assert found.test is not None
    assert found.test.digest == test.digest
    assert found.scaling_chosen


def test_how_texts_become_features_survives_a_restart(visit: Callable[..., Session]) -> None:
    here = visit()
    words = ["parcel", "money", "parcel", "refund", "street", "card", "lost", "wrong"]
    lines = [f"where is my {word} number {n} now,{n},{'ab'[n % 2]}"
             for n in range(4) for word in words]  # fmt: skip
    uploads.receive("mail.csv", "\n".join(["text,n,label", *lines]).encode())
    chosen = Choices(extent="all", text=TextSettings(characters=False, components=3))
    uploads.choose(chosen)
    state.change("data", flip=0.0)
    before = uploads.dataset()
    assert before.feature_names == ("text: 1", "text: 2", "text: 3", "n")
    made = {0: Decision("keep"), 5: Decision("remove")}
    desk.decide(desk.changes_of(current(), made))
    keeping.keep()
    desk.journal().close()
    found = visit(review=here.desk(ReviewDesk).token)
    assert found.desk(ReviewDesk).notice == ""
    upload = found.desk(UploadDesk).upload
    assert upload is not None
    assert upload.choices == chosen
    after = uploads.dataset()
    np.testing.assert_array_equal(after.X, before.X)
    assert after.params["file_digest"] == before.params["file_digest"]
    assert desk.decided(current()) == made


def test_files_kept_before_there_were_texts_are_read() -> None:
    upload = Upload(read_file("mine.csv", CSV), CHOICES)
    told = json.loads(files.settings_text(upload, Settings(), False))
    kept = StoredUpload((files.stored_file("data", upload.file),), json.dumps(told))
    del told["choices"]["extent"], told["choices"]["text"]
    older = dataclasses.replace(kept, settings=json.dumps(told))
    usual = dataclasses.replace(CHOICES, extent="proposed", text=TextSettings())
    assert files.restored(older).upload.choices == usual
    for text in ({"components": 0}, {"words": "yes"}, {"words": False, "characters": False}, 5):
        told["choices"]["text"] = text
        with pytest.raises(ReviewError, match="upload it again"):
            files.restored(dataclasses.replace(kept, settings=json.dumps(told)))


def test_a_kept_file_names_no_folder_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = dataclasses.replace(CHOICES, text=TextSettings(model="/etc"))
    upload = Upload(read_file("mine.csv", CSV), chosen)
    kept = StoredUpload(
        (files.stored_file("data", upload.file),), files.settings_text(upload, Settings(), False)
    )
    monkeypatch.delenv("STIKNN_TEXT_MODEL", raising=False)
    assert files.restored(kept).upload.choices.text.model is None
    monkeypatch.setenv("STIKNN_TEXT_MODEL", str(tmp_path))
    assert files.restored(kept).upload.choices.text.model == str(tmp_path)


def test_a_setting_of_another_version_has_its_default() -> None:
    upload = Upload(read_file("mine.csv", CSV), CHOICES)
    told = json.loads(files.settings_text(upload, Settings(), False))
    told["compute"] |= {"k": "many", "index": "XII", "unknown": 1, "share": 1}
    stored = StoredUpload((files.stored_file("data", upload.file),), json.dumps(told))
    assert files.restored(stored).settings.compute == ComputeSpec(share=1)
    told["choices"]["missing"] = "explode"
    with pytest.raises(ReviewError, match="upload it again"):
        files.restored(dataclasses.replace(stored, settings=json.dumps(told)))


@pytest.mark.parametrize("text", ["", "[]", "{}", "5", '{"source": 5}', '{"source": "a", "b": 1}'])
def test_a_note_that_is_none_is_left_alone(text: str) -> None:
    assert About.from_json(text) is None

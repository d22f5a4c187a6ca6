"""Words, dates and texts of an upload: what is used by itself, and what by one click."""

from __future__ import annotations

from pathlib import Path

import pytest

from stiknn_core.tables import TextSettings
from stiknn_ui.uploads.desk import UploadDesk
from tests.ui.upload_pages import go, open_form, session, upload, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

MIXED = "\n".join(
    [
        "x,hue,open,note,when,kind",
        *(
            f"{n},{('red', 'blue', 'green')[n % 3]},{n % 2 == 0},note {n % 39} is long,"
            f"2024-01-{n % 28 + 1:02d},{'ab'[n // 20]}"
            for n in range(40)
        ),
    ]
).encode()


def test_all_columns_and_only_the_numbers_are_one_click_each() -> None:
    at = upload(open_form(), "mixed.csv", MIXED)
    assert "Could be used too: note and when." in words(at)
    assert "40 rows, 5 features" in words(at)
    at.button(key="use-all").click().run()
    assert "Could be used too" not in words(at)
    assert "Text: 100 components of words and characters." in words(at)
    everything = session(at).desk(UploadDesk).upload
    assert everything is not None
    assert everything.uses == {
        "x": "number", "hue": "one-hot", "open": "one-hot", "note": "text", "when": "date",
        "kind": "label",
    }  # fmt: skip
    at.button(key="use-numbers").click().run()
    assert "40 rows, 1 feature" in words(at)
    assert "Could be used too: hue, open, note and when." in words(at)
    assert "use-numbers" not in {one.key for one in at.button}
    at.button(key="use-all").click().run()
    assert session(at).desk(UploadDesk).upload.uses == everything.uses
    # Left out by a person is no oversight.
    at.text_input(key="columns-find").set_value("when").run()
    at.selectbox(key="columns-all-use").select("ignored").run()
    at.button(key="columns-apply").click().run()
    assert "Could be used too" not in words(at)


TEXTS = "\n".join(
    [
        "text,label",
        *(
            f"{('cheap pills, buy now', 'see you at noon today')[n % 2]} no {n},"
            f"{'ab'[n % 2]}".replace(", ", " ")
            for n in range(30)
        ),
    ]
).encode()


def test_texts_alone_are_used_and_how_can_be_changed() -> None:
    at = upload(open_form(), "texts.csv", TEXTS)
    assert "30 rows, 30 features" in words(at)
    assert "Text: 100 components of words and characters." in words(at)
    at.number_input(key="text-components").set_value(7).run()
    assert "30 rows, 7 features" in words(at)
    at.segmented_control(key="text-terms").set_value("words").run()
    assert "Text: 7 components of words." in words(at)
    chosen = session(at).desk(UploadDesk).upload
    assert chosen is not None
    assert chosen.choices.text == TextSettings(characters=False, components=7)
    assert "text-model" not in {one.key for one in at.toggle}
    go(at, "suspects")
    go(at, "data")
    assert "Text: 7 components of words." in words(at)


def test_a_sentence_model_is_named_by_the_server_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STIKNN_TEXT_MODEL", str(tmp_path))
    at = upload(open_form(), "texts.csv", TEXTS)
    at.toggle(key="text-model").set_value(True).run()
    assert "Text: vectors of this server's sentence model." in words(at)
    assert "holds no model of model2vec" in words(at)
    at.toggle(key="text-model").set_value(False).run()
    assert "30 rows, 30 features" in words(at)

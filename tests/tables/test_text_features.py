from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, MissingExtraError, ParameterError
from stiknn_core.tables import Table, TextSettings, read_table
from stiknn_core.types import Block

OFFERS = ["cheap offer, win money now", "win a free prize today", "buy cheap pills online now"]
NEWS = ["meeting at noon about the report", "the report is on your desk", "lunch at noon today"]


def texts(n: int = 40) -> Table:
    rng = np.random.default_rng(0)
    lines = []
    for row in range(n):
        words = rng.permutation((OFFERS, NEWS)[row % 2][row % 3].split())
        lines.append(f'"{" ".join(words)} {row}",{"ab"[row % 2]}')
    return read_table("\n".join(["text,label", *lines]).encode())


def of(*cells: str) -> Table:
    lines = [f'"{cell}",{"ab"[row % 2]}' for row, cell in enumerate(cells)]
    return read_table("\n".join(["text,label", *lines]).encode())


def test_texts_alone_become_one_block_of_unit_rows() -> None:
    dataset = texts().to_dataset(text=TextSettings(components=10))
    assert dataset.blocks == (Block("text", "text", 0, 10),)
    assert dataset.feature_names[::9] == ("text: 1", "text: 10")
    np.testing.assert_allclose(np.linalg.norm(dataset.X, axis=1), 1)
    assert dataset.params["encode"] == {"text": "text"}
    assert dataset.params["text"] == {
        "words": True, "characters": True, "components": 10, "model": None,
    }  # fmt: skip
    likeness = dataset.X @ dataset.X.T - 2 * np.eye(dataset.n)
    assert (dataset.y[likeness.argmax(axis=1)] == dataset.y).all()


def test_the_same_texts_give_the_same_numbers() -> None:
    first, again = (texts().to_dataset().X for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_components_are_fewer_where_rows_are_few() -> None:
    assert texts(8).to_dataset().X.shape == (8, 8)


def test_only_training_rows_are_learned_from() -> None:
    table, words = texts(), TextSettings(characters=False)
    other = read_table(b"text,label\nwin a free prize today,a\nzebra quagga okapi,b\nwin quagga,a")
    train, test = table.to_split(test=other, text=words)
    np.testing.assert_array_equal(train.X, table.to_dataset(text=words).X)
    assert train.y[(train.X @ test.X[0]).argmax()] == "a"
    # Of a text without any known term nothing is known: as near to all as they are on the whole.
    middle = train.X.mean(axis=0)
    np.testing.assert_allclose(test.X[1], middle / np.linalg.norm(middle))


def test_missing_texts_are_refused_left_out_or_empty() -> None:
    cells = [*OFFERS, *NEWS, "NA", ""]
    table = of(*cells)
    with pytest.raises(FeatureError, match=r"2 values missing \('text': 2\)"):
        table.to_dataset(encode={"text": "text"})
    assert table.to_dataset(encode={"text": "text"}, missing="drop_rows").n == 6
    filled = table.to_dataset(
        features=["text"], encode={"text": "text"}, missing="impute", label="label"
    )
    assert filled.n == 6  # a row without any feature is no row


def test_an_empty_text_beside_other_features_is_as_far_from_all_others() -> None:
    cells = [*OFFERS, *NEWS, "", ""]
    lines = [f'{row}.5,"{cell}",{"ab"[row % 2]}' for row, cell in enumerate(cells)]
    table = read_table("\n".join(["x,text,label", *lines]).encode())
    dataset = table.to_dataset(encode={"text": "text"}, missing="impute")
    (block,) = dataset.blocks
    assert dataset.feature_names[block.stop - 1] == "text: nothing known"
    X = dataset.X[:, block.start : block.stop]
    np.testing.assert_allclose(X @ X[-1], [0] * 6 + [1] * 2, atol=1e-12)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["NA"] * 8, "is empty; leave it out"),
        (["the same old text"] * 8, "the same text in every training row"),
    ],
)
def test_texts_that_tell_nothing_are_refused(cells: list[str], said: str) -> None:
    lines = [f'{row}.5,"{cell}",{"ab"[row % 2]}' for row, cell in enumerate(cells)]
    table = read_table("\n".join(["x,text,label", *lines]).encode())
    with pytest.raises(FeatureError, match=said) as refused:
        table.to_dataset(features=["x", "text"], encode={"text": "text"}, missing="impute")
    assert str(refused.value).count(".") == 1


def test_terms_of_one_text_count_where_no_others_tell_texts_apart() -> None:
    table = of(*(f"see you at noon {row}" for row in range(8)))
    dataset = table.to_dataset(encode={"text": "text"}, text=TextSettings(characters=False))
    assert len(np.unique(dataset.X.round(6), axis=0)) == 8
    with pytest.raises(FeatureError, match="No word tells the texts"):
        of(*("Same Text", "same text") * 4).to_dataset(encode={"text": "text"})


def test_texts_that_no_training_row_has_are_refused() -> None:
    sides = [("", "train")] * 4 + [("only here", "test")] * 4
    lines = [f"{row}.5,{text} {row},{'ab'[row % 2]},{side}" if text else f"1,,{'ab'[row % 2]},train"
             for row, (text, side) in enumerate(sides)]  # fmt: skip
    table = read_table("\n".join(["x,text,label,split", *lines]).encode())
    with pytest.raises(FeatureError, match="All texts in column 'text' are empty; leave it out"):
        table.to_split(encode={"text": "text"}, missing="impute")


def test_texts_of_marks_alone_need_characters() -> None:
    table = of("!!! ???", "?! !?", ":-) :-(", "... ---", "*** +++", "<<< >>>")
    with pytest.raises(FeatureError, match=r"No word tells the texts.*; count characters too"):
        table.to_dataset(encode={"text": "text"}, text=TextSettings(characters=False))
    assert table.to_dataset(encode={"text": "text"}).X.shape[0] == 6


@pytest.mark.parametrize("settings", [{"words": False}, {"characters": False}])
def test_words_or_characters_alone(settings: dict[str, bool]) -> None:
    both = texts().to_dataset().X
    alone = texts().to_dataset(text=TextSettings(**settings)).X
    assert alone.shape == both.shape
    assert not np.allclose(alone @ alone.T, both @ both.T)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"words": False, "characters": False}, "words=True, characters=True or both"),
        ({"components": 0}, "from 1 to 500; got 0"),
        ({"components": 2.5}, "from 1 to 500; got 2.5"),
        ({"components": True}, "from 1 to 500; got True"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        TextSettings(**settings)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"text must be TextSettings"):
        texts().to_dataset(text={"words": True})  # type: ignore[arg-type]


def test_several_columns_of_texts_are_a_block_each() -> None:
    lines = [f'"{OFFERS[i % 3]} {i}","{NEWS[i % 3]} {i * 7}",{"ab"[i % 2]}' for i in range(12)]
    table = read_table("\n".join(["title,body,label", *lines]).encode())
    dataset = table.to_dataset()
    assert [(block.column, block.kind) for block in dataset.blocks] == [
        ("title", "text"),
        ("body", "text"),
    ]


def test_long_columns_are_learned_from_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from stiknn_core.tables.building import texts as building

    monkeypatch.setattr(building, "_LETTERS_LEARNED_FROM", 300)
    monkeypatch.setattr(building, "_ROWS_AT_ONCE", 7)
    dataset = texts(60).to_dataset()
    assert dataset.n == 60
    assert dataset.X.shape[1] < 60
    np.testing.assert_allclose(np.linalg.norm(dataset.X, axis=1), 1)


# --- a model of sentences ----------------------------------------------------------------
@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = sorted({word for text in (*OFFERS, *NEWS) for word in text.replace(",", "").split()})
    tokenizer = Tokenizer(
        models.WordLevel({word: place for place, word in enumerate(["[UNK]", *words])}, "[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    vectors = np.random.default_rng(0).normal(size=(len(words) + 1, 6)).astype(np.float32)
    folder = tmp_path_factory.mktemp("model") / "small"
    StaticModel(vectors, tokenizer).save_pretrained(str(folder))
    return folder


def test_a_model_in_a_folder_takes_the_place_of_terms(model_folder: Path) -> None:
    dataset = texts().to_dataset(text=TextSettings(model=str(model_folder)))
    assert dataset.X.shape == (40, 6)
    assert dataset.blocks == (Block("text", "text", 0, 6),)
    np.testing.assert_allclose(np.linalg.norm(dataset.X, axis=1), 1)
    assert dataset.params["text"]["model"] == str(model_folder)


def test_what_is_no_folder_is_never_looked_for_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(FeatureError, match="There is no folder 'minishlab/potion-base-8M'"):
        texts().to_dataset(text=TextSettings(model="minishlab/potion-base-8M"))
    with pytest.raises(FeatureError, match=r"holds no model of model2vec; expected model\.safe"):
        texts().to_dataset(text=TextSettings(model=str(tmp_path)))
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(FeatureError, match="cannot be read"):
        texts().to_dataset(text=TextSettings(model=str(tmp_path)))


def test_a_model_needs_its_extra(model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stiknn_core.validation import extras

    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"model2vec.*stiknn-explorer\[texts\]"):
        texts().to_dataset(text=TextSettings(model=str(model_folder)))
    assert "sentence_transformers" not in sys.modules

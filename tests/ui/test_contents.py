"""What rows of a data set say and show."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.feature_extraction.text import TfidfVectorizer

from stiknn_core.errors import ShapeError
from stiknn_core.tables import Table
from stiknn_core.types import Block, Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results import contents as module
from stiknn_ui.results.common_words import marked, words_of
from stiknn_ui.results.contents import Columns, Contents, columns_of, for_hover, shortened
from stiknn_ui.results.pixels import data_uri, enlarged, range_of, shrunk
from stiknn_ui.results.proposals import SPACES, distance_for, kind_of
from stiknn_ui.results.sources import build
from stiknn_ui.uploads.build import Upload, joined, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file
from stiknn_view.shown import build_pictures, build_shown
from tests.ui.row_contents import LONG, MARKUP, messages, picture, shapes, with_pictures
from tests.ui.view_bytes import unpack

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def upload() -> Upload:
    return Upload(read_file("messages.csv", messages()))


def data_of(upload: Upload, compute: ComputeSpec | None = None) -> Dataset:
    return joined(*split_of(upload, compute or ComputeSpec(), None))


def contents_of(upload: Upload, compute: ComputeSpec | None = None) -> Contents:
    columns = columns_of(upload.table, upload.uses)
    return Contents(data_of(upload, compute), columns, upload.table)


def test_the_longest_column_of_sentences_is_the_text(upload: Upload) -> None:
    assert columns_of(upload.table, upload.uses) == Columns(("message",))
    assert contents_of(upload).has_texts
    assert not contents_of(upload).has_pictures


def test_columns_used_as_text_are_the_text_in_their_order() -> None:
    lines = [
        f'"Title {n} of all","A body that is longer {n} than it",{n},{n % 2}' for n in range(9)
    ]
    table = read_file("t.csv", "\n".join(["title,body,x,kind", *lines]).encode()).table
    uses = {"title": "text", "body": "text", "x": "number", "kind": "label"}
    assert columns_of(table, uses).texts == ("title", "body")
    assert columns_of(table, {**uses, "title": "ignored"}).texts == ("body",)
    alone = {**uses, "title": "ignored", "body": "ignored"}
    assert columns_of(table, alone).texts == ("body",), "the longest"
    dataset = Dataset(
        np.zeros((2, 1)), np.array([0, 1]), "t", ("x",), np.arange(2), source_rows=np.array([3, 0])
    )
    both = Contents(dataset, columns_of(table, uses), table)
    assert both.texts([0]) == ["Title 3 of all\nA body that is longer 3 than it"]


@pytest.mark.parametrize("use", ["label", "id", "truth", "one-hot", "ordered"])
def test_a_column_of_another_use_is_no_text(upload: Upload, use: str) -> None:
    assert not columns_of(upload.table, {**upload.uses, "message": use})


def test_numbers_with_signs_between_them_are_no_text() -> None:
    lines = [f"{20 + n} ± {1 + n % 3},{n % 5},{'ab'[n % 2]}" for n in range(30)]
    table = read_file("t.csv", "\n".join(["height,x,kind", *lines]).encode()).table
    assert not columns_of(table, {"height": "ignored", "x": "number", "kind": "label"})


def test_words_of_a_category_are_no_text() -> None:
    lines = [f"{n},{['red', 'dark green'][n % 2]},{n % 3},{n % 2}" for n in range(30)]
    table = read_file("t.csv", "\n".join(["nr,colour,x,kind", *lines]).encode()).table
    assert not columns_of(table, {"colour": "ignored", "x": "number", "kind": "label"})


def test_texts_follow_the_rows_that_were_kept_split_and_added(upload: Upload) -> None:
    lines = messages().decode().splitlines()
    lines[1 + 5] = "5,Left out since a number is missing,,1,ham"
    short = Upload(read_file("m.csv", "\n".join(lines).encode()), Choices(missing="drop_rows"))
    compute = ComputeSpec(evaluation="hold-out", share=0.5)
    held = contents_of(short, compute)
    cells = short.table.frame["message"]
    wanted = [str(cells.iloc[row]) for row in held.dataset.source_rows]  # type: ignore[union-attr]
    assert held.texts(np.arange(held.dataset.n)) == wanted
    assert len(wanted) == 39
    assert "Left out since a number is missing" not in wanted

    whole = data_of(upload)
    added = replace(
        whole,
        copy_of=np.r_[np.full(38, -1), 7, -1],
        source_rows=np.r_[whole.source_rows[:38], -1, -1],  # type: ignore[index]
    )
    texts = replace(contents_of(upload), dataset=added).texts([7, 38, 39])
    assert texts[0] == texts[1] == f"Number 7: {'meeting notes for the project review'}"
    assert texts[2] == "", "an outlier was read from nowhere"


def test_test_rows_of_a_file_come_from_that_file(upload: Upload) -> None:
    other = messages().replace(b"Number", b"Test number")
    test = read_file("test.csv", other)
    compute = ComputeSpec(evaluation="test-file", test_name="test.csv", test_digest=test.digest)
    dataset = joined(*split_of(upload, compute, test))
    held = Contents(dataset, columns_of(upload.table, upload.uses), upload.table, test.table)
    assert dataset.test_from == 40
    assert [text[:8] for text in held.texts([4, 44, 5])] == ["Number 4", "Test num", "Number 5"]
    without = replace(held, test_table=replace_column(test.table))
    assert without.texts([4, 44])[1] == "", "a test file may lack what is no feature"


def replace_column(table: Table) -> Table:
    facts = {name: fact for name, fact in table.facts.items() if name != "message"}
    return replace(table, cells=table.cells.drop(columns="message"), facts=facts)


def test_half_a_pair_of_signs_is_no_obstacle(upload: Upload) -> None:
    cells = upload.table.cells.astype(object)
    cells.loc[0, "message"] = "cut \ud83d off"
    held = replace(contents_of(upload), table=replace(upload.table, cells=cells))
    (text,) = held.texts([0])
    assert text == "cut ? off"
    build_shown("mine", [text])


def test_pictures_of_a_table_follow_its_rows() -> None:
    table = with_pictures(read_file("shapes.csv", shapes()).table)
    file = replace(read_file("shapes.csv", shapes()), table=table)
    held = contents_of(Upload(file))
    assert held.columns == Columns((), "file")
    assert held.has_pictures
    assert not held.pixelated
    assert held.thumbnails([3, 0, 29]) == [picture(3), picture(0), b""]
    assert Contents(held.dataset, held.columns).thumbnails([3]) == [b""], "its table is gone"


@pytest.mark.parametrize(("name", "there"), [("digits", True), ("iris", False)])
def test_pixels_become_a_picture(name: str, there: bool) -> None:
    dataset = build(DataSpec(source="bundled", name=name, flip=0.0, sample=60))
    held = Contents(dataset, pixels=range_of(dataset))
    assert held.has_pictures == held.pixelated == there
    (file,) = held.thumbnails([3])
    if not there:
        assert file == b""
        return
    wanted = np.round(255 * dataset.X[3].reshape(8, 8) / dataset.X.max())
    np.testing.assert_array_equal(greys(file), wanted)
    np.testing.assert_array_equal(greys(enlarged(file, 100))[::13, ::13], wanted)


def greys(file: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(file)).convert("L"))


def test_sixty_four_columns_of_measurements_are_no_picture() -> None:
    made = build(DataSpec(n=20, flip=0.0))
    names = tuple(f"m{i}" for i in range(64))
    rng = np.random.default_rng(0)
    wide = replace(made, X=rng.normal(size=(20, 64)), feature_names=names)
    assert range_of(wide) is None
    positive = replace(wide, X=rng.random((20, 64)))
    assert range_of(positive) is not None
    assert range_of(replace(positive, blocks=(Block("file", "picture", 0, 64),))) is None


def test_a_large_picture_is_made_smaller_and_a_small_one_left() -> None:
    large = picture(3, side=100)
    small = Image.open(io.BytesIO(shrunk(large, 40)))
    assert small.size == (40, 40)
    assert shrunk(picture(3), 40) == picture(3)
    assert shrunk(b"", 40) == b""
    assert data_uri(picture(3)) == data_uri(picture(3, 20))
    assert str(data_uri(picture(3))).startswith("data:image/png;base64,iVBOR")
    assert str(data_uri(shrunk(large, 40))).startswith("data:image/jpeg;base64,/9j/")
    assert data_uri(b"") is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("  two\n lines ", "two lines"), ("x" * 11, "x" * 9 + "…"), ("x" * 10, "x" * 10), ("", "")],
)
def test_texts_are_shortened_to_one_line(text: str, wanted: str) -> None:
    assert shortened(text, 10) == wanted


def test_what_the_mouse_shows_is_bounded(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = for_hover(contents_of(upload), np.arange(40))
    assert texts[2] == MARKUP
    assert texts[3] == shortened(LONG, 160)
    assert len(texts[3]) <= 160
    monkeypatch.setattr(module, "_HOVER_BYTES", 40 * 2 * 30)
    texts = for_hover(contents_of(upload), np.arange(40))
    assert max(map(len, texts)) == 30
    assert for_hover(Contents(data_of(upload)), np.arange(40)) == []


def test_texts_and_pictures_are_packed_one_after_the_other() -> None:
    header, arrays = unpack(build_shown("mine", ["ä", "", "bc"], pictures=True, pixelated=True))
    assert (header["n"], header["pictures"], header["pixelated"]) == (3, True, True)
    assert arrays["textEnds"].tolist() == [2, 2, 4]
    assert arrays["textBytes"].tobytes().decode() == "äbc"
    mine, other = (build_shown(name, []) for name in ("mine", "other"))
    assert mine.content_id != other.content_id, "pictures of the one are none of the other"
    header, arrays = unpack(build_pictures("id", [4, 0, 2], [b"12", b"", b"3"]))
    assert (header["of"], header["dots"]) == ("id", [4, 0, 2])
    assert arrays["pictureEnds"].tolist() == [2, 2, 3]
    assert arrays["pictureBytes"].tobytes() == b"123"
    with pytest.raises(ShapeError, match="each of 1 dots; got 2"):
        build_pictures("id", [1], [b"1", b"2"])


def test_words_are_found_as_scikit_learn_finds_them() -> None:
    text = "The WINNER's prize: 3 offers, über_cool e-mail & a 1,000 reward — ΑΒΓ don't"
    pattern = r"(?u)\b\w+\b"
    finds = TfidfVectorizer(stop_words="english", token_pattern=pattern).build_analyzer()
    assert words_of(text) == set(finds(text))


def test_marked_pieces_are_the_text_again() -> None:
    text = "Free <b>prize</b>, the free PRIZE!"
    pieces = marked(text, {"free", "prize"})
    assert "".join(pieces) == text
    assert pieces[1::2] == ["Free", "prize", "free", "PRIZE"]
    assert marked(text, set()) == [text]


def blocked(*blocks: Block) -> Dataset:
    made = build(DataSpec(n=20, flip=0.0))
    return replace(made, blocks=blocks)


@pytest.mark.parametrize(
    ("blocks", "kind", "metric"),
    [
        ((Block("e", "vector", 0, 2),), "vector", "cosine"),
        ((Block("t", "text", 0, 2),), "text", "cosine"),
        ((Block("p", "picture", 0, 2),), "picture", None),
        ((Block("w", "words", 0, 2),), "table", None),
        ((Block("e", "vector", 0, 1),), "table", None),
        ((Block("e", "vector", 0, 1), Block("t", "text", 1, 2)), "table", None),
        ((), "table", None),
    ],
)
def test_cosine_is_proposed_for_one_embedding_or_one_text_alone(
    blocks: tuple[Block, ...], kind: str, metric: str | None
) -> None:
    dataset = blocked(*blocks)
    assert kind_of(dataset) == kind
    proposed = distance_for(dataset, ComputeSpec(scaling="standard"))
    assert (None if proposed is None else proposed.metric) == metric
    if proposed is not None:
        assert proposed.scaling == "none"
        assert "cosine distance is proposed." in proposed.reason
        assert distance_for(dataset, ComputeSpec(metric="cosine", scaling="standard")) == proposed
    assert distance_for(dataset, ComputeSpec(metric="cosine")) is None, "it is in use"
    assert distance_for(dataset, ComputeSpec(space="forest")) is None


def test_texts_are_proposed_where_they_were_found_and_pictures_nowhere() -> None:
    """The numbers are those of docs/detection.md, "Texts, embeddings and pictures"."""
    told = (ROOT / "docs" / "detection.md").read_text(encoding="utf-8")
    means = next(line for line in told.splitlines() if line.startswith("| mean of the five"))
    numbers = [float(cell.strip(" *")) for cell in means.split("|")[2:-1]]
    features, forest = numbers[1], numbers[4]
    assert SPACES["text"].space == "features"
    assert f"{features:.2f} against {forest:.2f} on five corpora" in SPACES["text"].reason
    assert SPACES["picture"].space is SPACES["vector"].space is None

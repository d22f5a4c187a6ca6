from __future__ import annotations

import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from stiknn_core import target_support
from stiknn_core.datasets import BUNDLED, ORIGINS, BundledName
from stiknn_core.preparation import scale_features
from stiknn_core.tables import read_table
from stiknn_core.types import Block
from stiknn_ui.uploads.files import sample_files
from stiknn_ui.words import wording
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "sample_data"
FILES: dict[str, tuple[tuple[int, int], dict[Any, int] | None]] = {
    "circles_flipped.csv": ((200, 2), {"inner": 100, "outer": 100}),
    "flowers_by_five.csv": ((180, 2), {"aster": 69, "gerbera": 57, "daisy": 54}),
    "flats_rents.csv": ((180, 4), None),
    "moons_unbalanced.csv": ((210, 2), {"upper": 180, "lower": 30}),
    "monks2.csv": ((601, 6), {0: 395, 1: 206}),
    "tic_tac_toe.csv": ((958, 27), {"positive": 626, "negative": 332}),
    "digits_400.csv": ((400, 56), dict.fromkeys(range(10), 40)),
    "leaves_german.csv": ((90, 2), {"Ahorn": 30, "Buche": 29, "Weißdorn": 30, "buche": 1}),
}
TOPICS = ("account", "delivery", "payment", "product")
# True labels, where the file tells them; the others are in the names of the pictures.
CONTENTS = {
    "messages.csv": dict.fromkeys(TOPICS, 100),
    "message_vectors.jsonl": dict.fromkeys(TOPICS, 100),
    "digits_wrong.zip": None,
}


def test_every_file_is_tried_and_described() -> None:
    names = {*FILES, *CONTENTS}
    assert {path.name for path in FOLDER.iterdir()} - {"README.md"} == names
    assert set(sample_files()) == names == set(wording.SAMPLES)
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in told for name in names)
    assert sum((FOLDER / name).stat().st_size for name in CONTENTS) < 400_000


@pytest.mark.parametrize("name", BUNDLED)
def test_sources_and_licences_of_known_data_are_told(name: BundledName) -> None:
    origin = ORIGINS[name]
    cells = (f"`{name}`", f"[{origin.title}]({origin.address})", origin.by, origin.licence)
    row = f"| {' | '.join(cells)} | {origin.remark}".rstrip() + " |"
    assert row in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", FILES)
def test_it_opens_in_one_step(name: str) -> None:
    shape, counts = FILES[name]
    dataset = read_table(FOLDER / name).to_dataset(missing="impute")
    assert dataset.X.shape == shape
    if name == "circles_flipped.csv":
        assert Counter(dataset.y_true.tolist()) == counts  # type: ignore[union-attr]
    elif counts is None:
        assert dataset.measured
    else:
        assert Counter(dataset.y.tolist()) == counts


def test_the_flips_are_known() -> None:
    dataset = read_table(FOLDER / "circles_flipped.csv").to_dataset()
    assert len(dataset.flipped) == 20
    assert dataset.ids[0] == "P000"


def test_the_rents_of_other_flats_are_farthest_off() -> None:
    flats = read_table(FOLDER / "flats_rents.csv").to_dataset()
    assert len(flats.flipped) == 9
    said = target_support(scale_features(flats.X)[0], flats.y, k=5)
    farthest = np.argsort(-said.distance)[:9]
    assert sorted(farthest.tolist()) == flats.flipped.tolist()


def test_the_traps_of_the_german_file_are_told() -> None:
    table = read_table(FOLDER / "leaves_german.csv")
    assert table.decisions["separator"] == ";"
    assert table.decisions["decimal"] == ","
    assert table.decisions["encoding"] == "cp1252"
    assert table.problems().missing == {"Größte Breite (cm)": 1}
    notices = table.to_dataset(missing="impute").notices
    assert any("'Buche' and 'buche'" in notice for notice in notices)


BLOCKS = {
    "messages.csv": Block("message", "text", 0, 100),
    "message_vectors.jsonl": Block("embedding", "vector", 0, 32),
    "digits_wrong.zip": Block("file", "picture", 0, 100),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_what_is_no_number_becomes_one_block_without_a_question(name: str) -> None:
    dataset = read_table(FOLDER / name).to_dataset()
    assert dataset.notices == ()
    assert dataset.blocks == (BLOCKS[name],)
    assert dataset.X.shape == (400, BLOCKS[name].stop)
    assert np.isfinite(dataset.X).all()
    wanted = CONTENTS[name]
    if wanted is None:
        assert dataset.y_true is None
        assert set(dataset.y.tolist()) == set(range(10))
    else:
        assert dataset.y_true is not None
        assert Counter(dataset.y_true.tolist()) == wanted
        assert len(dataset.flipped) == 32
        assert dataset.ids[0] == "M000"


def test_one_message_in_twelve_is_under_the_wrong_topic() -> None:
    table = pd.read_csv(FOLDER / "messages.csv")
    assert table["message"].is_unique
    assert Counter(table["true_label"]) == CONTENTS["messages.csv"]
    assert int((table["label"] != table["true_label"]).sum()) == 32


def test_the_embeddings_are_those_of_the_messages() -> None:
    messages = pd.read_csv(FOLDER / "messages.csv")
    vectors = pd.read_json(FOLDER / "message_vectors.jsonl", lines=True)
    same = ["id", "label", "true_label"]
    pd.testing.assert_frame_equal(vectors[same], messages[same])
    assert {len(vector) for vector in vectors["embedding"]} == {32}


def test_the_names_of_pictures_tell_the_truth() -> None:
    target = load_digits().target
    with zipfile.ZipFile(FOLDER / "digits_wrong.zip") as archive:
        paths = [PurePosixPath(name) for name in archive.namelist()]
        first = archive.read(str(paths[0]))
    true = [int(target[int(path.stem)]) for path in paths]
    assert Counter(true) == dict.fromkeys(range(10), 40)
    assert (
        sum(int(path.parent.name) != digit for path, digit in zip(paths, true, strict=True)) == 24
    )
    assert first.startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_script_writes_the_same_files(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_sample_data.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=PATIENCE)
    assert {path.name for path in tmp_path.iterdir()} == {*FILES, *CONTENTS}
    for name in (*FILES, *CONTENTS):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from stiknn_core.datasets import BUNDLED, ORIGINS, BundledName
from stiknn_core.tables import read_table

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "sample_data"
FILES = {
    "circles_flipped.csv": ((200, 2), {"inner": 100, "outer": 100}),
    "moons_unbalanced.csv": ((210, 2), {"upper": 180, "lower": 30}),
    "monks2.csv": ((601, 6), {0: 395, 1: 206}),
    "tic_tac_toe.csv": ((958, 27), {"positive": 626, "negative": 332}),
    "digits_400.csv": ((400, 56), dict.fromkeys(range(10), 40)),
    "leaves_german.csv": ((90, 2), {"Ahorn": 30, "Buche": 29, "Weißdorn": 30, "buche": 1}),
}


def test_every_file_is_tried_and_described() -> None:
    assert {path.name for path in FOLDER.glob("*.csv")} == set(FILES)
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in told for name in FILES)


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
    else:
        assert Counter(dataset.y.tolist()) == counts


def test_the_flips_are_known() -> None:
    dataset = read_table(FOLDER / "circles_flipped.csv").to_dataset()
    assert len(dataset.flipped) == 20
    assert dataset.ids[0] == "P000"


def test_the_traps_of_the_german_file_are_told() -> None:
    table = read_table(FOLDER / "leaves_german.csv")
    assert table.decisions["separator"] == ";"
    assert table.decisions["decimal"] == ","
    assert table.decisions["encoding"] == "cp1252"
    assert table.problems().missing == {"Größte Breite (cm)": 1}
    notices = table.to_dataset(missing="impute").notices
    assert any("'Buche' and 'buche'" in notice for notice in notices)


@pytest.mark.slow
def test_the_script_writes_the_same_files(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_sample_data.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=120)
    assert {path.name for path in tmp_path.iterdir()} == set(FILES)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name

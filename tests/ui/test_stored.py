"""A matrix that was computed elsewhere, opened in the dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stiknn_core import games, interactions, make_dataset
from stiknn_core.distributed import interactions_to_zarr
from stiknn_core.errors import FileError, ParameterError
from stiknn_core.ordering import paper_order
from stiknn_core.units import cut_into_units
from stiknn_ui.blocks import levels, stored
from stiknn_ui.results import describe
from stiknn_ui.words.games import score_line, utility
from tests.ui.test_block_pages import select, settled
from tests.ui.test_pages import visit, words

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one finished store of 300 points in 20 blocks, and a file that is none."""
    home = tmp_path_factory.mktemp("stores")
    data = make_dataset("moons", n=300, seed=1)
    order = paper_order((data.y == 1).astype(int), data.X)
    blocks = cut_into_units(order, 20).unit_of
    interactions_to_zarr(home / "moons", data.X, data.y, k=4, blocks=blocks, xy=data.X, tile=128)
    interactions_to_zarr(home / "sums", data.X, data.y, k=4, blocks=blocks, matrix=False)
    (home / "note.txt").write_text("no store")
    return home


@pytest.fixture(autouse=True)
def offered(folder: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None) -> None:
    monkeypatch.setenv(stored.FOLDER, str(folder))


@pytest.fixture(scope="module")
def matrix() -> np.ndarray:
    data = make_dataset("moons", n=300, seed=1)
    return interactions(data.X, data.y, k=4).matrix


def test_only_stores_of_the_folder_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored.offered() == ("moons", "sums")
    for name in ("note.txt", "../moons", "/etc", ""):
        with pytest.raises(FileError, match="choose another"):
            stored.open_analysis(name)
    monkeypatch.delenv(stored.FOLDER)
    assert stored.offered() == ()


def test_the_stored_blocks_are_the_first_picture(matrix: np.ndarray) -> None:
    analysis = stored.open_analysis("moons")
    order = levels.order_all(analysis, "class", analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    assert len(part.units.blocks) == 20
    rows, cols = part.members((2,)), part.members((11,))
    assert part.blocks.means[2, 11] == pytest.approx(matrix[np.ix_(rows, cols)].mean(), abs=1e-14)


def test_parts_are_read_from_the_tiles(matrix: np.ndarray, monkeypatch) -> None:
    monkeypatch.setattr(stored, "_STRIP", 37)
    analysis = stored.open_analysis("moons")
    order = levels.order_all(analysis, "class", analysis.plane)
    points = np.flatnonzero(analysis.codes == 1)
    part = levels.compute_blocks(analysis, levels.level_of(analysis, points), order)
    for first, second in ((0, 0), (0, 5), (100, 40)):
        rows, cols = part.members((first,)), part.members((second,))
        cells = matrix[np.ix_(rows, cols)][rows[:, None] != cols[None, :]]
        expected = cells.mean() if len(cells) else np.nan
        assert part.blocks.means[first, second] == pytest.approx(expected, abs=1e-14, nan_ok=True)
    pairs = levels.compute_pairs(analysis, levels.level_of(analysis, points[:9]))
    np.testing.assert_allclose(
        pairs.matrix, matrix[np.ix_(points[:9], points[:9])], rtol=0, atol=1e-14
    )


def test_what_a_store_cannot_show_is_told() -> None:
    sums = stored.open_analysis("sums")
    with pytest.raises(FileError, match="block sums only"):
        levels.compute_pairs(sums, levels.level_of(sums, np.arange(9)))
    analysis = stored.open_analysis("moons")
    order = levels.order_all(analysis, "class", analysis.plane)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "MAX_READ", 50)
        with pytest.raises(ParameterError, match="select up to 50 points"):
            levels.compute_blocks(analysis, levels.level_of(analysis, np.arange(60)), order)


def test_the_page_opens_one_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MAX_PAIRS", 100)
    at = settled(visit("explore", n="60"))
    box = next(box for box in at.selectbox if box.label.startswith("Computed matrices"))
    settled(box.set_value("moons").run())
    assert "moons · 300 training points" in words(at)
    select(at, (0, 1))
    settled(at.button(key="open-part").click().run())
    assert "single pairs" in words(at)
    box = next(box for box in at.selectbox if box.label.startswith("Computed matrices"))
    settled(box.set_value("").run())
    assert "circles · n = 60" in words(at)


@pytest.mark.parametrize(
    "name", ["../moons", "/etc", "", ".", "moons/../moons", "moons\0", "moons/"]
)
def test_names_lead_nowhere_else(name: str) -> None:
    with pytest.raises(FileError, match=r"There is no computed store '.*' on this server"):
        stored.open_analysis(name)


def test_a_link_out_of_the_folder_is_not_followed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").symlink_to(folder / "moons")
    monkeypatch.setenv(stored.FOLDER, str(tmp_path))
    with pytest.raises(FileError, match="'elsewhere' is a link out of the folder of stores"):
        stored.open_analysis("elsewhere")
    # The folder itself may be one.
    (tmp_path / "all").symlink_to(folder)
    monkeypatch.setenv(stored.FOLDER, str(tmp_path / "all"))
    assert stored.open_analysis("moons").n == 300


def test_a_store_of_too_many_blocks_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MAX_BLOCKS", 19)
    with pytest.raises(FileError, match="has 300 points in 20 blocks; up to 2,000,000 in 19 are"):
        stored.open_analysis("moons")


def test_a_store_of_another_game_is_shown_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(stored.FOLDER, str(tmp_path))
    data = make_dataset("moons", n=30, seed=1)
    game: dict[str, Any] = {"index": games.beta(4, 1), "score": games.kernel("rbf", 1.5), "k": 3}
    interactions_to_zarr(tmp_path / "other", data.X, data.y, **game, xy=data.X, tile=16)
    analysis = stored.open_analysis("other")
    assert analysis.given.score == game["score"]
    order = levels.order_all(analysis, "class", analysis.plane)
    line = describe.result_line(analysis, order)
    assert "nearer counts more (RBF, bandwidth 1.5) · Beta Shapley (4, 1)" in line
    assert "quantile" not in line, "nobody knows how it was found"
    part = levels.compute_pairs(analysis, levels.level_of(analysis, np.arange(9)))
    whole = interactions(data.X, data.y, **game).matrix
    np.testing.assert_allclose(part.matrix, whole[:9, :9], rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (games.costs({0: 2.0}), "score costs({0: 2})"),
        (games.soft(np.full((30, 2), 0.5)), "shares of annotators"),
        (games.kernel(np.ones((30, 30))), "score kernel(table "),
    ],
)
def test_a_score_is_called_what_the_store_calls_it(score: games.Score, said: str) -> None:
    named = stored.named_score(score.name)
    assert named is not None
    assert said in score_line(score)
    assert score.name in f"{score_line(named)}{utility(named)}"


def test_a_store_without_label_quality_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(stored.FOLDER, str(tmp_path))
    data = make_dataset("moons", n=30, seed=1)
    interactions_to_zarr(
        tmp_path / "other", data.X, data.X[:, 0], score=games.measured(), xy=data.X, tile=16
    )
    with pytest.raises(FileError, match=r"measured\('absolute'\), which has no label quality"):
        stored.open_analysis("other")

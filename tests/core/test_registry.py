from __future__ import annotations

import gzip
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest
from sklearn.datasets import _openml

from stiknn_core.datasets.openml import load_openml
from stiknn_core.datasets.registry import REGISTRY, load_paper_dataset
from stiknn_core.errors import DownloadError, ParameterError
from tests.core.openml_home import FLOWERS, write_home


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise URLError("no network in tests")

    monkeypatch.setattr(_openml, "urlopen", refuse)
    monkeypatch.setattr(_openml.time, "sleep", lambda _: None)


def test_the_table_has_the_papers_sixteen_with_the_right_numbers() -> None:
    numbers = {entry.title: entry.openml for entry in REGISTRY.values()}
    assert numbers == {
        "APSFailure": 41138, "CPU": 761, "Circle": None, "Click": 1218, "CreditCard": 31,
        "FashionMnist": 40996, "Flower": 43839, "MonksV2": 334, "Moon": None, "Phoneme": 1489,
        "Planes2D": 727, "Pol": 722, "SteelPlates": 40982, "TicTacToe": 50, "Transfusion": 1464,
        "Wind": 847,
    }  # fmt: skip
    assert all(key == entry.key for key, entry in REGISTRY.items())
    assert sum(entry.source == "openml" for entry in REGISTRY.values()) == 11


def test_the_table_says_how_large_the_sets_are() -> None:
    for key in ("circle", "moon", "monks2", "planes2d", "tic_tac_toe"):
        made = load_paper_dataset(key)
        assert made.n == REGISTRY[key].n
        assert len(set(made.y.tolist())) == REGISTRY[key].n_classes
    assert REGISTRY["steel_plates"].n_classes == 7
    assert REGISTRY["phoneme"].n == 5404
    # What nobody here has counted is told once it is fetched.
    assert {key for key, entry in REGISTRY.items() if entry.n is None} == {"click", "flower"}


@pytest.mark.parametrize(
    ("key", "n", "shape"),
    [("monks2", None, (601, 6)), ("tic_tac_toe", None, (958, 27)), ("planes2d", 500, (500, 10)),
     ("monks2", 100, (100, 6)), ("circle", None, (600, 2)), ("moon", 80, (80, 2))],
)  # fmt: skip
def test_what_needs_no_network_loads(key: str, n: int | None, shape: tuple[int, int]) -> None:
    dataset = load_paper_dataset(key, n=n, seed=5)
    assert dataset.X.shape == shape
    assert len(set(dataset.y.tolist())) == 2


def test_openml_comes_from_the_cache(tmp_path: Path) -> None:
    write_home(tmp_path, 31)
    table = load_openml(31, data_home=tmp_path)
    assert table.name == "flowers"
    assert table.label == "class"
    assert table.decisions["format"] == "OpenML"
    assert table.problems().missing == {"width": 1}
    dataset = load_paper_dataset("credit_card", data_home=tmp_path)
    assert dataset.name == "CreditCard"
    assert dataset.X[:, 0].tolist() == [1.5, 4.5, 1.4, 4.7, 5.0, 1.6]
    assert dataset.X[1, 1] == 0.3
    assert dataset.y.tolist() == [0, 1, 0, 1, 1, 0]
    assert dataset.params["openml"] == 31
    assert any("Filled in" in notice for notice in dataset.notices)
    assert load_paper_dataset("credit_card", n=4, data_home=tmp_path).n == 4


def test_classes_that_are_bare_numbers_stay_names(tmp_path: Path) -> None:
    # As in Phoneme and Transfusion.
    rows = "".join(f"{row / 4},{1 + row % 3 % 2}\n" for row in range(30))
    head = "@relation r\n@attribute V1 numeric\n@attribute class {1,2}\n@data\n"
    path = write_home(tmp_path, 1489, head + rows)
    before = path.read_bytes()
    dataset = load_paper_dataset("phoneme", data_home=tmp_path)
    assert dataset.y.tolist() == [1 + row % 3 % 2 for row in range(30)]
    assert dataset.X[:, 0].tolist() == [row / 4 for row in range(30)]
    assert path.read_bytes() == before


def test_another_target_is_followed(tmp_path: Path) -> None:
    write_home(tmp_path, 9, target="color")
    table = load_openml(9, data_home=tmp_path)
    assert table.label == "color"
    assert set(table.to_dataset(missing="impute").y.tolist()) == {"deep red", "white"}


def test_without_network_and_cache_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="31 is not in the cache and there is no network"):
        load_openml(31, data_home=tmp_path)


@pytest.mark.parametrize("damage", ["junk", "cut", "missing", "json", "md5", "changed"])
def test_a_broken_cache_says_so(damage: str, tmp_path: Path) -> None:
    path = write_home(tmp_path, 31, md5="0" * 32 if damage == "md5" else None)
    if damage == "junk":
        path.write_bytes(b"not gzip at all")
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "missing":
        path.unlink()
    elif damage == "json":
        facts = path.parents[4] / "api/v1/json/data/31.gz"
        assert facts.exists()
        facts.write_bytes(gzip.compress(b'{"data_set_description": '))
    elif damage == "changed":
        path.write_bytes(gzip.compress(FLOWERS.replace("4.7", "4.8").encode()))
    with pytest.raises(DownloadError, match=r"cached copy of OpenML data set 31 .*damaged"):
        load_openml(31, data_home=tmp_path)


@pytest.mark.parametrize("code", [404, 412])
def test_an_unknown_number_says_so(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(*_: object, **__: object) -> None:
        raise HTTPError("https://example.org", code, "unknown", None, None)  # type: ignore[arg-type]

    monkeypatch.setattr(_openml, "urlopen", answer)
    with pytest.raises(DownloadError, match="OpenML has no data set 999999999; check the number"):
        load_openml(999_999_999, data_home=tmp_path)


def test_a_server_in_trouble_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(*_: object, **__: object) -> None:
        raise HTTPError("https://example.org", 503, "busy", None, None)  # type: ignore[arg-type]

    monkeypatch.setattr(_openml, "urlopen", answer)
    with pytest.raises(DownloadError, match="answered 503"):
        load_openml(31, data_home=tmp_path)


@pytest.mark.parametrize("wrong", [0, -3, 2.5, True, "31", None])
def test_impossible_numbers_are_named(wrong: object) -> None:
    with pytest.raises(ParameterError, match="must be an integer of at least 1"):
        load_openml(wrong)  # type: ignore[arg-type]


def test_an_unknown_key_names_those_that_are_there() -> None:
    with pytest.raises(ParameterError, match=r"no data set 'monk'.*monks2"):
        load_paper_dataset("monk")

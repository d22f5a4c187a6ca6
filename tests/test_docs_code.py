"""Every block of Python in the documents runs, and gives what its comments say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import interactions, rank_suspects, read_table
from stiknn_core.preparation import scale_features
from stiknn_core.types import IntArray
from tests.block_code import names_for, run, write_files
from tests.documents import DOCUMENTS, ROOT, name_of, python_blocks

WITH_CODE = [path for path in DOCUMENTS if python_blocks(path)]


def test_code_is_found() -> None:
    assert {"README.md", "tutorial.md", "method.md", "scale.md"} <= {
        path.name for path in WITH_CODE
    }


@pytest.mark.slow
@pytest.mark.parametrize("path", WITH_CODE, ids=name_of)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    names = names_for(name_of(path))
    for block in python_blocks(path):
        run(block.code, f"{path.name}:{block.line}", names)


def test_a_wrong_claim_is_noticed() -> None:
    run("x = 2\nx + 1  # → 3\n(\n    x\n)  # → 2", "here", {})
    with pytest.raises(AssertionError, match="here, line 2"):
        run("x = 2\nx + 1  # → 4", "here", {})


def average_precision(table: pd.DataFrame, flipped: IntArray) -> float:
    hits = table["position"].isin(flipped).to_numpy()
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


@pytest.mark.slow
def test_the_tutorial_says_of_the_browser_what_is_so() -> None:
    told = " ".join((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").split())
    table = read_table(ROOT / "sample_data" / "circles_flipped.csv")
    data = table.to_dataset()
    frame = pd.DataFrame(scale_features(data.X)[0], index=data.ids)
    ranking = rank_suspects(frame, data.y, k=5, space="features")
    forest = rank_suspects(frame, data.y, k=5)
    wrong = ranking["position"].isin(data.flipped).to_numpy()
    given = pd.Series(data.y[data.flipped]).value_counts()

    precision = average_precision(ranking, data.flipped)
    flagged = ranking[ranking["suggested"] != ranking["given"]]
    missed = ranking["id"][wrong & (ranking["suggested"] == ranking["given"])].tolist()
    first = ranking.iloc[0]

    assert f"{data.n} points on two rings, of which {len(data.flipped)} carry" in told
    assert f"{given['inner']} points labelled inner and {given['outer']} labelled outer" in told
    assert f"The first row is {first['id']}" in told
    assert f"a label quality of {first['quality']:.2f}" in told
    assert f"an average precision of {precision:.2f} (rounded; it is {precision:.3f})" in told
    assert f"here their average precision is {average_precision(forest, data.flipped):.2f}" in told
    assert len(missed) == 1
    assert ranking["id"][len(flagged)] == missed[0], "the next in the list"
    assert f"{wrong[:20].mean():.0%}".replace("%", " %") + " of the first 20 rows" in told
    assert f"{len(flagged)} points are flagged. {wrong[: len(flagged)].sum()} of them" in told
    assert f"refused: {flagged['id'].iloc[-1]}, which comes last" in told
    assert f"not flagged: {missed[0]}, which too lies between the rings" in told
    matrix = interactions(frame, data.y, k=5).matrix
    assert (matrix[np.triu_indices(data.n, 1)] < 0).mean() > 0.98, "nearly all of it is blue"


@pytest.mark.slow
def test_the_tutorial_on_texts_says_of_the_browser_what_is_so() -> None:
    page = ROOT / "docs" / "clean-a-text-data-set.md"
    told = " ".join(page.read_text(encoding="utf-8").split())
    table = read_table(ROOT / "sample_data" / "messages.csv")
    data = table.to_dataset()
    # As the dashboard has it: standardised as one block, by Euclidean distance.
    scaled, _ = scale_features(data.X, None, "standard", data.blocks)
    shared: dict[str, Any] = {"k": 5, "space": "features"}
    ranking = rank_suspects(pd.DataFrame(scaled, index=data.ids), data.y, **shared)
    cosine = rank_suspects(data.X, data.y, metric="cosine", **shared)
    forest = rank_suspects(data.X, data.y, k=5)
    wrong = ranking["position"].isin(data.flipped).to_numpy()
    flagged = ranking[ranking["suggested"] != ranking["given"]]
    truth = pd.Series(data.y_true)
    misled = flagged[flagged["suggested"].to_numpy() != truth[flagged["position"]].to_numpy()]
    missed = ranking[wrong & (ranking["suggested"] == ranking["given"])]

    def message(row: pd.Series) -> str:  # type: ignore[type-arg]
        return str(table.frame["message"][row["position"]]).rstrip(".")

    first, odd, hidden = ranking.iloc[0], misled.iloc[0], missed.iloc[0]
    assert f"{data.n} short messages" in told
    assert f"{len(data.flipped)} stand under the wrong topic" in told
    assert {name: role.role for name, role in table.roles.items()} == {
        "id": "id", "message": "text", "label": "label", "true_label": "truth",
    }  # fmt: skip
    assert f"brought down to {data.X.shape[1]} numbers" in told
    assert f"The first row is {first['id']}: *{message(first)}*, filed under" in told
    assert f"Its label quality is {first['quality']:.2f}" in told
    assert f"an average precision of {average_precision(ranking, data.flipped):.2f}," in told
    assert f"{wrong[:32].mean():.0%} of the first 32".replace("%", " %", 1) in told
    assert cosine["position"].tolist() == ranking["position"].tolist()
    assert f"precision is {average_precision(forest, data.flipped):.2f}." in told
    found = int(flagged["position"].isin(data.flipped).sum())
    assert f"{len(flagged)} messages are flagged, and all {found} are under" in told
    assert f"For {len(flagged) - len(misled)} of them" in told
    assert len(misled) == len(missed) == 1
    assert odd["rank"] == 11
    assert f"Read {odd['id']}, the eleventh" in told
    assert message(odd).split(", ", 1)[1] in told
    assert f"{odd['suggested'].capitalize()} is suggested" in told
    assert f"it belongs to {truth[odd['position']]}" in told
    assert f"not flagged: {hidden['id']}, *{message(hidden)}*, under {hidden['given']}" in told
    assert f"It has rank {hidden['rank']}" in told

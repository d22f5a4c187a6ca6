"""Write the files of sample_data/ anew: ``python scripts/make_sample_data.py [folder]``.

Everything is seeded, so the files come out the same, byte for byte, with the pinned versions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, make_circles, make_moons

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from stiknn_core.datasets.rules import monks2, tic_tac_toe  # noqa: E402
from stiknn_core.exporting import dataset_to_frame, to_csv  # noqa: E402


def circles_flipped() -> pd.DataFrame:
    """Two rings of 100 points; 20 labels are wrong, the true ones stand beside them."""
    X, codes = make_circles(n_samples=200, noise=0.08, factor=0.5, random_state=7)
    true = np.where(codes == 1, "inner", "outer")
    given = true.copy()
    wrong = np.random.default_rng(7).choice(200, size=20, replace=False)
    given[wrong] = np.where(true[wrong] == "inner", "outer", "inner")
    return pd.DataFrame(
        {
            "point_id": [f"P{row:03d}" for row in range(200)],
            "x1": X[:, 0].round(4),
            "x2": X[:, 1].round(4),
            "label": given,
            "true_label": true,
        }
    )


def moons_unbalanced() -> pd.DataFrame:
    """Two half circles, 180 points in one and 30 in the other."""
    X, codes = make_moons(n_samples=(180, 30), noise=0.15, random_state=3)
    names = np.where(codes == 1, "lower", "upper")
    return pd.DataFrame({"x1": X[:, 0].round(4), "x2": X[:, 1].round(4), "label": names})


def tic_tac_toe_words() -> pd.DataFrame:
    """Every final board as nine words, as people would type them."""
    boards = tic_tac_toe()
    squares = [name.removesuffix("=b") for name in boards.feature_names[::3]]
    cells = np.array([list(board) for board in boards.ids.tolist()])
    return pd.DataFrame(dict(zip(squares, cells.T, strict=True))).assign(outcome=boards.y)


def digits_subset() -> pd.DataFrame:
    """Forty pictures of each digit, 8 by 8 pixels."""
    bunch = load_digits()
    rows = np.sort(np.concatenate([np.flatnonzero(bunch.target == d)[:40] for d in range(10)]))
    names = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    frame = pd.DataFrame(bunch.data[rows].astype(int), columns=names)
    frame.insert(0, "digit", bunch.target[rows])
    return frame


def leaves_german() -> bytes:
    """Write made-up leaf sizes as a German spreadsheet program does, with two slips."""
    rng = np.random.default_rng(11)
    centers = {"Ahorn": (9.5, 10.5), "Buche": (7.5, 5.0), "Weißdorn": (4.5, 4.0)}
    lines = ["Blatt;Länge (cm);Größte Breite (cm);Baum"]
    for place in range(90):
        name = list(centers)[place % 3]
        length, width = rng.normal(centers[name], 0.7).round(2)
        lines.append(f"B{place + 1:02d};{length};{width};{name}".replace(".", ","))
    lines[20] = lines[20].rpartition(";")[0] + ";buche"
    cells = lines[40].split(";")
    lines[40] = ";".join([cells[0], cells[1], "", cells[3]])
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def main(folder: Path) -> None:
    """Write every file into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    to_csv(circles_flipped(), folder / "circles_flipped.csv")
    to_csv(moons_unbalanced(), folder / "moons_unbalanced.csv")
    monks = dataset_to_frame(monks2()).drop(columns="id").astype(int)
    to_csv(monks, folder / "monks2.csv")
    to_csv(tic_tac_toe_words(), folder / "tic_tac_toe.csv")
    to_csv(digits_subset(), folder / "digits_400.csv")
    (folder / "leaves_german.csv").write_bytes(leaves_german())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "sample_data")

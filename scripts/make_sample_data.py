"""Write the files of sample_data/ anew: ``python scripts/make_sample_data.py [folder]``.

Everything is seeded, so the files come out the same, byte for byte, with the pinned versions.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import load_digits, make_circles, make_moons
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.sample_texts import messages  # noqa: E402
from stiknn_core.datasets.rules import monks2, tic_tac_toe  # noqa: E402
from stiknn_core.exporting import dataset_to_frame, records_of, to_csv, to_json  # noqa: E402

#: Pictures of digits_wrong.zip that stand in the folder of another digit.
WRONG_PICTURES = 24
PICTURE_SIZE = 24
VECTOR_LENGTH = 32


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


def flowers_by_five() -> pd.DataFrame:
    """Three kinds of made-up flowers as five people labelled them, some of them carelessly."""
    rng = np.random.default_rng(17)
    kinds = ["aster", "daisy", "gerbera"]
    true = np.arange(180) % 3
    centers = np.array([[2.6, 30.0], [3.9, 21.0], [5.4, 27.0]])
    sizes = rng.normal(centers[true], [0.6, 3.2])
    frame = pd.DataFrame(
        {
            "flower": [f"F{row:03d}" for row in range(180)],
            "width (cm)": sizes[:, 0].round(2),
            "petals": sizes[:, 1].round().astype(int),
        }
    )
    # Ada and Ben know flowers, Cleo errs now and then, Dan takes one kind for another, Eve guesses.
    for name, error, seen in (
        ("ada", 0.03, 0.8),
        ("ben", 0.06, 0.7),
        ("cleo", 0.18, 0.7),
        ("dan", 0.0, 0.7),
        ("eve", 0.5, 0.6),
    ):
        said = np.where(rng.random(180) < error, (true + rng.integers(1, 3, 180)) % 3, true)
        if name == "dan":
            said = np.where((true == 1) & (rng.random(180) < 0.6), 0, said)
        words = np.array(kinds, dtype=object)[said]
        words[rng.random(180) >= seen] = None
        frame[f"annotator {name}"] = words
    unseen = frame.filter(like="annotator").isna().all(axis=1)
    frame.loc[unseen, "annotator ada"] = np.array(kinds, dtype=object)[true[unseen]]
    return frame.assign(true_label=np.array(kinds)[true])


def flats_rents() -> pd.DataFrame:
    """Made-up flats; nine of 180 have the rent of another, `true_rent` has their own."""
    rng = np.random.default_rng(29)
    size = rng.uniform(24, 128, 180).round()
    distance = rng.gamma(2.0, 1.8, 180).round(1)
    year = rng.integers(1955, 2025, 180)
    rent = 160 + 9.5 * size - 38 * distance + 2.4 * (year - 1955) + rng.normal(0, 25, 180)
    true = rent.clip(min=210).round().astype(int)
    given = true.copy()
    # Rents move between small and large flats, so that each is far from what it should be.
    ordered = np.argsort(true)
    wrong = rng.choice(np.concatenate([ordered[:50], ordered[-50:]]), 9, replace=False)
    given[wrong] = true[ordered[::-1]][np.argsort(ordered)[wrong]]
    return pd.DataFrame(
        {
            "flat": [f"W{row + 1:03d}" for row in range(180)],
            "size (m²)": size.astype(int),
            "rooms": (size // 27 + 1).astype(int),
            "distance (km)": distance,
            "year": year,
            "rent": given,
            "true_rent": true,
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


def message_vectors() -> bytes:
    """Embed the sample messages: TF-IDF of their words in 32 components, lists in JSON Lines."""
    table = messages()
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
    fitted = TruncatedSVD(VECTOR_LENGTH, algorithm="arpack", random_state=0)
    vectors = fitted.fit_transform(words.fit_transform(table["message"])).round(3) + 0.0
    rows = table[["id", "label", "true_label"]].assign(embedding=None)
    return to_json(records_of(rows, {"embedding": vectors}), lines=True)


def digit_pictures() -> bytes:
    """Write forty pictures of each digit into a zip, 24 by 24 pixels; folder = label.

    24 stand in the folder of another digit. The name of a picture is its row in scikit-learn's
    `load_digits`, whose target is the truth.
    """
    bunch = load_digits()
    rows = np.sort(np.concatenate([np.flatnonzero(bunch.target == d)[40:80] for d in range(10)]))
    given = bunch.target[rows]
    rng = np.random.default_rng(13)
    for place in np.sort(rng.choice(len(rows), WRONG_PICTURES, replace=False)).tolist():
        given[place] = (given[place] + rng.integers(1, 10)) % 10
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for row, digit in zip(rows.tolist(), given.tolist(), strict=True):
            # A date of its own for every run would be another file every time.
            info = zipfile.ZipInfo(f"{digit}/{row:04d}.png", (2026, 1, 1, 0, 0, 0))
            archive.writestr(info, _png(bunch.images[row]))
    return stream.getvalue()


def _png(pixels: np.ndarray) -> bytes:
    """Return 8 by 8 shades from 0 to 16 as a larger picture, dark ink on white."""
    small = Image.fromarray(np.round(255 - pixels * 255 / 16).astype(np.uint8))
    large = small.resize((PICTURE_SIZE, PICTURE_SIZE), Image.Resampling.BILINEAR)
    # Sixteen shades, as the digits have, take a third of the bytes.
    shades = large.quantize(16, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    shades.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main(folder: Path) -> None:
    """Write every file into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    to_csv(circles_flipped(), folder / "circles_flipped.csv")
    to_csv(flowers_by_five(), folder / "flowers_by_five.csv")
    to_csv(flats_rents(), folder / "flats_rents.csv")
    to_csv(moons_unbalanced(), folder / "moons_unbalanced.csv")
    monks = dataset_to_frame(monks2()).drop(columns="id").astype(int)
    to_csv(monks, folder / "monks2.csv")
    to_csv(tic_tac_toe_words(), folder / "tic_tac_toe.csv")
    to_csv(digits_subset(), folder / "digits_400.csv")
    (folder / "leaves_german.csv").write_bytes(leaves_german())
    to_csv(messages(), folder / "messages.csv")
    (folder / "message_vectors.jsonl").write_bytes(message_vectors())
    (folder / "digits_wrong.zip").write_bytes(digit_pictures())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "sample_data")

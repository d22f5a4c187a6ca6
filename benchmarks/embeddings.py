"""An embedding table from its file to its first ranking: `python -m benchmarks.embeddings`.

    python -m benchmarks.embeddings              10,000 rows of 768 numbers, in four kinds of files
    python -m benchmarks.embeddings 2000 384     other numbers of rows and columns

Each file is read, made features and ranked by the cosine distance in this process, and read once
more apart, as the dashboard reads it, with the limits that hold there. Times are those of the
clock: on a machine that does other work they say little, and CPU time stands beside them.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.report import Row, format_table, machine
from stiknn_core import rank_suspects, read_table
from stiknn_core.errors import StiknnError
from stiknn_core.tables.apart.readers import read_apart

LIMIT: Final = 30.0
CLASSES: Final = 10
METRIC: Final = "cosine"


def made(n: int, d: int) -> tuple[np.ndarray, list[str]]:
    """Return vectors around the middle of their class, and labels of which one in ten is wrong."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, n)
    vectors = rng.normal(size=(CLASSES, d))[y] * 0.3 + rng.normal(size=(n, d))
    wrong = rng.random(n) < 0.1
    y[wrong] = rng.integers(0, CLASSES, wrong.sum())
    return vectors.astype(np.float32), [f"class {code}" for code in y]


def as_parquet(vectors: np.ndarray, labels: list[str]) -> bytes:
    """Return a Parquet file with a column of lists."""
    lists = pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
    stream = io.BytesIO()
    pq.write_table(pa.table({"embedding": lists, "label": labels}), stream)
    return stream.getvalue()


def as_text(vectors: np.ndarray, labels: list[str]) -> bytes:
    """Return a CSV file with lists in its cells, as pandas writes them."""
    cells = [str(row.tolist()) for row in vectors]
    return pd.DataFrame({"embedding": cells, "label": labels}).to_csv(index=False).encode()


def as_columns(vectors: np.ndarray, labels: list[str]) -> bytes:
    """Return a CSV file with a column for each number."""
    names = [f"e{place}" for place in range(vectors.shape[1])]
    return pd.DataFrame(vectors, columns=names).assign(label=labels).to_csv(index=False).encode()


def as_json_lines(vectors: np.ndarray, labels: list[str]) -> bytes:
    """Return JSON Lines with a list in each, its numbers as long as float32 needs them."""
    lists = ("[" + ", ".join(map(str, row)) + "]" for row in vectors)
    lines = (
        f'{{"embedding": {numbers}, "label": "{label}"}}'
        for numbers, label in zip(lists, labels, strict=True)
    )
    return "\n".join(lines).encode()


FILES: Final[dict[str, Callable[[np.ndarray, list[str]], bytes]]] = {
    "Parquet": as_parquet,
    "CSV": as_text,
    "wide CSV": as_columns,
    "JSON Lines": as_json_lines,
}


def rows_of(n: int, d: int) -> list[Row]:
    """Return a line for each file and each way."""
    vectors, labels = made(n, d)
    few = as_text(vectors[:300, :8], labels[:300])
    _ranked(few)  # loads what is compiled
    lines = []
    for kind, write in FILES.items():
        data = write(vectors, labels)
        seconds, cpu = _timed(partial(_ranked, data))
        lines.append(
            Row(
                f"{n:,} x {d} from {kind} ({len(data) / 1e6:.0f} MB) to its ranking",
                f"{seconds:.0f} s",
                f"{cpu:.0f} s of CPU",
                "",
                f"<= {LIMIT:.0f} s",
                seconds <= LIMIT,
            )
        )
        trouble = ""
        start = time.perf_counter()
        try:
            read_apart(data)
        except StiknnError as error:
            trouble = str(error)
        seconds = time.perf_counter() - start
        what = trouble or "  read apart, within its limits of memory and time"
        lines.append(Row(what, f"{seconds:.0f} s", "", "", "read", not trouble))
    return lines


def _ranked(data: bytes) -> None:
    dataset = read_table(data).to_dataset(scale="none")
    rank_suspects(dataset.X, dataset.y, metric=METRIC, space="features")


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, help="rows and columns")
    n, d = parser.parse_args().sizes or (10_000, 768)
    print(machine(), end="\n\n")
    print(format_table(rows_of(n, d)))


if __name__ == "__main__":
    main()

"""Measure how long archives of pictures take to read: `python -m benchmarks.pictures 5000 300`.

So many pictures of so many pixels in width and height, in two folders, are drawn, packed and read
in a process of its own. Of each form are printed the
size of the file, seconds by the clock and of computing on one core, the largest memory of reading
beside the file itself, and the mean size of a thumbnail.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from benchmarks.report import machine
from stiknn_core.tables import read_table
from stiknn_core.tables.apart.limits import Limits
from stiknn_core.tables.limits import MAX_FILE_BYTES

FORMS: Final = ("JPEG", "PNG", "WEBP")
_DRAWN: Final = 50


@dataclass(frozen=True)
class Taken:
    """What reading took: seconds by the clock and of computing, and bytes."""

    seconds: float
    computing: float
    memory: float
    thumbnail: float


def picture(rng: np.random.Generator, size: int, noise: int) -> Image.Image:
    """Return soft patches of colour, with noise of so many levels, as a photograph has.

    Without noise there are few colours, as in a drawing.
    """
    patches = Image.fromarray(rng.integers(0, 256, (12, 12, 3), np.uint8))
    soft = np.asarray(patches.resize((size, size), Image.Resampling.BICUBIC)).astype(np.int64)
    if not noise:
        return Image.fromarray((soft // 16 * 16).astype(np.uint8))
    grain = rng.integers(-noise, noise + 1, (size, size, 1))
    return Image.fromarray((soft + grain).clip(0, 255).astype(np.uint8))


def archive(form: str, count: int, size: int, noise: int) -> bytes:
    """Return a zip of pictures of two classes; a few drawn ones come again and again."""
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(min(_DRAWN, count)):
        stream = io.BytesIO()
        picture(rng, size, noise).save(stream, form)
        drawn.append(stream.getvalue())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for place in range(count):
            name = f"{('cats', 'dogs')[place % 2]}/{place:06}.{form.lower()}"
            made.writestr(zipfile.ZipInfo(name), drawn[place % len(drawn)])
    return stream.getvalue()


def taken(content: bytes) -> Taken:
    """Read an archive in a process of its own."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    child = context.Process(target=_read, args=(content, results))
    child.start()
    found: Taken = results.get()
    child.join()
    return found


def _read(content: bytes, results: Any) -> None:
    import stiknn_core.tables.files.decoded  # noqa: F401  # loaded before, as the server does

    # Linux forgets the peak of taking the file in.
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    clock, computing = time.monotonic(), time.process_time()
    table = read_table(content)
    seconds, computing = time.monotonic() - clock, time.process_time() - computing
    memory = _peak() - before
    thumbnails = table.pictures["file"].thumbnails
    results.put(Taken(seconds, computing, memory, sum(map(len, thumbnails)) / len(thumbnails)))


def _peak() -> float:
    """Return the most bytes that this process had since its peak was forgotten (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def main() -> None:
    """Print one row for each form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=5_000)
    parser.add_argument("size", type=int, nargs="?", default=300)
    parser.add_argument("--forms", nargs="+", default=FORMS)
    asked = parser.parse_args()
    limits = Limits()
    print(machine())
    print(f"{asked.count:,} pictures of {asked.size} x {asked.size}; "
          f"limits: {limits.seconds:.0f} s, {limits.memory / 1e6:,.0f} MB")  # fmt: skip
    print("form   file MB   s by the clock   s of computing   memory MB   thumbnail kB")
    for form in asked.forms:
        for noise in (6, 1, 0):  # as a photograph as far as the file may be so large
            content = archive(form, asked.count, asked.size, noise)
            if len(content) <= MAX_FILE_BYTES:
                break
        found = taken(content)
        print(
            f"{form:6} {len(content) / 1e6:7.0f} {found.seconds:16.1f} {found.computing:16.1f} "
            f"{found.memory / 1e6:11.0f} {found.thumbnail / 1e3:14.1f}"
        )


if __name__ == "__main__":
    main()

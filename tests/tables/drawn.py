"""Small pictures and archives of them, for tests."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image
from PIL.Image import Resampling


def drawn(kind: int, seed: int, size: tuple[int, int] = (40, 40)) -> Image.Image:
    """Return stripes, upright (0) or lying (1), with noise."""
    rng = np.random.default_rng(seed)
    width, height = size
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    wave = np.sin((across, down)[kind] * 2 * np.pi / 10 + rng.uniform(0, 6))
    grey = 128 + 90 * wave[..., None] + rng.normal(0, 12, (height, width, 3))
    return Image.fromarray(grey.clip(0, 255).astype(np.uint8))


def saved(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def patched(seed: int, size: int = 300) -> Image.Image:
    """Return a picture with the detail of a photograph: soft patches and a little noise."""
    rng = np.random.default_rng(seed)
    patches = Image.fromarray(rng.integers(0, 256, (12, 12, 3), np.uint8))
    soft = np.asarray(patches.resize((size, size), Resampling.BICUBIC)).astype(np.int64)
    return Image.fromarray((soft + rng.integers(-6, 7, soft.shape)).clip(0, 255).astype(np.uint8))


def zipped(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def tarred(files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as made:
        for name, content in files.items():
            told = tarfile.TarInfo(name)
            told.size = len(content)
            made.addfile(told, io.BytesIO(content))
        for name, target in (links or {}).items():
            told = tarfile.TarInfo(name)
            told.type, told.linkname = tarfile.SYMTYPE, target
            made.addfile(told)
    return stream.getvalue()


def two_classes(each: int, top: str = "") -> dict[str, bytes]:
    return {
        f"{top}{('bars', 'rows')[kind]}/{place}.png": saved(drawn(kind, 2 * place + kind))
        for kind in (0, 1)
        for place in range(each)
    }

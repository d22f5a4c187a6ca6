"""Single pictures of every kind, their thumbnails and what is measured on them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageCms

from stiknn_core.tables import Table, read_table
from stiknn_core.tables.files import pictures as measuring
from stiknn_core.tables.files.gradients import gradients_of
from tests.tables.drawn import drawn, patched, saved, two_classes, zipped


def shown(table: Table, row: int = 0, column: str = "file") -> Image.Image:
    return Image.open(io.BytesIO(table.pictures[column].thumbnails[row]))


def beside(content: bytes, form: str = "PNG") -> dict[str, bytes]:
    """Return an archive of two classes whose first picture is this."""
    return {f"bars/0.{form.lower()}": content, **two_classes(2, "in/")}


FORMS = {
    "PNG": ("RGB", "L", "P", "1", "RGBA", "LA"),
    "JPEG": ("RGB", "L", "1", "CMYK"),
    "WEBP": ("RGB", "L", "P", "RGBA"),
    "BMP": ("RGB", "L", "P", "1", "RGBA"),
    "TIFF": ("RGB", "L", "P", "1", "RGBA", "LA", "CMYK", "LAB"),
    "GIF": ("RGB", "L", "P", "1", "RGBA"),
}


@pytest.mark.parametrize(
    ("form", "mode"), [(f, mode) for f, modes in FORMS.items() for mode in modes]
)
def test_every_form_and_mode(form: str, mode: str) -> None:
    image = drawn(1, 3, (60, 50))
    if mode == "LAB":
        to_lab = ImageCms.buildTransform(
            *map(ImageCms.createProfile, ("sRGB", "LAB")), "RGB", "LAB"
        )
        image = ImageCms.applyTransform(image, to_lab)
    content = saved(image if mode == "LAB" else image.convert(mode), form)
    table = read_table(zipped(beside(content, form)))
    assert not table.pictures["file"].absent.any()
    found = np.asarray(shown(table).convert("L").resize((50, 60)), dtype=float)
    wanted = np.asarray(drawn(1, 3, (60, 50)).convert("L").resize((50, 60)), dtype=float)
    far = np.abs(found - wanted).mean()
    assert far < (60 if mode == "1" else 20)


@pytest.mark.parametrize("kind", [np.uint16, np.int32, np.float32])
def test_more_than_eight_bits_become_eight(kind: type) -> None:
    ramp = np.linspace(0, 65_535, 64 * 64).reshape(64, 64).astype(kind)
    table = read_table(zipped(beside(saved(Image.fromarray(ramp), "TIFF"), "TIFF")))
    grey = table.pictures["file"].grey[0].reshape(32, 32)
    assert grey[0, 0] < 10
    assert grey[-1, -1] > 245
    assert (np.diff(grey[:, 0].astype(int)) >= 0).all()


def test_not_a_number_in_a_picture_is_darkest() -> None:
    values = np.full((64, 64), np.nan, np.float32)
    values[:, 32:] = np.linspace(1, 2, 32)
    table = read_table(zipped(beside(saved(Image.fromarray(values), "TIFF"), "TIFF")))
    grey = table.pictures["file"].grey[0].reshape(32, 32)
    assert grey[:, :15].max() == 0
    assert grey[0, -1] > 240


def test_what_is_transparent_lies_on_white() -> None:
    clear = Image.new("RGBA", (50, 50), (0, 0, 0, 0))
    for content in (saved(clear), saved(clear.convert("P"), transparency=0)):
        assert read_table(zipped(beside(content))).pictures["file"].grey[0].min() == 255


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_picture_is_as_upright_as_its_note_says(turn: int) -> None:
    corner = np.zeros((80, 160, 3), np.uint8)
    corner[:40, :40] = 255
    exif = Image.Exif()
    exif[0x0112] = turn
    table = read_table(zipped(beside(saved(Image.fromarray(corner), "JPEG", exif=exif), "JPEG")))
    grey = table.pictures["file"].grey[0].reshape(32, 32)
    bright = [grey[at] > 128 for at in ((2, 2), (2, 29), (29, 29), (29, 2))]
    assert bright.index(True) == (0, 1, 2, 3, 0, 1, 2, 3)[turn - 1]
    assert (shown(table).width > shown(table).height) == (turn < 5)


def test_thumbnails_are_small_jpegs_and_tiny_pictures_untouched() -> None:
    tiny = drawn(0, 1, (32, 20))
    files = {"a/big.png": saved(patched(1, 400)), "b/tiny.png": saved(tiny)}
    table = read_table(zipped(files))
    assert (shown(table).format, shown(table).size) == ("JPEG", (128, 128))
    assert len(table.pictures["file"].thumbnails[0]) < 20_000
    assert shown(table, 1).format == "PNG"
    np.testing.assert_array_equal(np.asarray(shown(table, 1)), np.asarray(tiny))


def test_thumbnails_of_very_many_are_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{place % 2}/{place}.png": saved(patched(place, 200)) for place in range(4)}
    monkeypatch.setattr(measuring, "MAX_THUMBNAIL_BYTES", 4 * 2_500)
    table = read_table(zipped(files))
    assert shown(table).size == (64, 64)
    assert sum(map(len, table.pictures["file"].thumbnails)) < 10_000


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"no picture at all", "is no JPEG, PNG, WebP, BMP, TIFF or GIF"),
        (saved(patched(1))[:9000], "ends too early"),
        (saved(patched(1), "JPEG")[:5000], "ends too early"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "is no JPEG"),
    ],
)
def test_what_is_no_whole_picture_is_named_and_counts_as_missing(content: bytes, why: str) -> None:
    table = read_table(zipped(beside(content)))
    (notice,) = table.notices
    assert notice.startswith(
        f"1 picture could not be read and counts as missing: 'bars/0.png' {why}"
    )
    assert table.pictures["file"].absent.tolist() == [True] + [False] * 4
    assert table.problems().missing == {"file": 1}
    assert table.frame["file"][0] == "bars/0.png"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF"])
def test_damaged_bytes_never_break_the_reading(form: str) -> None:
    rng = np.random.default_rng(7)
    whole = saved(drawn(0, 1, (64, 64)), form)
    for _ in range(60):
        content = bytearray(whole)
        for place in rng.integers(0, len(content), 8):
            content[place] = rng.integers(256)
        read_table(zipped(beside(bytes(content[: rng.integers(20, len(content) + 1)]), form)))


def test_a_picture_too_large_in_pixels_is_left_undecoded() -> None:
    huge = saved(Image.new("1", (60_000, 1_000)))
    table = read_table(zipped(beside(huge)))
    assert "has 60,000 × 1,000 pixels, and at most 50 million are read" in table.notices[0]


def test_the_first_frame_stands_for_all() -> None:
    dark, light = Image.new("L", (40, 40), 20), Image.new("L", (40, 40), 230)
    content = saved(dark, "GIF", save_all=True, append_images=[light])
    assert read_table(zipped(beside(content, "GIF"))).pictures["file"].grey[0].max() < 40


# --- the histogram of gradients ----------------------------------------------------------------
def test_gradients_follow_the_formula() -> None:
    """Against loops over pixels, cells and blocks."""
    grey = np.asarray(drawn(1, 4, (64, 64)).convert("L").rotate(20))
    values = np.pad(grey.astype(float), 1, mode="edge")
    cells = np.zeros((8, 8, 9))
    for y in range(64):
        for x in range(64):
            right = values[y + 1, x + 2] - values[y + 1, x]
            below = values[y + 2, x + 1] - values[y, x + 1]
            place = np.degrees(np.arctan2(below, right)) % 180 / 20
            for cell_y, share_y in shares(y):
                for cell_x, share_x in shares(x):
                    for bin_, share in ((0, 1 - place % 1), (1, place % 1)):
                        cells[cell_y, cell_x, (int(place) + bin_) % 9] += (
                            np.hypot(right, below) * share * share_y * share_x
                        )
    wanted = np.zeros((8, 8, 9))
    inside = lambda at: min(max(at, 0), 7)  # noqa: E731
    for y in range(8):
        for x in range(8):
            for top in (y - 1, y):
                for left in (x - 1, x):
                    block = [
                        cells[inside(a), inside(b)]
                        for a in (top, top + 1)
                        for b in (left, left + 1)
                    ]
                    size = np.sqrt(np.sum(np.square(block)) + 64.0**2)
                    wanted[y, x] += np.minimum(cells[y, x] / size, 0.2) / 2
    np.testing.assert_allclose(gradients_of(grey), wanted.ravel(), atol=2e-4)


def shares(pixel: int) -> list[tuple[int, float]]:
    place = (pixel - 3.5) / 8
    lower = int(np.floor(place))
    both = [(lower, 1 - (place - lower)), (lower + 1, place - lower)]
    inside = [(cell, share) for cell, share in both if 0 <= cell < 8]
    return inside if len(inside) == 2 else [(inside[0][0], 1.0)]


def test_an_even_picture_has_no_gradients() -> None:
    assert not gradients_of(np.full((64, 64), 130, np.uint8)).any()

"""The moving picture of the linked view: what is clicked and drawn around, and what lights up."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page

from scripts.few_colors import palette_of, reduced
from tests.browser.driver import View

WIDTH: Final = 900
_STRIP: Final = 46
_INK: Final = (26, 32, 44)
_PAPER: Final = (255, 255, 255)
_ARROW: Final = ((0, 0), (0, 19), (5, 15), (9, 23), (12, 21), (9, 14), (15, 14))
_MIDDLE: Final = 0.5
_LONG, _SHORT, _QUICK = 2_000, 700, 140

Place = tuple[float, float]


class Film:
    """Frames of the view, with a pointer and a line of text drawn over each."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._frames: list[tuple[Image.Image, int]] = []
        self._font = ImageFont.load_default(size=21)

    def take(self, text: str, pointer: Place | None, milliseconds: int) -> None:
        """Add what is on screen now, and where the mouse is in pixels of the page."""
        box = self._view.root.bounding_box()
        shot = Image.open(BytesIO(self._view.root.screenshot())).convert("RGB")
        frame = Image.new("RGB", (shot.width, shot.height + _STRIP), _PAPER)
        frame.paste(shot, (0, _STRIP))
        draw = ImageDraw.Draw(frame)
        draw.text((6, 8), text, fill=_INK, font=self._font)
        if pointer is not None:
            x, y = pointer[0] - box["x"], pointer[1] - box["y"] + _STRIP
            tip = [(x + dx, y + dy) for dx, dy in _ARROW]
            draw.polygon(tip, fill=_PAPER, outline=_INK, width=2)
        self._frames.append((frame, milliseconds))

    def save(self, path: Path) -> None:
        """Write all frames as an endless GIF of one palette, so that still parts stay still."""
        scale = WIDTH / self._frames[0][0].width
        size = (WIDTH, round(self._frames[0][0].height * scale))
        frames = [frame.resize(size, Image.Resampling.LANCZOS) for frame, _ in self._frames]
        tall = Image.new("RGB", (WIDTH, size[1] * len(frames)))
        for number, frame in enumerate(frames):
            tall.paste(frame, (0, number * size[1]))
        palette = palette_of(tall)
        first, *rest = [reduced(frame, palette) for frame in frames]
        first.save(
            path,
            save_all=True,
            append_images=rest,
            duration=[time for _, time in self._frames],
            loop=0,
            optimize=True,
        )


def film(page: Page, path: Path) -> None:
    """Click a block, draw around points, and pick a wrong label; write it to ``path``.

    The page is Explore in the paper's order, with two classes of generated points.
    """
    view = View(page)
    movie = Film(view)
    points = view.points()
    n = len(points)
    movie.take("Every pair of training points, beside the points themselves", None, _LONG)

    block = view.spot("matrix", 0.25 * n, 0.25 * n)
    page.mouse.move(*block)
    movie.take("Click a block …", block, _SHORT)
    page.mouse.click(*block)
    _show(page, movie, "Click a block: its points light up", block)

    around = _around(view, points)
    page.mouse.move(*around[0])
    page.mouse.down()
    for number, place in enumerate(around[1:], start=1):
        page.mouse.move(*place, steps=3)
        if number % 6 == 0:
            movie.take("Draw around points …", place, _QUICK)
    page.mouse.up()
    _show(page, movie, "Draw around points: their rows and columns light up", around[-1])

    wrong = _stranger(points, np.array(view.root.evaluate(_CLASSES)))
    spot = view.spot("scatter", *points[wrong])
    page.mouse.move(*spot)
    movie.take("A point of one class among the other …", spot, _SHORT)
    page.mouse.click(*spot)
    page.mouse.move(spot[0] + 40, spot[1] + 60)
    pointer = (spot[0] + 4, spot[1] + 4)
    _show(page, movie, "A wrong label: its line looks unlike its block", pointer)
    movie.save(path)


_CLASSES: Final = "root => Array.from(root.stiknnView.content.dots.codes)"


def at_rest(page: Page) -> None:
    """Wait until two pictures of the page, some frames apart, are the same."""
    before, now = b"", page.screenshot()
    while before != now:
        page.evaluate(_TEN_FRAMES)
        before, now = now, page.screenshot()


_TEN_FRAMES: Final = """async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
}"""


def _show(page: Page, movie: Film, text: str, pointer: Place) -> None:
    """Take what is selected for long, and clear it."""
    _still(page)
    movie.take(text, pointer, _LONG)
    page.keyboard.press("Escape")
    _still(page)


def _still(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")
    at_rest(page)


def _around(view: View, points: np.ndarray) -> list[Place]:
    """Return pixels of a loop around an arc of the outer ring."""
    angles = np.linspace(0.5, 1.7, 13)
    outer, inner = 1.17, 0.76
    loop = [(outer, angle) for angle in angles] + [(inner, angle) for angle in angles[::-1]]
    loop.append(loop[0])
    return [view.spot("scatter", r * np.cos(a), r * np.sin(a)) for r, a in loop]


def _stranger(points: np.ndarray, marks: np.ndarray) -> int:
    """Return the point whose ten nearest are least of its kind; one in the middle of its block."""
    distances = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    nearest = np.argsort(distances, axis=1)[:, 1:11]
    alike = (marks[nearest] == marks[:, None]).sum(axis=1)
    return int(np.where(np.abs(points[:, 0]) < _MIDDLE, alike, len(points)).argmin())

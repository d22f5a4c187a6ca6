"""Corpora of our own on which wrong labels have to be found: texts and their true labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scripts.sample_texts import messages

ROOT: Final = Path(__file__).resolve().parents[1]
ROWS: Final = 500

Corpus = tuple[list[str], NDArray[np.str_]]
Rng = np.random.Generator

_MAIL: Final = {
    "wanted": (
        "the minutes of the {meeting} are attached, please check item {n}",
        "can we move the {meeting} to {day}, {name} is away",
        "{name} sent the {paper}; I added two remarks to page {n}",
        "dinner at ours on {day}? {name} brings the wine",
        "your train leaves at {n} past nine, I booked two seats",
        "the {paper} is due on {day}, do you have time to read it",
        "{name} asks whether you got the offer for the {paper}",
        "thanks for the photos, grandma liked the one with {name} best",
        "your order of {n} books has been sent, it arrives on {day}",
        "the dentist moved your appointment to {day} at {n}",
        "free on {day}? {name} has tickets and one is left",
        "please confirm your account of the {meeting} before {day}",
    ),
    "unwanted": (
        "you have won {n} thousand {money}, confirm your account now",
        "{cheap} {goods} without prescription, delivered on {day}",
        "your account was locked, click here and enter your password to unlock it",
        "dear friend, I have {n} million {money} to share with a person of trust",
        "lose {n} pounds in a week with these {goods}, first pack free",
        "last chance: {cheap} {goods}, the offer ends on {day}",
        "your parcel is held, pay {n} {money} in fees to have it released",
        "work from home and earn {n} hundred {money} a day, no skills needed",
        "{name} has left you a private message, view the photos here",
        "invest before {day}: this coin rose {n} fold, limited seats left",
        "unpaid invoice {n}, open the attached file at once",
        "we found your details in the {paper} of a winner, claim the prize",
    ),
    "meeting": ("board meeting", "weekly call", "seminar", "parents' evening", "workshop"),
    "paper": ("report", "contract", "draft", "thesis", "budget", "newsletter"),
    "name": ("Anna", "Mr Lopez", "Jo", "Priya", "my sister", "Dr Stone", "Lena", "Tom"),
    "day": ("Monday", "Tuesday", "Thursday", "Friday", "Sunday", "the 4th", "the 19th"),
    "money": ("dollars", "euros", "pounds", "credits"),
    "cheap": ("cheap", "genuine", "discount", "original", "luxury", "half price"),
    "goods": ("pills", "watches", "handbags", "capsules", "sunglasses", "ink", "loans"),
    "n": tuple(map(str, range(2, 60))),
}  # fmt: skip

_REVIEWS: Final = {
    "good": (
        "the {part} is {fine}", "I would buy it again", "{fine} {part} for the price",
        "the {part} did exactly what I hoped", "my {who} loves it", "could not be happier",
        "no complaints about the {part}", "never had a better {part}",
    ),
    "bad": (
        "the {part} is {poor}", "I sent it back", "{poor} {part} for the price",
        "the {part} did nothing of what I hoped", "my {who} hates it", "could not be more let down",
        "nothing but complaints about the {part}", "never had a worse {part}",
    ),
    "part": ("plot", "sound", "screen", "taste", "ending", "staff", "room", "battery", "cast"),
    "fine": ("great", "lovely", "solid", "bright", "crisp", "warm", "superb", "clever"),
    "poor": ("awful", "dull", "weak", "stale", "noisy", "flat", "cold", "clumsy"),
    "who": ("son", "mother", "boss", "neighbour", "dog", "class"),
}  # fmt: skip

_SLOT: Final = re.compile(r"{(\w+)}")


def customers(rng: Rng) -> Corpus:
    """Return messages in four topics, made as those of sample_data/messages.csv."""
    table = messages(int(rng.integers(2**31)))
    return table["message"].tolist(), table["true_label"].to_numpy(dtype=str)


def mail(rng: Rng) -> Corpus:
    """Return mail, one in three unwanted; half of it holds a line of the other kind too."""
    labels = np.where(rng.random(ROWS) < 1 / 3, "unwanted", "wanted")
    texts = []
    for label in labels.tolist():
        other = "wanted" if label == "unwanted" else "unwanted"
        lines = [_filled(_MAIL, label, rng) for _ in range(int(rng.integers(1, 3)))]
        if rng.random() < 0.5:
            lines.insert(int(rng.integers(len(lines) + 1)), _filled(_MAIL, other, rng))
        texts.append(". ".join(lines))
    return texts, labels


def reviews(rng: Rng) -> Corpus:
    """Return reviews that mostly praise or mostly complain: one sentence in four says the other."""
    labels = np.where(rng.random(ROWS) < 0.5, "good", "bad")
    texts = []
    for label in labels.tolist():
        other = "bad" if label == "good" else "good"
        kinds = [other if rng.random() < 0.25 else label for _ in range(int(rng.integers(2, 6)))]
        texts.append(". ".join(_filled(_REVIEWS, kind, rng) for kind in [label, *kinds]))
    return texts, labels


def topics(rng: Rng) -> Corpus:
    """Return texts of 8 to 25 made-up words drawn from six overlapping topics."""
    words = np.array([f"w{place:03d}" for place in range(600)])
    common = rng.dirichlet(np.full(600, 0.3))
    own = [rng.dirichlet(np.full(600, 0.05)) for _ in range(6)]
    codes = rng.integers(6, size=ROWS)
    texts = [
        " ".join(rng.choice(words, int(rng.integers(8, 26)), p=0.6 * common + 0.4 * own[code]))
        for code in codes.tolist()
    ]
    return texts, np.array([f"topic {code}" for code in codes])


def documents(rng: Rng) -> Corpus:
    """Return sentences of this project's documents, the label being the document.

    At most 80, drawn by ``rng``, of each document that has 40 of 8 words or more.
    """
    texts: list[str] = []
    labels: list[str] = []
    for path in sorted((ROOT / "docs").glob("*.md")):
        told = re.sub(r"(?s)```.*?```|^(\||    |#).*?$", " ", path.read_text("utf-8"), flags=re.M)
        sentences = [one.strip() for one in re.split(r"(?<=[.:])\s+|\n\s*\n", told)]
        kept = sorted({one for one in sentences if len(re.findall(r"[A-Za-z]{2,}", one)) >= 8})
        if len(kept) >= 40:
            chosen = np.sort(rng.permutation(len(kept))[:80]).tolist()
            texts += [" ".join(kept[place].split()) for place in chosen]
            labels += [path.stem] * len(chosen)
    return texts, np.array(labels)


CORPORA: Final[dict[str, Callable[[Rng], Corpus]]] = {
    "customers": customers,
    "mail": mail,
    "reviews": reviews,
    "topics": topics,
    "documents": documents,
}


def _filled(words: dict[str, tuple[str, ...]], kind: str, rng: Rng) -> str:
    text = words[kind][int(rng.integers(len(words[kind])))]
    return _SLOT.sub(lambda slot: _filled(words, slot[1], rng), text)

"""Short messages of made-up customers, of which some stand under the wrong topic."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import pandas as pd

ROWS: Final = 400
WRONG: Final = 32

_SHARED: Final = {
    "open": (
        "Hello", "Hi there", "Good morning", "Dear team", "Hey", "Good evening", "To whom it may "
        "concern", "Hi", "Quick question", "Sorry to bother you again",
    ),
    "close": (
        "Thanks", "Many thanks", "Please advise", "Kind regards", "Please help", "Best wishes",
        "I look forward to hearing from you", "This is urgent", "No rush", "Cheers",
    ),
    "thing": (
        "kettle", "desk lamp", "running shoes", "rain jacket", "blender", "headphones", "backpack",
        "coffee grinder", "office chair", "bicycle pump", "garden hose", "tent", "keyboard",
        "yoga mat", "bookshelf", "toaster", "winter boots", "camera bag", "phone case", "pillow",
    ),
    "day": (
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "the 3rd", "the 12th",
        "the 21st", "the last day of March", "Easter Monday", "my birthday",
    ),
    "number": tuple(f"{place}" for place in range(2, 15)),
    "order": tuple(f"order {place * 37 % 9000 + 1000}" for place in range(60)),
}  # fmt: skip

_TOPICS: Final = {
    "delivery": {
        "say": (
            "my {thing} was meant to arrive on {day} and the {carrier} never came",
            "the tracking page has said '{status}' since {day}",
            "where is my parcel? {order} left your {place} on {day}",
            "the {carrier} left the box {where} and it is {harm} now",
            "can the {thing} be delivered to {spot} instead",
            "I was at home on {day} but got a card saying nobody answered the door",
            "{order} came without the {thing}; the box was half empty",
            "could you send {order} to another address, I am moving on {day}",
            "how long does shipping to {land} take at the moment",
            "the parcel with my {thing} went back to your {place} without notice",
            "it is {number} days late and the {carrier} does not know where it is",
        ),
        "more": (
            "The {carrier} told me to ask the sender", "Nobody at the {place} picks up",
            "Please find out where the parcel is", "I need it by {day}",
            "The neighbours have not seen it either", "The label has an old street on it",
        ),
        "carrier": ("courier", "driver", "postman", "delivery service", "carrier", "van"),
        "status": ("in transit", "out for delivery", "label created", "held at the depot"),
        "place": ("warehouse", "depot", "sorting centre", "pick-up point"),
        "spot": ("my neighbour", "a parcel locker", "my office", "the flat upstairs", "a shop"),
        "where": ("on the porch", "by the bins", "in the shed", "in the rain", "on the stairs"),
        "harm": ("soaked", "crushed", "gone", "torn open", "dented"),
        "land": ("Norway", "Portugal", "Ireland", "Malta", "Iceland", "Greece", "Poland"),
    },
    "payment": {
        "say": (
            "I was charged twice for the {thing} on {day}",
            "the refund for {order} is still not on my {account}",
            "my {card} was declined although there is enough money on it",
            "the invoice for {order} shows the wrong {detail}",
            "may I pay for the {thing} in {number} instalments",
            "the voucher of {number} euros was not taken off the total",
            "you took {number} euros more than the price I saw on {day}",
            "I sent the {thing} back and have not got my money so far",
            "please change the way I pay from {card} to bank transfer",
            "a fee of {number} euros showed up on my {account} after {order}",
            "the checkout stops with an error once I enter my {card}",
        ),
        "more": (
            "My bank sees no problem on their side", "I need a receipt with {detail}",
            "Please book the amount back", "The statement says it is pending",
            "The discount should have been {number} percent", "I want the whole sum refunded",
        ),
        "account": ("bank account", "credit card statement", "statement", "balance"),
        "card": ("credit card", "debit card", "prepaid card", "gift card"),
        "detail": ("tax number", "amount", "company name", "billing address", "currency", "VAT"),
    },
    "account": {
        "say": (
            "I cannot {enter} since {day}, the {secret} is not accepted",
            "the link to reset my {secret} has expired before I could use it",
            "how do I change the {datum} of my profile",
            "please delete my profile and everything you stored about me",
            "somebody tried to {enter} with my {datum} on {day}",
            "the app asks for a {secret} that I never received",
            "I have two profiles by mistake, can they be merged into one",
            "please take my {datum} off the newsletter list",
            "my profile was locked after {number} attempts to {enter}",
            "the {secret} arrives {number} minutes late and is void by then",
            "I got a new phone and the {secret} still goes to the old one",
        ),
        "more": (
            "I tried another browser too", "The page only says that something went wrong",
            "Please unlock it", "My user name is still the old one",
            "I no longer have that {datum}", "Is my {datum} safe with you",
        ),
        "enter": ("log in", "sign in", "log on", "open my profile", "get into my profile"),
        "secret": ("password", "code", "pin", "security code", "one-time password"),
        "datum": ("email address", "phone number", "user name", "surname", "date of birth"),
    },
    "product": {
        "say": (
            "does the {thing} come in {colour}, and is it {feature}",
            "the {part} of my {thing} broke after {number} weeks of use",
            "is the {thing} wide enough for a door of {number} inches",
            "is the {thing} {feature}? the description does not say",
            "the {thing} makes a {noise} noise when I switch it on",
            "will the {thing} in {colour} be in stock again",
            "what is the {part} made of, I am allergic to nickel",
            "the manual of the {thing} is missing the page about the {part}",
            "can I get a spare {part} for a {thing} that is {number} years old",
            "how do I clean the {part} of the {thing}",
            "the {colour} of the {thing} looks nothing like the picture",
        ),
        "more": (
            "The {part} wobbles", "I would like one that is {feature}",
            "The guarantee should cover it", "The older model was better",
            "Does it come with a spare {part}", "I could not find it in the manual",
        ),
        "colour": ("green", "dark blue", "grey", "red", "beige", "black", "yellow"),
        "feature": (
            "waterproof", "dishwasher safe", "foldable", "suitable for children",
            "machine washable", "made of recycled material", "quiet enough for the night",
        ),
        "part": ("handle", "zip", "lid", "battery", "strap", "switch", "hinge", "filter", "seam"),
        "noise": ("rattling", "humming", "grinding", "clicking", "whistling"),
    },
}  # fmt: skip

_SLOT: Final = re.compile(r"{(\w+)}")


def messages(seed: int = 5) -> pd.DataFrame:
    """Return different messages with the topic they are filed under and the true one.

    One message in four has a sentence of another topic too, so that the words of a topic are no
    proof.
    """
    rng = np.random.default_rng(seed)
    names = list(_TOPICS)
    texts: dict[str, str] = {}
    while len(texts) < ROWS:
        topic = names[len(texts) % len(names)]
        texts.setdefault(_message(topic, names, rng), topic)
    true = np.array(list(texts.values()))
    given = true.copy()
    for row in np.sort(rng.choice(ROWS, WRONG, replace=False)).tolist():
        given[row] = rng.choice([name for name in names if name != true[row]])
    order = rng.permutation(ROWS)
    return pd.DataFrame(
        {
            "id": [f"M{row:03d}" for row in range(ROWS)],
            "message": np.array(list(texts), dtype=object)[order],
            "label": given[order],
            "true_label": true[order],
        }
    )


def _message(topic: str, names: list[str], rng: np.random.Generator) -> str:
    parts = [_filled(topic, "say", rng)]
    if rng.random() < 0.5:
        parts.append(_filled(topic, "more", rng))
    if rng.random() < 0.25:
        other = str(rng.choice([name for name in names if name != topic]))
        parts.append(_filled(other, "more", rng))
    if rng.random() < 0.5:
        parts.insert(0, f"{_one(topic, 'open', rng)}, {parts.pop(0)}")
    if rng.random() < 0.5:
        parts.append(_one(topic, "close", rng))
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."


def _filled(topic: str, kind: str, rng: np.random.Generator) -> str:
    return _SLOT.sub(lambda slot: _one(topic, slot[1], rng), _one(topic, kind, rng))


def _one(topic: str, kind: str, rng: np.random.Generator) -> str:
    words = _TOPICS[topic].get(kind) or _SHARED[kind]
    return str(words[int(rng.integers(len(words)))])

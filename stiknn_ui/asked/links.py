"""Read and write the settings as query parameters of a link.

Pure: mappings of text in, frozen specs out. A bad value falls back to the default and is
named in one notice. Uploaded data never goes into a link. The token of a review is read from one,
but written only by ``to_private_params``: whoever has it can read and change the review.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, get_args
from urllib.parse import parse_qsl, urlencode

from stiknn_core.errors import ParameterError
from stiknn_ui.asked import paper_sets, plane_choice
from stiknn_ui.asked.game import read_index
from stiknn_ui.asked.selection import read_selection, written_selection
from stiknn_ui.asked.spec import (
    EXAMPLE_COMPUTE,
    EXAMPLE_DATA,
    EXAMPLE_VIEW,
    MAX_GENERATED,
    MAX_K,
    MAX_POINTS,
    MAX_SEED,
    MAX_SHARE,
    MIN_POINTS,
    MIN_SHARE,
    ComputeSpec,
    DataSpec,
    ScoreName,
    ViewSpec,
)
from stiknn_ui.words import wording
from stiknn_view.selection import NOTHING, Selection

_LONGEST_SHOWN: Final = 24
_LONGEST_FILE: Final = 200
_LONGEST_NAME: Final = 100
_MOST_ROWS: Final = 10**9  # the page says what there is where that is fewer
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)


@dataclass(frozen=True)
class Settings:
    """The specs together, as a link or a session holds them.

    ``other`` is the second way to compute on the page that compares two; None until then.
    """

    data: DataSpec = EXAMPLE_DATA
    compute: ComputeSpec = EXAMPLE_COMPUTE
    view: ViewSpec = EXAMPLE_VIEW
    other: ComputeSpec | None = None


@dataclass(frozen=True)
class Parsed:
    """What a link asks for.

    Attributes
    ----------
    settings : Settings
        Defaults wherever the link says nothing or something impossible.
    notice : str
        One sentence naming all that was not understood; empty if everything was.
    review : str
        Token of a review, which may exist or not; empty without one.
    selected : Selection
        Points to be selected, of which not all need exist.
    """

    settings: Settings
    notice: str = ""
    review: str = ""
    selected: Selection = NOTHING


@dataclass(frozen=True)
class _Field:
    """One query parameter: where it lives, how it is read, when it is written."""

    param: str
    part: str
    name: str
    read: Callable[[str], Any]
    always: bool = False
    sources: tuple[str, ...] = ("generated", "bundled", "paper", "upload")
    page: str = ""
    """The one page whose links carry it; empty for all."""


@dataclass(frozen=True)
class _Within:
    """Reads a number within bounds; says in a notice what they are."""

    low: float
    high: float
    kind: Callable[[str], float] = float

    def __call__(self, text: str) -> float:
        value = self.kind(text)
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise _OutsideError(f"is outside {self.low:,} to {self.high:,}")
        return value


class _OutsideError(ValueError):
    """A number that is out of its range; says which that is."""


def _whole(low: int, high: int) -> _Within:
    return _Within(low, high, int)


_number: Final = _Within


def _one_of(options: Iterable[str]) -> Callable[[str], str]:
    allowed = tuple(options)

    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError(text)
        return text

    return read


def _class_name(text: str) -> str:
    if not 0 < len(text) <= _LONGEST_NAME or not text.isprintable():
        raise ValueError(text)
    return text


def _yes_no(text: str) -> bool:
    return {"1": True, "0": False}[text]


def _index(text: str) -> str:
    try:
        return read_index(text)
    except ParameterError as error:
        raise ValueError(text) from error


_MADE = ("generated",)
_PUBLIC = ("generated", "bundled", "paper")

_SHARED_FIELDS: Final = (
    _Field("n", "data", "n", _whole(MIN_POINTS, MAX_GENERATED), True, _MADE),
    _Field("noise", "data", "noise", _number(0.0, 5.0), True, _MADE),
    _Field("classes", "data", "n_classes", _whole(2, 10), False, _MADE),
    _Field("imbalance", "data", "imbalance", _number(0.0, 0.95), False, _MADE),
    _Field("flip", "data", "flip", _number(0.0, 0.5), True, _PUBLIC),
    _Field("flip_kind", "data", "flip_kind", _one_of(wording.FLIP_KIND), False, _PUBLIC),
    _Field("flip_from", "data", "flip_from", _class_name, False, _PUBLIC),
    _Field("flip_to", "data", "flip_to", _class_name, False, _PUBLIC),
    _Field("copies", "data", "copies", _number(0.0, 0.5), False, _PUBLIC),
    _Field("outliers", "data", "outliers", _number(0.0, 0.5), False, _PUBLIC),
    _Field("thin", "data", "thin", _number(0.0, 0.95), False, _PUBLIC),
    _Field("thin_of", "data", "thin_of", _class_name, False, _PUBLIC),
    _Field("sample", "data", "sample", _whole(0, MAX_POINTS), False, _PUBLIC),
    _Field("seed", "data", "seed", _whole(0, MAX_SEED), True, _PUBLIC),
    _Field("k", "compute", "k", _whole(1, MAX_K), True),
    _Field("index", "compute", "index", _index, True),
    _Field("score", "compute", "score", _one_of(get_args(ScoreName))),
    _Field("width", "compute", "width", _number(0.0, 1e9)),
    _Field("metric", "compute", "metric", _one_of(wording.METRIC)),
    _Field("ties", "compute", "ties", _one_of(wording.TIES)),
    _Field("eval", "compute", "evaluation", _one_of(wording.PUBLIC_EVALUATION)),
    _Field("share", "compute", "share", _number(MIN_SHARE, MAX_SHARE)),
    _Field("split", "compute", "split_seed", _whole(0, MAX_SEED)),
    _Field("space", "compute", "space", _one_of(wording.SPACE), True),
    _Field("scaling", "compute", "scaling", _one_of(wording.SCALING)),
    _Field("order", "view", "order", _one_of(wording.ORDER), True),
    _Field("color", "view", "color_by", _one_of(wording.COLOR_BY)),
    _Field("range", "view", "range_quantile", _number(0.5, 1.0)),
    _Field("flips", "view", "show_changed", _yes_no),
    _Field("rank", "view", "rank_by", _one_of(wording.RANK_BY)),
    # Names of columns say what an upload is about.
    _Field("plane", "view", "plane", plane_choice.read, False, _PUBLIC),
    _Field("point", "view", "point", _whole(0, _MOST_ROWS), True, page="point"),
    _Field("section", "view", "section", _one_of(wording.SECTION), page="compare"),
    _Field("own_scale", "view", "own_scale", _yes_no, page="compare"),
)

# The same for the second way to compute; what it does not say is as in the first.
_FIELDS: Final = _SHARED_FIELDS + tuple(
    replace(field, param=f"b_{field.param}", part="other", page="compare")
    for field in _SHARED_FIELDS
    if field.part == "compute"
)


_USUAL: Final = {"compute": ComputeSpec(), "view": ViewSpec(), "other": ComputeSpec()}


def parse(params: Mapping[str, str]) -> Parsed:
    """Return the settings a link asks for; never raises.

    Parameters
    ----------
    params : mapping of str to str
        Query parameters as they stand in the link. Unknown names are named in the notice.
    """
    bad: list[str] = []
    data = _parse_dataset(params, bad)
    changes: dict[str, dict[str, Any]] = {"data": {}, "compute": {}, "view": {}, "other": {}}
    for field in _FIELDS:
        text = params.get(field.param)
        if text is None or data.source not in field.sources:
            continue
        try:
            changes[field.part][field.name] = field.read(text.strip())
        except (ValueError, KeyError, OverflowError) as problem:
            instead = getattr(data if field.part == "data" else _USUAL[field.part], field.name)
            bad.append(_refused(field.param, text, _written(instead), problem))
    review = params.get("review", "").strip()
    if review and not _TOKEN.fullmatch(review):
        bad.append(_refused("review", review))
        review = ""
    selected = NOTHING
    try:
        selected = read_selection(params.get("selected", "").strip())
    except ValueError:
        bad.append(_refused("selected", params["selected"]))
    known = {"dataset", "file", "review", "selected", *(field.param for field in _FIELDS)}
    bad += [f"{_shortened(name)} is not known" for name in params if name not in known]
    compute = ComputeSpec(**changes["compute"])
    settings = Settings(
        replace(data, **changes["data"]),
        compute,
        ViewSpec(**changes["view"]),
        replace(compute, **changes["other"]) if changes["other"] else None,
    )
    return Parsed(settings, _notice(bad), review, selected)


def chosen(params: Mapping[str, str]) -> set[str]:
    """Return the settings that a link says something of: "compute.scaling"."""
    return {f"{field.part}.{field.name}" for field in _FIELDS if field.param in params}


def overridden(settings: Settings, params: Mapping[str, str]) -> Settings:
    """Return settings with what a link says expressly in their place.

    Parameters
    ----------
    settings : Settings
        Of any data; the link's ``dataset`` is left out of account.
    params : mapping of str to str
        Query parameters as they stand in the link; what is not understood changes nothing.
    """
    parts: dict[str, Any] = {
        "data": settings.data,
        "compute": settings.compute,
        "view": settings.view,
    }
    for field in _FIELDS:
        if field.part == "other" or settings.data.source not in field.sources:
            continue
        if field.param not in params:
            continue
        with suppress(ValueError, KeyError, OverflowError):
            value = field.read(params[field.param].strip())
            parts[field.part] = replace(parts[field.part], **{field.name: value})
    return replace(settings, **parts)


def to_params(settings: Settings, page: str = "") -> dict[str, str]:
    """Return the query parameters that restore ``settings``.

    Settings at their default are left out, apart from those worth reading in a link.
    For uploaded data only the name of the file and the settings of computation and view are
    written.

    Parameters
    ----------
    settings : Settings
    page : str, optional
        The page that the link opens, which may have parameters of its own.
    """
    data = settings.data
    params = {"file" if data.source == "upload" else "dataset": data.name}
    usual_data = DataSpec() if data.source == "generated" else DataSpec(flip=0.0)
    if data.source == "paper":
        usual_data = paper_sets.first_spec(data.name)
    parts = {
        "data": (data, usual_data),
        "compute": (settings.compute, ComputeSpec()),
        "view": (settings.view, ViewSpec()),
        "other": (settings.other, settings.compute),
    }
    for field in _FIELDS:
        if data.source not in field.sources or field.page not in ("", page):
            continue
        if field.part == "other" and settings.other is None:
            continue
        spec, usual = parts[field.part]
        value = getattr(spec, field.name)
        if field.name == "evaluation" and value not in wording.PUBLIC_EVALUATION:
            continue  # a test file or a column of an upload means nothing to anyone else
        always = field.always and (field.part != "other" or field.name == "k")
        if always or value != getattr(usual, field.name):
            params[field.param] = _written(value)
    return params


def to_query(settings: Settings, page: str = "", selection: Selection = NOTHING) -> str:
    """Return the same as one query string, without the question mark, and what is selected."""
    selected = written_selection(selection)
    return urlencode(
        to_params(settings, page) | ({"selected": selected} if selected else {}), safe=","
    )


def params_of(query: str) -> dict[str, str]:
    """Return the parameters of a query string."""
    return dict(parse_qsl(query))


def to_private_params(settings: Settings, review: str, page: str = "") -> dict[str, str]:
    """Return the same with the token of a review, for its owner's address bar."""
    return to_params(settings, page) | ({"review": review} if review else {})


def _parse_dataset(params: Mapping[str, str], bad: list[str]) -> DataSpec:
    text, file = params.get("dataset"), params.get("file")
    if text is None and file is not None:
        if 0 < len(file) <= _LONGEST_FILE and file.isprintable():
            return DataSpec(source="upload", name=file, flip=0.0)
        bad.append(_refused("file", file))
    if text is None or text in wording.GENERATORS:
        return DataSpec(name=text or DataSpec().name)
    if text in wording.BUNDLED:
        # Real data come as they are: only generated labels are flipped by default.
        return DataSpec(source="bundled", name=text, flip=0.0)
    if paper_sets.known(text):
        return paper_sets.first_spec(text)
    bad.append(_refused("dataset", text, DataSpec().name))
    return DataSpec()


def _notice(bad: list[str]) -> str:
    return f"Not all of the link can be followed. {'. '.join(bad)}." if bad else ""


def _refused(param: str, text: str, instead: str = "", problem: Exception | None = None) -> str:
    """Return what is wrong with one value, and what takes its place."""
    why = str(problem) if isinstance(problem, _OutsideError) else "is not known"
    then = f"; {instead} is used" if instead else ""
    return f"{param}={_shortened(text)} {why}{then}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:.12g}" if isinstance(value, float) else str(value)

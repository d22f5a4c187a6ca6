"""Uploaded files and all that was chosen for them, as bytes and JSON, and back. Pure.

Every field is named, so that a file of another version loses what it does not know and
nothing else. Nothing is ever executed or unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import UnionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from stiknn_core.errors import ParameterError
from stiknn_core.tables.building.settings import USUAL_TEXT, TextSettings
from stiknn_core.tables.cells.missing import MissingPolicy
from stiknn_ui.asked.game import read_index
from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ViewSpec
from stiknn_ui.review.decisions import ReviewError
from stiknn_ui.review.journal import StoredFile, StoredUpload
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices, Extent, Use
from stiknn_ui.uploads.files import ReadFile
from stiknn_ui.uploads.line import read_in_turn
from stiknn_ui.uploads.texts import model_folder

_Spec = TypeVar("_Spec", DataSpec, ComputeSpec, ViewSpec)
_TUPLE: Final = "tuple"


@dataclass(frozen=True, eq=False)
class Restored:
    """An upload as it was when it was kept, and whether a person had chosen the scaling."""

    upload: Upload
    test: ReadFile | None
    settings: Settings
    scaling_chosen: bool


def stored_file(role: str, file: ReadFile) -> StoredFile:
    """Return a file as it is kept.

    Raises
    ------
    ReviewError
        If it was read with a decision that JSON cannot hold.
    """
    told = {name: _written(value) for name, value in file.overrides.items()}
    return StoredFile(role, file.name, file.content, json.dumps(told))


def settings_text(upload: Upload, settings: Settings, scaling_chosen: bool) -> str:
    """Return choices and settings as JSON."""
    told = {
        "choices": asdict(upload.choices),
        "data": asdict(settings.data),
        "compute": asdict(settings.compute),
        "view": asdict(settings.view),
        "scaling_chosen": scaling_chosen,
    }
    return json.dumps(told)


def restored(stored: StoredUpload) -> Restored:
    """Return an upload as it was when it was kept; reads its files again.

    Raises
    ------
    ReviewError
        If what was kept cannot be understood.
    StiknnError
        If a file cannot be read any more.
    """
    try:
        told = json.loads(stored.settings)
        files = {file.role: (file.name, file.content, _overrides(file)) for file in stored.files}
        used, choices = files["data"], _choices(told["choices"])
        data, compute = _spec(DataSpec, told["data"]), _spec(ComputeSpec, told["compute"])
        view, scaling_chosen = _spec(ViewSpec, told["view"]), told["scaling_chosen"] is True
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ReviewError(
            "The kept file was written by another version of this app: upload it again."
        ) from error
    upload = Upload(read_in_turn(*used), choices)
    test = read_in_turn(*files["test"]) if "test" in files else None
    compute = replace(compute, index=_index(compute.index))
    data = replace(data, source="upload", name=upload.spec.name, digest=upload.spec.digest)
    judged_by = "" if test is None else test.digest
    if compute.evaluation == "test-file" and compute.test_digest != judged_by:
        compute = replace(compute, evaluation="leave-one-out", test_name="", test_digest="")
    return Restored(upload, test, Settings(data, compute, view), scaling_chosen)


def _choices(told: Mapping[str, Any]) -> Choices:
    return Choices(
        label=_text_or_none(told["label"]),
        ids=_text_or_none(told["ids"]),
        truth=_text_or_none(told["truth"]),
        uses=tuple((str(column), _option(Use, use)) for column, use in told["uses"]),
        orders=tuple(
            (str(c), tuple(str(level) for level in levels)) for c, levels in told["orders"]
        ),
        missing=_option(MissingPolicy, told["missing"]),
        # Older files do not tell these.
        extent=_option(Extent, told.get("extent", Choices.extent)),
        text=_text_settings(told.get("text", {})),
        measured=_yes_no_or_none(told.get("measured")),
    )


def _text_settings(told: Mapping[str, Any]) -> TextSettings:
    """Return settings of text; of a model, that of this server, where it has one."""
    usual = asdict(USUAL_TEXT)
    kept = {name: told.get(name, default) for name, default in usual.items()}
    if not all(type(kept[name]) is bool for name in ("words", "characters")):
        raise ValueError("settings of text that are neither true nor false")
    if kept["model"] is not None:
        kept["model"] = model_folder() or None
    return TextSettings(**kept)


def _spec(kind: type[_Spec], told: Mapping[str, Any]) -> _Spec:
    """Return a spec; a field that is not told or does not fit has its default."""
    hints = get_type_hints(kind)
    kept = {f.name: told[f.name] for f in fields(kind) if f.name in told}
    return kind(**{name: value for name, value in kept.items() if _fits(value, hints[name])})


def _fits(value: Any, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if isinstance(hint, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is hint


def _option(kind: Any, value: Any) -> Any:
    if value not in get_args(kind):
        raise ValueError(f"{value!r} is none of {get_args(kind)}")
    return value


def _index(told: str) -> str:
    try:
        return read_index(told)
    except ParameterError:
        return ComputeSpec.index


def _yes_no_or_none(value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)


def _written(value: Any) -> Any:
    # A digest of the file follows from how it is read: a list is not the same as a tuple.
    if isinstance(value, tuple):
        return {_TUPLE: [_written(part) for part in value]}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise ReviewError(f"A file read with {value!r} cannot be kept.")


def _overrides(file: StoredFile) -> dict[str, Any]:
    return {str(name): _read(value) for name, value in json.loads(file.overrides).items()}


def _read(value: Any) -> Any:
    return tuple(_read(part) for part in value[_TUPLE]) if isinstance(value, dict) else value

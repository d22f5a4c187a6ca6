"""Texts by a model of sentences that lies in a folder of this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from stiknn_core.errors import FeatureError
from stiknn_core.types import FloatArray
from stiknn_core.validation.extras import require

_FILES: Final = ("model.safetensors", "tokenizer.json")


def load(folder: str) -> Any:
    """Return the model in a folder; nothing is asked of any other machine.

    Raises
    ------
    FeatureError
        If there is no such folder, or no model in it.
    MissingExtraError
        If ``model2vec`` is not installed.
    """
    path = Path(folder).expanduser()
    # Looked for first: what is no folder would be taken for a name to download.
    if not path.is_dir():
        raise FeatureError(
            f"There is no folder {folder!r}; name one that holds a model of model2vec."
        )
    require("A model of sentences", "texts", "model2vec")
    if not all((path / name).is_file() for name in _FILES):
        raise FeatureError(
            f"The folder {folder!r} holds no model of model2vec; expected {' and '.join(_FILES)}."
        )
    return _loaded(str(path.resolve()))


@lru_cache(maxsize=1)
def _loaded(path: str) -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from model2vec import StaticModel

    try:
        return StaticModel.from_pretrained(path)
    except Exception as error:
        raise FeatureError(
            f"The model in the folder {path!r} cannot be read ({type(error).__name__}); expected "
            "one that model2vec has saved."
        ) from error


def encode(model: Any, texts: Sequence[str]) -> FloatArray:
    """Return one vector a text, of length 1; of length 0 where the model knows no part of it."""
    values = np.asarray(model.encode(list(texts), use_multiprocessing=False), dtype=np.float64)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    unit: FloatArray = np.divide(values, length, out=np.zeros_like(values), where=length > 0)
    return unit

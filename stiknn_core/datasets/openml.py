"""Data sets from OpenML by number, kept in a local cache."""

from __future__ import annotations

import dataclasses
import gzip
import warnings
import zlib
from http.client import HTTPException
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml, get_data_home
from sklearn.datasets._openml import _get_data_features

from stiknn_core.errors import DownloadError, ParameterError
from stiknn_core.tables.reading import read_table
from stiknn_core.tables.table import Table


def load_openml(
    data_id: int, *, data_home: str | Path | None = None, name: str | None = None
) -> Table:
    """Load a data set of OpenML by the number in its address, such as openml.org/d/31.

    OpenML's target is the proposed label. The table comes from the cache (in ``data_home``, or
    scikit-learn's folder) if it is there, and is put there otherwise.
    """
    whole = isinstance(data_id, (int, np.integer)) and not isinstance(data_id, bool)
    if not whole or data_id < 1:
        raise ParameterError(
            f"The OpenML number must be an integer of at least 1, as in openml.org/d/31; got "
            f"{data_id!r}."
        )
    home = Path(get_data_home(data_home=None if data_home is None else str(data_home)))
    data_id = int(data_id)
    cache = home / "openml" / "openml.org" / "api" / "v1" / "json" / "data" / f"{data_id}.gz"
    cached = cache.exists()
    try:
        with warnings.catch_warnings():
            # Warnings tell of versions and of a cache that is fetched anew: no matter here.
            warnings.simplefilter("ignore")
            nominal = _nominal_columns(data_id, home)
            # Left alone, pandas 3 reads classes such as 1 and 2 as numbers, and scikit-learn 1.9
            # then fails on them; and classes are names, to be read as written.
            bunch = fetch_openml(
                data_id=data_id, data_home=str(home), as_frame="auto", parser="auto",
                n_retries=1, delay=0.5,
                read_csv_kwargs={"dtype": dict.fromkeys(nominal, str)},
            )  # fmt: skip
    except (HTTPError, URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise _no_download(data_id, cached, error) from None
    except (ValueError, OSError, EOFError, KeyError, TypeError, AttributeError, IndexError,
            zlib.error, MemoryError) as error:  # fmt: skip
        raise _not_usable(data_id, cached, error) from None
    _name_classes(bunch, set(nominal.values()))
    table = _to_table(bunch, data_id, name)
    decisions = {**table.decisions, "format": "OpenML", "openml": data_id}
    return dataclasses.replace(table, decisions=MappingProxyType(decisions))


def _nominal_columns(data_id: int, home: Path) -> dict[int, str]:
    """Return position and name of the columns that OpenML declares to hold names."""
    features = _get_data_features(data_id, str(home / "openml"), n_retries=1, delay=0.5)
    return {
        place: str(one["name"])
        for place, one in enumerate(features)
        if str(one["data_type"]).lower() == "nominal"
    }


def _name_classes(bunch: Any, nominal: set[str]) -> None:
    """Take the quotation marks of ARFF off columns of names, and mark them as such."""
    for part in ("data", "target"):
        found = bunch.get(part)
        if isinstance(found, pd.Series) and found.name in nominal:
            bunch[part] = _as_names(found)
        elif isinstance(found, pd.DataFrame):
            changed = {name: _as_names(found[name]) for name in found.columns if name in nominal}
            bunch[part] = found.assign(**changed)


def _as_names(column: pd.Series[Any]) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.CategoricalDtype) or not pd.api.types.is_string_dtype(column):
        return column  # from scikit-learn's other parser, which has done so already
    bare = column.str.replace(r"^'(.*)'$", r"\1", regex=True)
    return bare.astype("category")


def _no_download(data_id: int, cached: bool, error: Exception) -> DownloadError:
    if isinstance(error, HTTPError) and error.code in (404, 412):
        return DownloadError(f"OpenML has no data set {data_id}; check the number on openml.org.")
    if isinstance(error, HTTPError):
        return DownloadError(
            f"OpenML answered {error.code} to the request for data set {data_id}; try again later."
        )
    if cached:
        return DownloadError(
            f"The cached copy of OpenML data set {data_id} is incomplete or damaged, and there is "
            "no network to fetch it again; connect, or load the data as a file."
        )
    return DownloadError(
        f"OpenML data set {data_id} is not in the cache and there is no network; connect, or load "
        "the data as a file."
    )


def _not_usable(data_id: int, cached: bool, error: Exception) -> DownloadError:
    text = str(error)
    if "not found" in text and not cached:
        return DownloadError(f"OpenML has no data set {data_id}; check the number on openml.org.")
    damaged = isinstance(error, (gzip.BadGzipFile, EOFError, zlib.error)) or "md5" in text
    if cached or damaged:
        return DownloadError(
            f"The cached copy of OpenML data set {data_id} is damaged; delete it and load the data "
            "set again."
        )
    return DownloadError(f"OpenML data set {data_id} could not be used: {text[:150]}.")


def _to_table(bunch: object, data_id: int, name: str | None) -> Table:
    data = getattr(bunch, "data", None)
    target = getattr(bunch, "target", None)
    details = getattr(bunch, "details", None) or {}
    called = name or str(details.get("name") or f"OpenML {data_id}")
    if target is None or (isinstance(target, pd.DataFrame) and target.shape[1] != 1):
        if isinstance(data, pd.DataFrame):
            frame = data if target is None else pd.concat([data, target], axis=1)
            return read_table(frame, name=called)
        raise DownloadError(
            f"OpenML data set {data_id} has no single label column; load it as a file and choose."
        )
    if isinstance(target, pd.DataFrame):
        target = target.iloc[:, 0]
    return read_table((data, target), name=called)

"""A file that was named where the server was started: open to whoever holds the secret of its link.

The command `stiknn FILE` reads the file, hands it over here within its own process, and leads a
browser to a link with the secret. Nobody else on the machine, who may well reach the port, can ask
for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from secrets import compare_digest, token_urlsafe
from types import MappingProxyType
from typing import Any

import streamlit as st

from stiknn_core.tables import Table
from stiknn_core.tables.cells.missing import MissingPolicy
from stiknn_ui.uploads import session as uploads
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import ReadFile, digest_of
from stiknn_ui.visit import state

PARAM = "open"
"""The query parameter of the secret."""

_offered: dict[str, Upload] = {}


def offer(
    name: str,
    content: bytes,
    table: Table,
    *,
    overrides: Mapping[str, Any],
    label: str | None = None,
    missing: MissingPolicy | None = None,
) -> str:
    """Keep a file for as long as the server lives; return the secret that asks for it.

    Parameters
    ----------
    name : str
        Folders in it are dropped.
    content : bytes
    table : Table
        What was read from it.
    overrides : mapping
        How it was read.
    label : str, optional
        The label column; by default the proposed one.
    missing : str, optional
        What to do with missing values; by default that is asked.
    """
    short = PurePath(name).name or name
    file = ReadFile(
        short, content, MappingProxyType(dict(overrides)), table, digest_of(content, overrides)
    )
    secret = token_urlsafe(24)
    _offered[secret] = Upload(file, Choices(label=label, missing=missing or "refuse"))
    return secret


def arrive(asked: str) -> None:
    """At the beginning of a visit, use the file whose secret its link holds.

    Where something is asked about it first, the visit goes on to where that is.
    """
    upload = next((kept for secret, kept in _offered.items() if _same(secret, asked)), None)
    if upload is None:
        state.session().notice = (
            "The server that had the file of this link has ended; start it with the file again, or "
            "upload the file."
        )
        return
    uploads.take(upload)
    if state.desk(UploadDesk).draft is not None:
        state.open_form("upload")
        st.switch_page("pages/data.py")


def _same(secret: str, asked: str) -> bool:
    return compare_digest(secret.encode(), asked.encode("utf-8", "surrogatepass"))

"""The form for a file of one's own: add it, see how it was read, say what is what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.phrases import counted
from stiknn_core.tables.cells.missing import Problems
from stiknn_ui.results import describe
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads import tab
from stiknn_ui.uploads.build import Upload, in_page_words
from stiknn_ui.uploads.choices import NONE, Choices, Use, measured_in, repairs
from stiknn_ui.uploads.decisions import (
    Offer,
    decision_line,
    given,
    offers,
    shown,
    takes_words,
    ways_out,
)
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.files import Trouble, sample_files
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_FILE_KEY: Final = "upload-file"
_SAMPLE_KEY: Final = "upload-sample"
_WORDS_KEY: Final = "read.missing_words"
_KIND_KEY: Final = "upload-label-is"
_MOST_LISTED: Final = 200
_USE_OF: Final[Mapping[str, Use]] = {"label": "label", "ids": "id", "truth": "truth"}

AS_FOUND: Final = "\0as found"
"""Stands for "as found" in the boxes; an empty box would ask for a choice."""


def upload_form() -> None:
    """Draw the box for a file and everything that is asked about it."""
    st.file_uploader(
        "A table with one row per point and one column with the label",
        key=_FILE_KEY,
        on_change=_receive_file,
        help=wording.HELP["upload"],
    )
    _file()
    _samples()
    tab.switch()


def _file() -> None:
    """Draw what is asked about the file, how it was read, and what can be changed."""
    here = state.desk(UploadDesk)
    if here.trouble is not None:
        _trouble(here.trouble)
        return
    upload = upload_session.current()
    if upload is None:
        return
    if here.draft is not None and here.question is not None:
        _question(upload, here.question, answered=here.answered)
    if upload.carried:
        st.info(messages.plain(upload.carried), icon=":material/info:")
    _decisions(upload)
    if here.draft is None and upload.problems.any:
        _missing(upload)
    _main_columns(upload)


def _question(upload: Upload, question: Exception, *, answered: bool) -> None:
    """Draw what is asked, with a repair that is chosen already where there is one."""
    tell(question, waiting=True)
    if upload.problems.any:
        _missing(upload)
    if answered:
        st.button("Use these data", key="use-draft", type="primary", on_click=_accept)
    _say_what_stays()


def _trouble(trouble: Trouble) -> None:
    """Draw why a file could not be read, and what may help."""
    tell(trouble.error)
    _say_what_stays()
    found = ways_out(trouble) if isinstance(trouble.error, StiknnError) else []
    if found:
        with st.expander("Read it in another way", expanded=len(found) < 3):
            for offer in found:
                _offer(offer, trouble.overrides)


def _samples() -> None:
    files = sample_files()
    if not files:
        return
    pills: Any = st.pills
    pills(
        "Try a sample file",
        list(files),
        format_func=lambda name: wording.SAMPLES.get(name, name),
        # A button rather than a choice: nothing stays pressed.
        key=state.pinned(_SAMPLE_KEY, None),
        on_change=_receive_sample,
    )


def _decisions(upload: Upload) -> None:
    st.caption(messages.plain(f"{upload.file.name}: {decision_line(upload.table)}"))
    found = offers(upload.table)
    if not found:
        return
    with st.expander("Change how it was read", icon=":material/description:"):
        for pair in zip(found[::2], [*found[1::2], None], strict=False):
            for column, offer in zip(st.columns(2), pair, strict=True):
                if offer is not None:
                    with column:
                        _offer(offer, upload.file.overrides)
        if takes_words(upload.table):
            words = ", ".join(upload.file.overrides.get("missing_words", ()))
            st.text_input(
                "Words that mean 'no value'",
                key=state.pinned(_WORDS_KEY, words),
                placeholder="as found; separate your own by commas",
                on_change=_read_words,
                persist_state="session",
            )


def _offer(offer: Offer, overrides: Mapping[str, Any]) -> None:
    value = overrides.get(offer.option)
    value = AS_FOUND if value is None else shown(offer.option, value)
    found = f"{offer.found} (found)" if offer.found else "as found"
    names = {AS_FOUND: found, **offer.choices}
    names.setdefault(value, str(value))
    key = state.key_for(f"read.{offer.option}", names.values())
    _box(offer.label, names, key, value, _read_again, (offer.option, key, tuple(names)))


def _box(
    label: str,
    names: Mapping[Any, str],
    key: str,
    value: Any,
    on_change: Callable[..., None],
    args: tuple[Any, ...],
    help: str | None = None,
) -> None:
    """Draw a box for choosing a value by its name on screen."""
    selectbox: Any = st.selectbox
    selectbox(
        label,
        list(names),
        format_func=lambda choice: names.get(choice, choice),
        key=state.pinned(key, value),
        on_change=on_change,
        args=args,
        help=help,
        persist_state="session",
    )


def _main_columns(upload: Upload) -> None:
    """Draw the boxes for the columns there is one of."""
    choices, table = upload.choices, upload.file.table
    for slot, use, label in (
        ("label", "label", "Column with the label"),
        ("ids", "id", "Column that names the rows"),
        ("truth", "truth", "Column with the true label"),
    ):
        proposed = table.column_with(use)
        value = getattr(choices, slot)
        value = AS_FOUND if value is None else value
        if slot == "truth" and value == AS_FOUND and proposed is None:
            # Rare: the table of columns has it for those who need it.
            continue
        told = f"{proposed} (found)" if proposed else "none found: choose one"
        voted = slot == "label" and "annotator" in upload.uses.values()
        if voted and upload.uses.get(proposed or "") != "label":
            told = "what most annotators said"
        if slot != "label" and not proposed:
            told = "rows are counted" if slot == "ids" else "none"
        names = {AS_FOUND: told} | ({NONE: "no column"} if slot != "label" else {})
        if voted and told != "what most annotators said":
            names |= {NONE: "what most annotators said"}
        names |= {name: name for name in table.columns}
        key = state.key_for(f"upload-{slot}", [told, *table.columns])
        _box(label, names, key, value, _choose_slot, (slot, key), wording.HELP[f"upload_{slot}"])
        if slot == "label":
            _label_kind(upload)


def _label_kind(upload: Upload) -> None:
    """Draw whether a label of numbers names classes or was measured, as guessed or chosen."""
    label = upload.table.label
    if label is None or upload.table.facts[label].kind != "number":
        return
    measured = measured_in(upload.file.table, upload.choices)
    st.segmented_control(
        "The label is",
        list(wording.LABEL_IS),
        format_func=lambda one: wording.LABEL_IS[one],
        required=True,
        key=state.pinned(_KIND_KEY, measured),
        on_change=_choose_kind,
        help=wording.HELP["label_is"],
        persist_state="session",
    )


@messages.guarded()
def _choose_kind() -> None:
    upload, measured = upload_session.current(), state.widget_value(_KIND_KEY)
    if upload is not None and measured in wording.LABEL_IS:
        upload_session.choose(replace(upload.choices, measured=measured))


def _missing(upload: Upload) -> None:
    problems = upload.problems
    names = policies(problems, upload.table.pictures)
    key = state.key_for("upload-missing", names.values())
    st.radio(
        "Missing and infinite values",
        list(names),
        format_func=lambda policy: names[policy],
        # None where no repair works: then something else is asked first.
        key=state.pinned(key, missing if (missing := upload.choices.missing) in names else None),
        on_change=_choose_missing,
        args=(key,),
        help=wording.HELP["upload_missing"],
        persist_state="session",
    )
    with st.expander("Where they are"):
        by_column, by_row = places(problems)
        for frame, what in ((by_column, "columns"), (by_row, "rows")):
            more = f", the first {_MOST_LISTED:,}" if len(frame) > _MOST_LISTED else ""
            st.caption(f"{len(frame):,} {what}{more}")
            st.dataframe(
                frame.head(_MOST_LISTED),
                hide_index=True,
                height="content" if len(frame) < 8 else 240,
            )


def policies(problems: Problems, pictures: Collection[str]) -> dict[str, str]:
    """Return what can be done with missing values, with what each would take away.

    Parameters
    ----------
    problems : Problems
    pictures : collection of str
        Columns that hold pictures.
    """
    lacking = sum(count for name, count in problems.missing.items() if name in pictures)
    cells = sum(problems.missing.values()) + sum(problems.infinite.values()) - lacking
    columns = len({*problems.missing, *problems.infinite})
    unlabelled = len(problems.missing_labels)
    rows = len({*problems.rows.tolist(), *problems.missing_labels.tolist()})
    without = f", and {counted(unlabelled, 'row')} without a label" if unlabelled else ""
    told: dict[str, str] = {
        "impute": f"Fill in {counted(cells, 'value')}: median, or the most frequent word"
        + (f"; leave out {counted(lacking, 'row')} without a picture" if lacking else "")
        + (f"; leave out {counted(unlabelled, 'row')} without a label" if unlabelled else ""),
        "drop_rows": f"Leave out {counted(rows, 'row')}",
        "drop_columns": f"Leave out {counted(columns, 'column')}{without}",
    }
    return {policy: told[policy] for policy in repairs(problems, pictures)}


def places(problems: Problems) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the missing and infinite cells by column and by row, as two tables."""
    names = dict.fromkeys([*problems.missing, *problems.infinite])
    by_column = pd.DataFrame(
        {
            "column": list(names),
            "missing": [problems.missing.get(name, 0) for name in names],
            "infinite": [problems.infinite.get(name, 0) for name in names],
        }
    )
    rows = sorted({*problems.rows.tolist(), *problems.missing_labels.tolist()})
    gone = set(problems.missing_labels.tolist())
    by_row = pd.DataFrame(
        {
            "row": rows,
            "missing": problems.missing_by_row[rows],
            "infinite": problems.infinite_by_row[rows],
            "no label": [row in gone for row in rows],
        }
    )
    return by_column, by_row


def tell(error: Exception, *, waiting: bool = False) -> None:
    """Say what is wrong with a file, or what is asked about it."""
    if not isinstance(error, StiknnError):
        messages.show_unexpected(error)
    elif waiting:
        st.warning(messages.plain(in_page_words(error)), icon=":material/help:")
    else:
        st.error(messages.plain(in_page_words(error)), icon=":material/error:")


def _say_what_stays() -> None:
    """Say which data the other pages still show, and offer to go back to them."""
    here = state.desk(UploadDesk)
    in_use = describe.data_line(state.settings().data)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(messages.plain(f"Until then in use: {in_use}."), width="content")
        if here.upload is not None or here.draft is not None:
            st.button("Back to them", type="tertiary", on_click=upload_session.step_back)


@messages.guarded()
def _receive_file() -> None:
    file = state.widget_value(_FILE_KEY)
    if file is not None:
        upload_session.receive(file.name, file.getvalue())


@messages.guarded()
def _receive_sample() -> None:
    path = sample_files().get(str(state.widget_value(_SAMPLE_KEY)))
    if path is not None:
        upload_session.receive(path.name, path.read_bytes())


@messages.guarded()
def _accept() -> None:
    upload_session.accept()


@messages.guarded()
def _read_again(option: str, key: str, allowed: tuple[Hashable, ...]) -> None:
    value = state.widget_value(key)
    if value in allowed:
        upload_session.read_again(option, None if value == AS_FOUND else given(option, value))


@messages.guarded()
def _read_words() -> None:
    text = str(state.widget_value(_WORDS_KEY) or "")
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    upload_session.read_again("missing_words", words or None)


@messages.guarded()
def _choose_slot(slot: str, key: str) -> None:
    upload = upload_session.current()
    if upload is not None:
        column = str(state.widget_value(key))
        if column in (AS_FOUND, NONE) or column in upload.table.facts:
            upload_session.choose(_with_slot(upload.choices, slot, column))


def _with_slot(choices: Choices, slot: str, column: str) -> Choices:
    """Give a column a new part; what it was used for before ends."""
    if column in (AS_FOUND, NONE):
        value = None if column == AS_FOUND else NONE
        return replace(choices, **{slot: value})  # type: ignore[arg-type]
    use: Use = _USE_OF[slot]
    return choices.with_use([column], use)


@messages.guarded()
def _choose_missing(key: str) -> None:
    upload = upload_session.current()
    policy = state.widget_value(key)
    if upload is not None and policy in policies(upload.problems, upload.table.pictures):
        upload_session.choose(replace(upload.choices, missing=policy))

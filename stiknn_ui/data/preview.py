"""What a data set looks like before anything is computed."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from stiknn_core.plotting.palette import TARGET_SCALE, class_color, class_symbol
from stiknn_core.preparation import scale_features
from stiknn_core.sampling import band_names, bands_of
from stiknn_core.types import AnyArray, Dataset, IntArray
from stiknn_ui.data import duplicates_panel
from stiknn_ui.page import content_columns
from stiknn_ui.page.download import download
from stiknn_ui.results import exports
from stiknn_ui.results.contents import Contents
from stiknn_ui.results.crowd import votes_line
from stiknn_ui.results.result import plane_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_MOST_ROWS: Final = 500
_GROUP: Final = {False: "class", True: "targets"}
_MOST_COLUMNS: Final = 60
_MOST_POINTS: Final = 5_000
_MOST_UNLIKE: Final = 4
"""One axis this many times as long as the other: units of two kinds."""


def table_of(dataset: Dataset, contents: Contents | None = None, key: str = "") -> pd.DataFrame:
    """Return the first rows as a table, with what was done to them.

    Texts and pictures stand there themselves, in the place of the features made of them.

    Parameters
    ----------
    dataset : Dataset
    contents : Contents or None
        What the rows say and show.
    key : str
        Of the same rows with the same contents; pictures are kept by it. Empty: not kept.
    """
    shown = slice(0, _MOST_ROWS)
    columns = {"id": dataset.ids[shown], "label": dataset.y[shown]}
    if dataset.y_true is not None and len(dataset.flipped):
        columns["true label"] = dataset.y_true[shown]
    table = pd.DataFrame(
        {name: [_told(cell) for cell in column] for name, column in columns.items()}
    )
    rows = np.arange(len(table))
    hidden: set[int] = set()
    if contents is not None and contents.any:
        content_columns.add(table, contents, rows, place=len(columns), key=key)
        for block in dataset.blocks:
            if block.kind in ("text", "picture"):
                hidden.update(range(block.start, block.stop))
    told = [place for place in range(dataset.X.shape[1]) if place not in hidden]
    for place in told[:_MOST_COLUMNS]:
        name = dataset.feature_names[place]
        unique = name if name not in table.columns else f"{name} (feature)"
        table[unique] = dataset.X[shown, place]
    return table


def _told(cell: object) -> str:
    """Return a label or name as text; a measured one without a tail of rounding."""
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell)


def class_counts(dataset: Dataset) -> pd.DataFrame:
    """Return one row per class: rows, share, and how many labels were changed to it."""
    if dataset.measured:
        codes, edges = bands_of(dataset.y)
        names = np.array(band_names(edges.tolist()), dtype=object)
    else:
        names, codes = np.unique(dataset.y, return_inverse=True)
    rows = np.bincount(codes, minlength=len(names))
    counts = pd.DataFrame(
        {
            _GROUP[dataset.measured]: [str(name) for name in names],
            "rows": rows,
            "share": rows / dataset.n,
        }
    )
    if len(dataset.flipped):
        counts["changed to it"] = np.bincount(codes[dataset.flipped], minlength=len(names))
    return counts


def scatter_of(dataset: Dataset, ringed: IntArray | None = None) -> go.Figure:
    """Return the points in the plane, by class; wrong labels and chosen rows are ringed.

    Rows that are to be ringed are drawn even where others have to be left out.
    """
    shown = np.arange(dataset.n)
    chosen = shown[:0] if ringed is None else ringed
    if dataset.n > _MOST_POINTS:
        some = np.linspace(0, dataset.n - 1, _MOST_POINTS).astype(np.int64)
        shown = np.union1d(some, chosen)
    X, blocks = dataset.X[shown], dataset.blocks
    scaled = scale_features(X, blocks=blocks)[0] if blocks else X
    plane = plane_of(X, scaled, dataset.feature_names, blocks)
    labels = dataset.y[shown]
    figure = go.Figure()

    def draw(name: str, here: AnyArray, **look: Any) -> None:
        x, y = plane.xy[here].T
        figure.add_scatter(x=x, y=y, mode="markers", name=name, **look)

    if dataset.measured:
        low, high = np.quantile(labels, (0.02, 0.98)).tolist()
        marker = {
            "size": 7,
            "color": labels,
            "colorscale": TARGET_SCALE,
            "cmin": low,
            "cmax": high,
            "colorbar": {"title": {"text": "target", "side": "top"}},
        }
        told = [f"{label:.6g}" for label in labels.tolist()]
        look = {"marker": marker, "text": told, "hovertemplate": "target %{text}<extra></extra>"}
        draw("rows", np.ones(len(labels), dtype=bool), showlegend=False, **look)
    for code, name in enumerate([] if dataset.measured else np.unique(dataset.y).tolist()):
        marker = {"size": 7, "color": class_color(code), "symbol": class_symbol(code)}
        draw(escape(str(name)), labels == name, marker=marker)
    rings = (
        ("wrong label", np.isin(shown, dataset.flipped), 13, "circle-open", "#c2185b"),
        ("chosen rows", np.isin(shown, chosen), 20, "diamond-open", "#7b61ff"),
    )
    for name, here, size, symbol, color in rings:
        if here.any():
            marker = {"size": size, "symbol": symbol, "color": color, "line": {"width": 2}}
            draw(name, here, marker=marker, hoverinfo="skip")
    titles = [escape(title) for title in plane.axis_titles]
    wide, high = np.ptp(plane.xy, axis=0).tolist()
    # One scale for both axes; of units that have nothing in common one axis would be a line.
    alike = dataset.X.shape[1] == 2 and max(wide, high) <= _MOST_UNLIKE * min(wide, high)
    figure.update_layout(
        height=430,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.08},
        xaxis_title=titles[0],
        yaxis={"title": titles[1], "scaleanchor": "x" if alike else None},
    )
    return figure


def show(dataset: Dataset, contents: Contents, *, draft: bool = False) -> None:
    """Draw sizes, scatter, class counts, the first rows, copies and ties, and the file.

    Parameters
    ----------
    dataset : Dataset
    contents : Contents
        What its rows say and show.
    draft : bool
        Whether it is not in use yet: only what can be said before is drawn.
    """
    # The picture comes first on the page, but which rows it rings is chosen further down.
    picture = st.container()
    counts, rows = st.columns(2)
    with counts:
        d = dataset.X.shape[1]
        st.markdown(f"**{dataset.n:,} rows, {d:,} feature{'' if d == 1 else 's'}**")
        if dataset.votes is not None:
            st.caption(messages.plain(votes_line(dataset)))
        st.dataframe(
            class_counts(dataset).assign(share=lambda table: 100 * table["share"]),
            hide_index=True,
            height="content" if dataset.measured or len(np.unique(dataset.y)) <= 8 else 320,
            column_config={
                "class": st.column_config.TextColumn(help="Label as given."),
                "targets": st.column_config.TextColumn(
                    help="Bands of about equally many rows, each from its first number up to the "
                    "next band."
                ),
                "rows": st.column_config.NumberColumn(width="small"),
                "changed to it": st.column_config.NumberColumn(
                    "wrong", help="Rows that have this label but should have another."
                ),
                "share": st.column_config.ProgressColumn(
                    # Not "percent", which would follow the browser's language: 0,5 beside 0.5.
                    format="%.1f%%",
                    min_value=0,
                    max_value=100,
                    help="Share of all rows.",
                ),
            },
        )
    with rows:
        more = f" (first {_MOST_ROWS} rows)" if dataset.n > _MOST_ROWS else ""
        st.markdown(f"**Table**{more}")
        st.dataframe(
            table_of(dataset, contents, "" if draft else f"preview|{state.settings().data.key}"),
            hide_index=True,
            height=320,
            column_config=content_columns.config(),
            **content_columns.options(contents),
        )
    ringed = None if draft else duplicates_panel.show(dataset)
    with picture:
        figure = scatter_of(dataset, ringed)
        st.plotly_chart(figure, width="stretch", config={"displaylogo": False}, key="preview")
    if draft:
        return
    download(
        "Data (CSV)",
        partial(exports.data_csv, dataset),
        exports.data_file_name(state.settings().data),
        "data",
        help="The rows as they are now, with the true labels beside them where they are known.",
    )


def show_cells(table: pd.DataFrame) -> None:
    """Draw the first rows of a table as they stand in its file, for want of a data set."""
    st.dataframe(table.head(_MOST_ROWS).iloc[:, :_MOST_COLUMNS], hide_index=True, height=430)

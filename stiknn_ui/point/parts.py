"""Each test point's part in a value or in an interaction, on screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from stiknn_core.plane import Plane
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.page import content_columns
from stiknn_ui.page.download import download
from stiknn_ui.point import exports, figures
from stiknn_ui.point.ground import Ground, places_of_tests
from stiknn_ui.point.partners import other_key, other_point
from stiknn_ui.point.tables import Partners, table_of_tests
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work import shelves

_OF: Final = {"value": "its value", "pair": "its interaction with"}
_CHART: Final = {"displaylogo": False}
_NOTHING: Final = 1e-12  # what sums of differences leave of a part that is 0


def draw(ground: Ground, point: int, found: Partners, plane: Plane) -> None:
    """Draw each test point's part, in the plane of the scatter too; then the files."""
    st.markdown("##### Each test point's part in it")
    kind, other = _choices(ground, point, found)
    places = _kept(ground, f"places|{point}", lambda: ground.ranked.places(point))
    of_value = _kept(ground, f"value|{point}", lambda: ground.ranked.value_parts(point))
    low, high = sorted((point, other))

    def of_pair() -> FloatArray:
        """Return what takes a second of very many rows, and is not always looked at."""
        make = partial(ground.ranked.pair_parts, low, high)
        return np.asarray(_kept(ground, f"pair|{low}|{high}", make))

    def parts_csv() -> bytes:
        return exports.parts_csv(ground, point, places, of_value, other, of_pair())

    parts = of_value if kind == "value" else of_pair()
    whole = float(ground.analysis.values[point]) if kind == "value" else float(found.row[other])
    st.markdown(messages.plain(sentence(parts, whole, kind, alone=ground.alone)))
    _pictures(ground, point, other if kind == "pair" else None, parts, places, plane)
    _tables(ground, parts, places)
    with st.container(horizontal=True, key="point-downloads"):
        for label, name, make in (
            ("Its row (CSV)", "row", partial(exports.row_csv, ground, point, found)),
            ("Parts by test point (CSV)", "parts", parts_csv),
        ):
            download(label, make, exports.file_name(name, ground, point), name)


def sentence(parts: FloatArray, whole: float, kind: str, *, alone: bool) -> str:
    """Say how many test points pull up and down, and that their mean is the whole.

    ``kind`` is "value" or "pair"; ``alone`` says whether it is leave-one-out testing,
    where each point has no part in its own test.
    """
    up, down = int((parts > _NOTHING).sum()), int((parts < -_NOTHING).sum())
    name = "value" if kind == "value" else "interaction"
    text = (
        f"Of {len(parts):,} test points {up:,} pull the {name} up and {down:,} down; for the rest "
        f"it makes no difference. Their mean is {parts.mean():+.6g}, the {name} {whole:+.6g}."
    )
    if alone:
        own = "point has" if kind == "value" else "two points have"
        text += f" The {own} no part in {'its' if kind == 'value' else 'their'} own test."
    return text


def _choices(ground: Ground, point: int, found: Partners) -> tuple[str, int]:
    other = other_point(ground, point, found)
    key = other_key(ground, point)
    with st.container(horizontal=True, vertical_alignment="bottom", key="point-part-choice"):
        kind = st.segmented_control(
            "Part in",
            list(_OF),
            format_func=_OF.__getitem__,
            required=True,
            key=state.pinned("point-parts-of", state.widget_value("point-parts-of") or "value"),
        )
        if isinstance(ground.analysis, Analysis):
            names = ground.names(np.arange(ground.analysis.n))
            st.selectbox(
                "Other point",
                [one for one in range(ground.analysis.n) if one != point],
                format_func=names.__getitem__,
                key=state.pinned(key, other),
                width=220,
                disabled=kind != "pair",
            )
        else:
            st.number_input(
                "Other point",
                min_value=0,
                max_value=ground.analysis.n - 1,
                key=state.pinned(key, other),
                width=160,
                disabled=kind != "pair",
                help="Position among the training points, from 0.",
            )
    return kind or "value", other


def _pictures(
    ground: Ground,
    point: int,
    other: int | None,
    parts: FloatArray,
    places: IntArray,
    plane: Plane,
) -> None:
    names = ground.names_of_tests(np.arange(len(parts)))
    labels = ground.labels_of_tests
    told = [f"{name} ({label})" for name, label in zip(names, labels, strict=True)]
    bars, painted = st.columns(2, gap="large")
    with bars:
        st.plotly_chart(
            figures.sorted_parts(parts, told), width="stretch", config=_CHART, key="point-parts"
        )
        st.caption("One bar for each test point; the dashed line is the mean.")
    with painted:
        xy = places_of_tests(ground, plane)
        if xy is None:
            st.markdown(
                "An embedding has no place for test points. Choose PCA or two columns as the plane "
                "on Explore to see them painted."
            )
            return
        # Targets have no symbols; a class that training lacks has the last one.
        unknown = -1 if ground.analysis.targets is None else 0
        code = {name: place for place, name in enumerate(ground.analysis.classes)}
        marked = [point] if other is None else [point, other]
        marks = [(ground.name(one), plane.xy[one]) for one in marked]
        figure = figures.painted_plane(
            xy,
            parts,
            np.array([code.get(label, unknown) for label in labels], dtype=np.int64),
            lambda shown: [f"{told[one]}, {places[one]}. nearest" for one in shown.tolist()],
            plane.axis_titles,
            marks,
            what="part",
            equal_axes=plane.method == "columns",
        )
        st.plotly_chart(figure, width="stretch", config=_CHART, key="point-tests")
        st.caption(
            "Every dot is a test point in the colour of its part; the star is the point itself."
        )


def _tables(ground: Ground, parts: FloatArray, places: IntArray) -> None:
    contents = contents_of(ground.analysis)
    for column, up in zip(st.columns(2, gap="large"), (True, False), strict=True):
        with column:
            st.markdown("**Pull it up most**" if up else "**Pull it down most**")
            table = table_of_tests(ground, parts, places, up=up)
            if table.empty:
                st.markdown("None does.")
                continue
            rows = ground.test_rows[table.index.to_numpy()]
            st.dataframe(
                content_columns.add(table, contents, rows, place=1),
                hide_index=True,
                height="content",
                column_config=content_columns.config()
                | {
                    "class": st.column_config.TextColumn(help="Label of the test point."),
                    "place": st.column_config.NumberColumn(
                        help="How near the point is to it: 1 = its nearest training point."
                    ),
                    "part": st.column_config.NumberColumn(format="%.4g"),
                },
                **content_columns.options(contents),
            )


def _kept(ground: Ground, name: str, make: Callable[[], Any]) -> Any:
    return shelves.derived().obtain(f"point|{name}|{ground.analysis.key}", make)

"""A last row that sums up the rows above is no item."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stiknn_core.phrases import listed

_WORDS = {
    "total", "totals", "grand total", "subtotal", "sum", "average", "mean", "summe", "gesamt",
    "gesamtsumme", "insgesamt", "mittelwert", "durchschnitt", "somme", "total général", "moyenne",
    "suma", "promedio", "totale", "somma", "media", "totaal", "gemiddelde", "razem", "итого",
    "合計", "总计", "合计",
}  # fmt: skip


def without_total(frame: pd.DataFrame) -> tuple[pd.DataFrame, str | None]:
    """Leave out a last row called "Total" if its numbers are sums or means of those above.

    Where they are not, or cannot be compared because they are text, a sentence says so.
    """
    last = frame.iloc[-1]
    said = [str(cell) for cell in last if isinstance(cell, str)]
    word = next((cell for cell in said if cell.rstrip(" :").lower() in _WORDS), None)
    if word is None or len(frame) < 3:
        return frame, None
    known = [name for name in frame.columns if _is_number(frame[name]) and pd.notna(last[name])]
    if known and all(_sums_up(frame[name]) for name in known):
        return frame.iloc[:-1], (
            f"Left out: the last row, {word!r}, which sums up {listed(known)} of the rows above."
        )
    repeated = any(word in frame[name].iloc[:-1].to_numpy() for name in frame.columns)
    if repeated:
        return frame, None
    return frame, (
        f"The last row is called {word!r}; if it sums up the rows above, take it out of the file."
    )


def _is_number(column: pd.Series[float]) -> bool:
    return column.dtype.kind in "if"


def _sums_up(column: pd.Series[float]) -> bool:
    *above, last = column.to_numpy(dtype=np.float64)
    total = np.nansum(above)
    mean = total / max(int(np.isfinite(above).sum()), 1)
    size = float(np.nansum(np.abs(above)))
    return any(bool(np.isclose(last, told, rtol=1e-9, atol=1e-9 * size)) for told in (total, mean))

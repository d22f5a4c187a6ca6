"""How the linked view is drawn: the settings that are not data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from stiknn_core.errors import ParameterError

ColorBy = Literal["class", "value", "quality", "interaction"]

MIN_HEIGHT = 240


@dataclass(frozen=True)
class Marks:
    """Points that are marked in both plots.

    Attributes
    ----------
    what : str
        What they are, after a number: "3 of the 500 most suspicious".
    units : tuple of int
        How many of them each row of the matrix holds; nothing where rows are single points.
    xy : tuple of (float, float)
        Where they lie in the scatter.
    """

    what: str
    units: tuple[int, ...]
    xy: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class ViewOptions:
    """Settings of one linked view.

    Attributes
    ----------
    index : str
        Which interaction index the matrix holds, such as "STII"; named beside the colour bar.
    color_by : {"class", "value", "quality", "interaction"}
        What the colour of a point in the scatter means. ``"interaction"`` paints its
        interaction with the selected point (the mean, when several are selected).
    range_quantile : float in (0, 1]
        The colour range is symmetric about zero and reaches to this quantile of the
        absolute off-diagonal cells; stronger cells take the end colours.
    show_changed : bool
        Whether points whose label is known to be flipped get a ring in the scatter.
    height : int, pixels
        Least height of each plot where the page is wide enough; at least 240. It grows until
        plots, legends and status fill the window below what stands above them.
    caption : str
        Plain text written under the downloaded picture (data set, k, metric, ...).
    marks : Marks or None
        Crosses in the scatter, and circles on the diagonal of the matrix.

    Raises
    ------
    ParameterError
        If a setting is outside the values above.
    """

    index: str = "STII"
    color_by: ColorBy = "class"
    range_quantile: float = 0.98
    show_changed: bool = False
    height: int = 320
    caption: str = ""
    marks: Marks | None = None

    def __post_init__(self) -> None:
        _one_of("color_by", self.color_by, get_args(ColorBy))
        if not 0.0 < self.range_quantile <= 1.0:
            raise ParameterError(
                "range_quantile must be above 0 and at most 1; "
                f"got {self.range_quantile!r}. Choose for example 0.98."
            )
        if self.height < MIN_HEIGHT:
            raise ParameterError(
                f"height must be at least {MIN_HEIGHT} pixels; got {self.height!r}. Make it larger."
            )


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        choices = ", ".join(f"'{item}'" for item in allowed)
        raise ParameterError(f"{name} must be one of {choices}; got {value!r}. Choose one of them.")

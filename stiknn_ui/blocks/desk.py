"""What one visitor looks at in a block view: remembered between reruns. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import Level, top_level


@dataclass
class BlockDesk:
    """A large data set on one visitor's screen.

    Attributes
    ----------
    shown : str
        Key of the last finished analysis, on a shelf; its picture stays until the next one.
    scope : str
        What the levels belong to: point ids mean nothing without it.
    store : str
        Name of the stored matrix that is looked at in place of the data; empty for none.
    levels : tuple of Level
        From all points down to those that are looked at.
    """

    shown: str = ""
    scope: str = ""
    store: str = ""
    levels: tuple[Level, ...] = ()

    def level(self, analysis: BlockAnalysis) -> Level:
        """Return the level that is looked at; all points where the data are others than before."""
        if self.scope != analysis.scope or not self.levels:
            self.scope = analysis.scope
            self.levels = (top_level(analysis),)
        return self.levels[-1]

    def open(self, level: Level) -> None:
        """Look at a part of what is looked at."""
        if self.levels and level.digest != self.levels[-1].digest:
            self.levels = (*self.levels, level)

    def back_to(self, depth: int) -> None:
        """Look at an earlier level again, 0 = all points."""
        self.levels = self.levels[: max(1, depth + 1)]

"""What is remembered of one visitor between reruns, whatever pages there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar
from uuid import uuid4

from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.spec import DataSpec, Source
from stiknn_view.selection import Selection

Desk = TypeVar("Desk")


@dataclass
class Session:
    """Everything remembered for one visitor between reruns.

    What a single page remembers lies on a desk that the page declares itself.

    Attributes
    ----------
    visitor : str
        Random text that tells this visitor from others; known to the server only.
    settings : Settings
        What the controls say.
    page : str
        The page that is open, by its slug.
    notice : str
        What was not understood in the link the visit began with.
    chosen : set of str
        Settings that a person has chosen and nothing else may change: "compute.scaling".
    tab : Source or None
        Form that was opened without changing the data.
    kept : dict
        The last settings of each data source, for coming back to it.
    selections : dict
        Selections by scope: point ids mean nothing without it.
    linked : (str, Selection) or None
        What the link asked to be selected, with its scope, until its data are there.
    newest_seq : int
        Highest selection number seen; later ones must exceed it.
    scopes : dict
        Scope that each view showed last.
    drawn_on : dict
        The page that drew each bound widget last, and when it first did, by the widget's key.
    desks : dict
        What each page remembers, by the class that it declares for it.
    """

    visitor: str = field(default_factory=lambda: uuid4().hex)
    settings: Settings = field(default_factory=Settings)
    page: str = "home"
    notice: str = ""
    chosen: set[str] = field(default_factory=set)
    tab: Source | None = None
    kept: dict[Source, DataSpec] = field(default_factory=dict)
    selections: dict[str, Selection] = field(default_factory=dict)
    linked: tuple[str, Selection] | None = None
    newest_seq: int = 0
    scopes: dict[str, str] = field(default_factory=dict)
    drawn_on: dict[str, tuple[str, float]] = field(default_factory=dict)
    desks: dict[type[Any], Any] = field(default_factory=dict)

    def desk(self, kind: type[Desk], make: Callable[[], Desk] | None = None) -> Desk:
        """Return what one page remembers, made on the first call.

        Parameters
        ----------
        kind : type
            A class of the page's own, which is also the name of its desk.
        make : callable, optional
            What makes the first one; by default the class itself, without arguments.
        """
        if kind not in self.desks:
            self.desks[kind] = (make or kind)()
        found: Desk = self.desks[kind]
        return found

    def tell(self, what: Literal["left", "ended"]) -> None:
        """Let each desk that has a method of this name know of the end of the visit.

        ``left``: the connection is lost, and the visitor may come back. ``ended``: it is over.
        """
        for desk in list(self.desks.values()):
            hear = getattr(desk, what, None)
            if callable(hear):
                hear()

"""Compiled loops before they are needed, with a word that it happens once."""

from __future__ import annotations

from stiknn_command.progress import Told
from stiknn_core.precompile import Part, precompile, ready


def get_ready(part: Part, quiet: bool = False) -> None:
    """Compile what is not compiled yet, and say so: it takes from some seconds to a minute."""
    if ready(part):
        return
    told = Told(quiet)
    told.say("The loops are compiled for this machine now, once; later starts find them.")
    told.begin("Compiling")
    seconds = precompile(told.step, part)
    told.say(f"Compiled in {seconds:.0f} s.")

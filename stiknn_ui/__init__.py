"""The dashboard: everything but its scripts, which say in which order its parts are drawn."""

from pathlib import Path
from typing import Final

_CARRIED: Final = Path(__file__).parent / "carried"

#: Where `app.py`, `pages/` and what pages read of the documents are: above this package in a
#: checkout, and inside of it where it was installed; `setup.py` carries them there.
ROOT: Final = _CARRIED if _CARRIED.is_dir() else Path(__file__).parents[1]

"""Carry into the wheel what the dashboard needs of a checkout beside its package.

Streamlit runs files, not modules: `app.py` and `pages/` stay at the top of a checkout, where
`streamlit run app.py` looks for them, and an installed package holds copies. All else that there
is to say of the build stands in pyproject.toml.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TARGET = "stiknn_ui/carried"
CARRIED = (
    "app.py",
    "pages/*.py",
    ".streamlit/config.toml",
    "sample_data/*.*",  # with README.md: whose data these are, and their licences
    "docs/reading.md",
    "docs/pictures/pattern-*.png",
)


class BuildWithScripts(build_py):
    """Build the packages, and put what is carried beside them."""

    def run(self) -> None:
        """Copy all files; an editable install takes them from where they are."""
        super().run()
        if not self.editable_mode:
            for source, target in self._carried().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return all files that are written."""
        written: list[str] = super().get_outputs(include_bytecode)
        return written if self.editable_mode else [*written, *self._carried().values()]

    def _carried(self) -> dict[str, str]:
        """Return where each file is, relative to here, and where it goes."""
        here = Path(__file__).parent
        found: dict[str, str] = {}
        for pattern in CARRIED:
            paths = sorted(here.glob(pattern))
            if not paths:
                raise FileNotFoundError(f"nothing is there to carry: {pattern}")
            for path in paths:
                name = path.relative_to(here).as_posix()
                found[name] = str(Path(self.build_lib, TARGET, name))
        return found


setup(cmdclass={"build_py": BuildWithScripts})

"""Write `docs/glossary.md` from the terms in code: ``python -m scripts.glossary``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from stiknn_ui.words import glossary

DOCUMENT: Final = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(glossary.document(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""What a review is about: the data and settings it was last used with. Pure.

Noted with the decisions, so that the token alone opens what they belong to, or says which
file is needed for that.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from stiknn_ui.asked import links
from stiknn_ui.asked.links import Settings
from stiknn_ui.review.decisions import shown
from stiknn_ui.review.keys import file_source
from stiknn_ui.uploads.build import Upload


@dataclass(frozen=True)
class About:
    """The data of a review.

    Attributes
    ----------
    source : str
        As in ``DataSpec``.
    query : str
        The settings as in a link; for an upload, those of the computation and the view.
    name, label, file : str
        Of an upload: file name, label column, and source of its rows.
    rows : int
        Rows of the file.
    """

    source: str
    query: str = ""
    name: str = ""
    label: str = ""
    file: str = ""
    rows: int = 0

    @classmethod
    def of(cls, settings: Settings, upload: Upload | None) -> About:
        """Return what settings and upload are about."""
        query = links.to_query(settings)
        if settings.data.source != "upload" or upload is None:
            return cls(settings.data.source, query)
        label = _label_of(upload)
        source = file_source(upload.file.digest, label)
        return cls("upload", query, upload.file.name, label, source, upload.table.n_rows)

    @classmethod
    def from_json(cls, text: str) -> About | None:
        """Return what was noted; None if nothing was, or nothing that can be understood."""
        try:
            found = cls(**json.loads(text))
        except (RecursionError, TypeError, ValueError):
            return None
        kinds = {"rows": int}
        fits = [isinstance(v, kinds.get(name, str)) for name, v in asdict(found).items()]
        return found if all(fits) else None

    def to_json(self) -> str:
        """Return it as text."""
        return json.dumps(asdict(self))

    def awaits(self, upload: Upload | None) -> str:
        """Return one sentence that asks for the file; empty if nothing is missing."""
        if self.source != "upload":
            return ""
        if upload is not None and file_source(upload.file.digest, self.label) == self.file:
            if _label_of(upload) == self.label:
                return ""
            return (
                f"The decisions of this review belong to the label column {shown(self.label)!r}: "
                "choose it on the Data page, and they are back."
            )
        return (
            f"The decisions of this review belong to the file {shown(self.name)!r} with "
            f"{self.rows:,} rows and the label column {shown(self.label)!r}, which was not kept: "
            "upload it again on the Data page, and they are back."
        )


def _label_of(upload: Upload) -> str:
    return next((name for name, use in upload.uses.items() if use == "label"), "")

"""Label quality as an issue of cleanlab's Datalab, for those who have cleanlab.

cleanlab is licensed under the AGPL, so it is no requirement and no extra of this package: it is
imported when somebody who has installed it asks for the issue, and none of its code stands here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Final

import numpy as np
import pandas as pd

from stiknn_core.errors import MissingExtraError, ParameterError
from stiknn_core.labels.inspector import LabelInspector
from stiknn_core.validation.settings import plain

ISSUE_NAME: Final = "stiknn_label"

_DESCRIPTION: Final = (
    "Another class than the given one has the largest share of the support by the rows around. "
    "The score is the label quality of STI-KNN, in [0, 1]; low = suspicious."
)


def register_datalab() -> type:
    """Teach cleanlab's Datalab the issue "stiknn_label", and return its issue manager.

    Afterwards ``lab.find_issues(issue_types={"stiknn_label": {"features": X}})`` finds it, with any
    parameter of `stiknn_core.LabelInspector` beside ``features``.

    Returns
    -------
    type
        The class that is registered for classification. ``stiknn_label_score`` is the label
        quality, in [0, 1], low = suspicious; ``is_stiknn_label_issue`` says that the suggested
        class is another than the given one; the score of the summary is the mean label quality.
        ``lab.get_info("stiknn_label")`` holds ``given_label``, ``suggested_label`` and ``value``
        (KNN-Shapley value) of every row, and the settings.

    Raises
    ------
    MissingExtraError
        Without cleanlab and what its Datalab needs: ``pip install "cleanlab[datalab]"``.

    Notes
    -----
    Calling it again registers nothing anew. Datalab prints errors of an issue rather than raising
    them. Costs are those of `stiknn_core.rank_suspects`. cleanlab, whose licence is the AGPL, is
    imported by this call and by nothing else in this package.
    """
    missing = [name for name in ("cleanlab", "datasets") if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"An issue of Datalab needs {' and '.join(missing)}, which "
            f"{'is' if len(missing) == 1 else 'are'} not installed; run "
            'pip install "cleanlab[datalab]" (its licence is the AGPL).'
        )
    return _registered()


@cache
def _registered() -> type:
    base: Any = import_module("cleanlab.datalab.internal.issue_manager").IssueManager
    factory: Any = import_module("cleanlab.datalab.internal.issue_manager_factory")

    class StiknnLabelIssueManager(base):  # type: ignore[misc]
        """What Datalab asks for the issue "stiknn_label"."""

        description: ClassVar[str] = _DESCRIPTION
        issue_name: ClassVar[str] = ISSUE_NAME
        verbosity_levels: ClassVar[dict[int, list[str]]] = {
            0: [],
            1: ["given_label", "suggested_label"],
            2: ["value"],
        }

        def find_issues(self, features: Any = None, **settings: Any) -> None:
            """Score the labels of the Datalab by the features given."""
            if features is None:
                raise ParameterError(
                    f"The issue {ISSUE_NAME!r} needs features and got none; pass them as "
                    f'issue_types={{"{ISSUE_NAME}": {{"features": X}}}}.'
                )
            if not self.datalab.has_labels:
                raise ParameterError(
                    f"The issue {ISSUE_NAME!r} is about labels, and this Datalab has none; make it "
                    "with label_name."
                )
            codes = np.asarray(self.datalab.labels)
            found = LabelInspector(**settings).fit(features, codes)
            names = [plain(name) for name in self.datalab.class_names]
            self.issues = pd.DataFrame(
                {
                    f"is_{ISSUE_NAME}_issue": found.suggested_ != codes,
                    self.issue_score_key: found.quality_,
                }
            )
            self.summary = self.make_summary(score=float(found.quality_.mean()))
            self.info = {
                "given_label": [names[code] for code in codes.tolist()],
                "suggested_label": [names[code] for code in found.suggested_.tolist()],
                "value": found.values_,
                "settings": found.get_params(),
            }

    registered: type = factory.register(StiknnLabelIssueManager, task="classification")
    return registered

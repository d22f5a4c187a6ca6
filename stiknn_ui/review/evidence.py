"""What speaks for and against one label, in sentences and small tables. Pure."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd

from stiknn_core.scores import SCORES
from stiknn_core.types import IntArray
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.build import Upload


def reason(subject: Subject, point: int) -> str:
    """Say in one or two sentences why a point stands where it does."""
    analysis = subject.analysis
    given, suggested = subject.given[point], str(subject.suggested[point])
    near = subject.nearest(point)
    counts = Counter(analysis.classes[code] for code in analysis.codes[near])
    told = ", ".join(f"{count} of class {name}" for name, count in counts.most_common())
    quality = subject.scores["quality"][point]
    if suggested == given:
        text = f"Class {given} is backed best ({quality:.0%} of the backing)."
    else:
        text = f"Class {suggested} is backed better than {given}, which has {quality:.0%}."
    text += f" Its {len(near)} nearest points: {told}."
    alike = float(subject.scores["row"][point]) if "row" in subject.scores else 0.0
    if alike:  # 0 where there is no other class, or no row to compare
        more, less = ("its own class", "any other") if alike >= 0 else ("another class", "its own")
        text += f" Its matrix row looks more like the rows of {more} than of {less} ({alike:+.2f})."
    return text


def score_table(subject: Subject, point: int) -> pd.DataFrame:
    """Return one row per score: its value, and where it ranks the point among all.

    Returns
    -------
    DataFrame
        Columns "score", "value" (text), "rank" (1 = most suspicious), "meaning".
    """
    lines = []
    for name, info in SCORES.items():
        if name not in subject.scores:
            continue
        scores = subject.scores[name]
        rank = 1 + int((scores < scores[point]).sum())
        lines.append((info.title, f"{scores[point]:.3g}", rank, info.meaning))
    return pd.DataFrame(lines, columns=["score", "value", "rank", "meaning"])


def backing_table(subject: Subject, point: int) -> pd.DataFrame:
    """Return what the point would earn with each class, best first.

    Returns
    -------
    DataFrame
        Columns "class" and "backing", a share of all backing, in [0, 1].
    """
    support = subject.support[point]
    total = float(support.sum())
    share = support / total if total > 0 else np.zeros_like(support)
    table = pd.DataFrame({"class": list(subject.analysis.classes), "backing": share})
    return table.sort_values("backing", ascending=False, kind="stable", ignore_index=True)


def nearest_table(subject: Subject, near: IntArray) -> pd.DataFrame:
    """Return the nearest points with their labels, nearest first."""
    analysis = subject.analysis
    return pd.DataFrame(
        {
            "id": [analysis.ids[point] for point in near],
            "label": [analysis.classes[code] for code in analysis.codes[near]],
        }
    )


def feature_table(subject: Subject, point: int) -> pd.DataFrame:
    """Return the point's features beside the means of the two classes in question.

    Returns
    -------
    DataFrame
        Columns "feature", "value", "mean of ..." for the given and the suggested class.
    """
    analysis = subject.analysis
    dataset = analysis.dataset
    table = pd.DataFrame(
        {"feature": list(dataset.feature_names), "value": dataset.X[subject.rows[point]]}
    )
    names = dict.fromkeys([subject.given[point], str(subject.suggested[point])])
    for name in names:
        if name in analysis.classes:
            members = analysis.rows[analysis.codes == analysis.classes.index(name)]
            table[f"mean of {name}"] = dataset.X[members].mean(axis=0)
    return table


def uploaded_row(subject: Subject, row: int, upload: Upload | None) -> pd.DataFrame | None:
    """Return a row of the data set as it stands in the uploaded file, whole.

    Returns
    -------
    DataFrame or None
        Columns "column" and "cell"; None for a row that is not of this table.
    """
    analysis = subject.analysis
    data, dataset = analysis.data, analysis.dataset
    if data.source != "upload" or upload is None or upload.spec.digest != data.digest:
        return None
    from_test_file = analysis.compute.evaluation == "test-file" and subject.side == "test"
    if dataset.source_rows is None or dataset.source_rows[row] < 0 or from_test_file:
        return None
    cells = upload.file.table.cells.iloc[int(dataset.source_rows[row])]
    texts = ["" if pd.isna(cell) else str(cell) for cell in cells.tolist()]
    return pd.DataFrame({"column": [str(name) for name in cells.index], "cell": texts})

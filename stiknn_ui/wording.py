"""Every option's name on screen and every help text, in one place, in plain words."""

from __future__ import annotations

from typing import Final

GENERATORS: Final = {
    "circles": "Two rings",
    "moons": "Two moons",
    "blobs": "Blobs",
    "xor": "Checkerboard of four (xor)",
    "spirals": "Spirals",
}
BUNDLED: Final = {
    "iris": "Iris, 150 flowers, 4 measurements, 3 species",
    "wine": "Wine, 178 samples, 13 measurements, 3 growers",
    "breast_cancer": "Breast cancer, 569 samples, 30 measurements, 2 diagnoses",
    "digits": "Digits, 1,797 images of 8 x 8 pixels, 10 digits",
}
MANY_CLASSES: Final = ("blobs", "spirals")
"""Generators that can make more than two classes."""

INDEX: Final = {
    "STII": "Shapley-Taylor",
    "SII": "Shapley interaction",
    "BII": "Banzhaf interaction",
}
METRIC: Final = {
    "euclidean": "Euclidean",
    "manhattan": "Manhattan",
    "chebyshev": "Chebyshev",
    "cosine": "Cosine",
}
TIES: Final = {"expected": "Average over orders", "index": "Earlier row first"}
EVALUATION: Final = {"leave-one-out": "Leave one out", "hold-out": "Hold out a share"}
SCALING: Final = {
    "none": "None",
    "standard": "Standardised",
    "robust": "Median and quartiles",
    "minmax": "0 to 1",
}
ORDER: Final = {
    "class": "Class, then position",
    "value": "Class, then value",
    "cluster": "Class, then similar rows",
    "input": "As in the data",
}
COLOR_BY: Final = {
    "class": "Class",
    "value": "Value",
    "quality": "Label quality",
    "interaction": "Interaction",
}
RANK_BY: Final = {
    "quality": "Label quality",
    "value": "Value",
    "row": "Likeness of matrix rows",
}
FLIP_KIND: Final = {
    "uniform": "Any other class",
    "nearest": "The class next to the point",
    "asymmetric": "From the first class to the second",
}

HELP: Final = {
    "k": "How many nearest neighbours vote on each test point.",
    "index": (
        "How the shared effect of two points is averaged over all subsets of the others. "
        "Shapley-Taylor (STII) is the one in the paper; the Shapley (SII) and Banzhaf (BII) "
        "interactions weigh the sizes of the subsets differently."
    ),
    "metric": "How the distance between two rows is measured.",
    "ties": (
        "What counts when several points are equally far away. The average over all their "
        "orders does not depend on how the rows are sorted; the paper takes the earlier row."
    ),
    "evaluation": (
        "Who judges the training points. Leave one out: every point is tested with all the "
        "others. Hold out: a random share of the rows tests the rest and is not in the matrix."
    ),
    "share": "Share of the rows that is kept for testing. Every class keeps its proportion.",
    "split_seed": "Decides which rows are held out. The same seed gives the same rows.",
    "scaling": (
        "Columns with large numbers dominate distances. Scaling is fitted on the training "
        "rows alone and applied to all."
    ),
    "order": "How the rows and columns of the matrix are sorted. It never changes a number.",
    "color_by": (
        "What colours the points of the scatter. 'Interaction' paints the mean matrix row of "
        "the selected points onto the plane."
    ),
    "range": (
        "Share of the matrix cells that the colours cover; stronger ones get the strongest "
        "colour. Lower it to see faint structure."
    ),
    "show_changed": "Outline the points whose label was changed on purpose.",
    "rank_by": (
        "Label quality: how well the neighbours that a point helps to classify back its "
        "label. Value: what it adds to the classifier. Likeness of matrix rows: whether its "
        "row looks like those of another class - what the eye sees, and weaker."
    ),
    "seed": "Decides every random choice. The same seed gives the same data.",
    "n": "Number of points to generate.",
    "noise": "How far the points scatter around their shape.",
    "n_classes": "Number of classes to generate.",
    "imbalance": "0 makes all classes equally large; at 0.9 the first is a tenth of the last.",
    "flip": "Share of labels that is changed on purpose, so that you can check who finds them.",
    "flip_kind": "Which class a changed label gets.",
    "copies": "Share of rows added as exact copies of others.",
    "outliers": "Share of rows added far away from their class.",
    "thin": "Share of the rows of the last class that is taken away.",
}

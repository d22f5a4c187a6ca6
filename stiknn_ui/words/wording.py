"""Every option's name on screen and every help text, in one place, in plain words."""

from __future__ import annotations

from typing import Final

from stiknn_ui.words import glossary

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
    "diabetes": "Diabetes (measured), 442 patients, 10 measurements, progression",
}
MANY_CLASSES: Final = ("blobs", "spirals")
"""Generators that can make more than two classes."""

METRIC: Final = {
    "euclidean": "Euclidean",
    "manhattan": "Manhattan",
    "chebyshev": "Chebyshev",
    "cosine": "Cosine",
}
SPACE: Final = {"features": "Features", "forest": "Random forest"}
TIES: Final = {"expected": "Average over orders", "index": "Earlier row first"}
PUBLIC_EVALUATION: Final = {"leave-one-out": "Leave-one-out testing", "hold-out": "Held-out rows"}
"""Test points that any data set allows; they may go into a link."""
EVALUATION: Final = {
    **PUBLIC_EVALUATION,
    "test-file": "Test file",
    "split-column": "Split column",
}
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
ORDER_OF_TARGETS: Final = {
    "class": "Target, then position",
    "value": "Band of targets, then value",
    "cluster": "Band, then similar rows",
    "input": "As in the data",
}
COLOR_BY: Final = {
    "class": "Class",
    "value": "Value",
    "quality": "Label quality",
    "interaction": "Interaction",
}
COLOR_OF_TARGETS: Final = {
    "class": "Target",
    "value": "Value",
    "interaction": "Interaction",
}
CONFUSION_GAIN: Final = (
    "This ranking gained where one class is taken for one other (+0.06 average precision on 15 "
    "sets), and nothing in general."
)
RANK_BY: Final = {
    "quality": "Label quality",
    "confusion": "One class mistaken for another",
    "value": "Value",
    "in_out": "Own class against others",
    "row": "Likeness of matrix rows",
    "rarity": "Rarity of the label alone",
    "distance": "Distance of the target",
}
SECTION: Final = {
    "pictures": "Matrices",
    "pairs": "Pairs",
    "values": "Values",
    "suspects": "Suspects",
    "sweep": "All k",
    "errors": "Enough test points?",
}
FLIP_KIND: Final = {
    "uniform": "Any other class",
    "nearest": "The class next to the point",
    "asymmetric": "From one class to another",
}

SAMPLES: Final = {
    "circles_flipped.csv": "Rings, wrong labels",
    "digits_400.csv": "Digits",
    "digits_wrong.zip": "Pictures in wrong folders",
    "flats_rents.csv": "Flats, some rents wrong",
    "flowers_by_five.csv": "Flowers, five annotators",
    "leaves_german.csv": "Leaves, in German",
    "message_vectors.jsonl": "Embeddings of messages",
    "messages.csv": "Messages, wrong topics",
    "monks2.csv": "Monks-2",
    "moons_unbalanced.csv": "Moons, unbalanced",
    "tic_tac_toe.csv": "Tic-tac-toe",
}
"""What the files of sample_data/ are called on their buttons."""
LABEL_IS: Final = {False: "Classes", True: "A measured number"}
"""What a label of numbers may be."""
USES: Final = {
    "number": "Feature: number",
    "one-hot": "Feature: 0/1 for each word",
    "ordered": "Feature: ordered words",
    "text": "Feature: free text",
    "counts": "Feature: counted words",
    "date": "Feature: parts of a date",
    "vector": "Feature: embedding",
    "picture": "Feature: picture",
    "label": "Label",
    "id": "Name of the row",
    "truth": "True label",
    "annotator": "Annotator's label",
    "annotator name": "Annotator's name",
    "ignored": "Left out",
}
"""What a column of an upload can be used for."""

HELP: Final = {
    "upload": (
        "Text with any separator, Excel, OpenDocument, Parquet, Arrow, JSON, SQLite, SPSS, Stata, "
        "SAS, ARFF, LIBSVM, NPZ or NPY, also packed; the content decides, not the file's ending. "
        "The file stays in the memory of this "
        "server, for this browser tab, and goes nowhere else."
    ),
    "upload_label": (
        "The class of each row, as written: 'NA', 'yes' and '01' stay what they are; or a measured "
        "number. Where several annotators have a column each, it is what most of them said, unless "
        "a column holds what was agreed on."
    ),
    "label_is": (
        "A guess from the numbers in it. Classes: rows of equal numbers belong together. A "
        "measured number: the game is the mean loss of the k neighbours (not the loss of their "
        "mean), and neighbours say which numbers are far off."
    ),
    "upload_ids": "What to call each row in tables and exports; never a feature.",
    "upload_truth": "Labels known to be right, to check the findings with; never a feature.",
    "reading": (
        "A few cells as they stand in the file, and what was read from each. Another way is "
        "taken for this column alone."
    ),
    "upload_missing": ("Medians and most frequent words are taken from the training rows alone."),
    "columns_all": (
        "Words of few values become one 0/1 feature each, words of many values are counted and "
        "hashed, dates become their parts, free text the components of its words. All of it is "
        "learned from the training rows alone, and none of it looks at the label."
    ),
    "columns_numbers": "Leaves out words, dates and free text; one click brings them back.",
    "text_terms": (
        "Words: single ones and pairs of neighbours. Characters: runs of 3 to 5 within words, "
        "which stand misspellings and endings."
    ),
    "text_components": (
        "The rarer a term, the more it counts (TF-IDF); a truncated SVD keeps so many directions "
        "of the largest variance. More of them tell finer differences and take longer."
    ),
    "text_model": "The sentence model in the folder that STIKNN_TEXT_MODEL names on this server.",
    "one_file": (
        "The picture as it is here, linked and clickable, in one file that opens without a server "
        "or a connection. It holds ids, labels and places in the scatter of all points and their "
        "interactions; of the features only what the two axes show."
    ),
    "worksheet": (
        "These points and the chosen pair as a page to print: tasks with blanks, then the answers."
    ),
    "columns_find": "Part of a column's name, of its use or of the reason.",
    "split_column": (
        "Says 'train' for training rows and another word, such as 'test', for the rest."
    ),
    "test_file": "A second file with the same columns, in any order.",
    "k": "How many of the nearest training points vote on each test point.",
    "game": f"{glossary.means('game')} It changes every number, and is named beside them.",
    "index": (
        f"{glossary.means('interaction')} "
        "Shapley-Taylor (STII) is the one in the paper; the others weigh the sizes of the sets "
        "differently. Calibrated: large sets alone. Leave two out: all other points alone."
    ),
    "q": "Every other point is there with this chance; 0.5 is the Banzhaf interaction.",
    "alpha": "The larger, the more small sets count; α = β = 1 is the Shapley interaction.",
    "beta": "The larger, the more large sets count.",
    "at_least": (
        "T, the fewest other points of a set that counts. From k on every set is full, so that "
        "a value below 0 says that the point brings less than those whose places it takes."
    ),
    "score": (
        "Matching labels: 1 over k where both labels are the same. Nearer counts more: the same, "
        "times a number that falls with the distance from 1 to 0. Losses are of measured targets."
    ),
    "bandwidth": (
        "How fast a neighbour counts less with its distance. Found from the data: a quarter of "
        "the distances between training points are smaller. The one that was used stands under "
        "the picture."
    ),
    "delta": (
        "Up to here a loss grows like a square, beyond it in a straight line. Found from the data: "
        "the median distance of the targets from their median."
    ),
    "metric": "How the distance between two rows is measured.",
    "space": (
        "Where neighbours are looked for. Features: the distance between two rows. Random "
        f"forest: its proximity, {glossary.inside('proximity')} It follows what trees can learn, "
        "whatever the scale of the columns, and the matrix on top is as exact. The choice holds on "
        "all pages. "
        "The paper takes the features; the forest found more wrong labels on most of the data "
        "sets that we measured."
    ),
    "ties": (
        "What counts when several points are equally far away. The average over all their "
        "orders does not depend on how the rows are sorted; the paper takes the earlier row."
    ),
    "evaluation": (
        f"{glossary.means('test points')} Leave-one-out testing: "
        f"{glossary.inside('leave-one-out testing')} Held-out rows: "
        f"{glossary.inside('held-out rows')} Uploads can also bring a test file, or a split "
        "column that says which rows are test points. Only training points are in the matrix. "
        "Where leave-one-out testing has more than 4,000 rows, 1,000 of them test the pairs in "
        "pictures, and all of them every single row."
    ),
    "held_out_rows": (
        "How many rows are test points. They are drawn by the seed and every class keeps its "
        "proportion. Time grows with their number; the noise of an entry shrinks with its root."
    ),
    "share": "Share of the rows that are test points. Every class keeps its proportion.",
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
    "show_changed": "Outline the points whose label is known to be wrong.",
    "rank_by": (
        f"Label quality: {glossary.inside('label quality')} One class mistaken for another: the "
        "support, trees that did not see the row and a linear model together, corrected for "
        f"classes that are often given the label of another. {CONFUSION_GAIN} Value: "
        f"{glossary.inside('value')} Likeness of matrix rows: whether its "
        "row looks like those of another class - what the eye sees, and weaker. Distance of the "
        "target: how far a measured target is from what the test points around it have."
    ),
    "seed": "Decides every random choice. The same seed gives the same data.",
    "n": "Number of points to generate.",
    "noise": "How far the points scatter around their shape.",
    "n_classes": "Number of classes to generate.",
    "imbalance": "At 0 % all classes are equally large; at 90 % the first is a tenth of the last.",
    "flip": "Share of labels that is changed on purpose, so that you can check who finds them.",
    "flip_kind": "Which class a changed label gets.",
    "copies": "Share of rows added as exact copies of others.",
    "outliers": "Share of rows added far away from their class.",
    "thin": "Share of the rows of this class that is taken away, drawn by the seed.",
    "thin_of": "The class that becomes smaller.",
    "flip_from": "Only labels of this class are changed.",
    "flip_to": "What they are changed to.",
    "sample": "More rows than this are sampled, class by class, by the seed of the data.",
    "plane": (
        "Where the points are drawn. PCA: the two directions of largest variance of the "
        "standardised columns, of texts and embeddings as they are. t-SNE and UMAP keep "
        "neighbours together, but distances and directions across the picture mean nothing. "
        "Orders by position follow the plane; no number of the matrix changes."
    ),
}

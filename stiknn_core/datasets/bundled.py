"""Five small real data sets that come with scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)

from stiknn_core.types import AnyArray, Dataset
from stiknn_core.validation.settings import check_choice

BundledName = Literal["iris", "wine", "breast_cancer", "digits", "diabetes"]

BUNDLED: tuple[BundledName, ...] = get_args(BundledName)


@dataclass(frozen=True)
class Origin:
    """Where a data set comes from.

    Attributes
    ----------
    title : str
        As its source calls it.
    by : str
        Who gave it, and when.
    address : str
        Its page, where licence and description stand.
    licence : str
    remark : str
        In what the copy of scikit-learn differs; empty if in nothing.
    keeper : str
        Whose page it is.
    """

    title: str
    by: str
    address: str
    licence: str = "CC BY 4.0"
    remark: str = ""
    keeper: str = "UCI Machine Learning Repository"


ORIGINS: Mapping[BundledName, Origin] = MappingProxyType(
    {
        "iris": Origin(
            "Iris",
            "R. A. Fisher, 1936",
            "https://doi.org/10.24432/C56C76",
            remark="two rows corrected by Fisher's paper",
        ),
        "wine": Origin("Wine", "S. Aeberhard, M. Forina, 1991", "https://doi.org/10.24432/C5PC7J"),
        "breast_cancer": Origin(
            "Breast Cancer Wisconsin (Diagnostic)",
            "W. H. Wolberg, W. N. Street, O. L. Mangasarian, 1995",
            "https://doi.org/10.24432/C5DW2B",
        ),
        "digits": Origin(
            "Optical Recognition of Handwritten Digits",
            "E. Alpaydin, C. Kaynak, 1998",
            "https://doi.org/10.24432/C50P49",
            remark="its test part",
        ),
        "diabetes": Origin(
            "Diabetes",
            "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani, 2004",
            "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
            licence="no licence is stated",
            remark="without scaling; the label is a measured number",
            keeper="North Carolina State University",
        ),
    }
)
"""As scikit-learn brings them along."""

_READERS: dict[str, Any] = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
    "diabetes": lambda: load_diabetes(scaled=False),
}


def load_bundled(name: BundledName) -> Dataset:
    """Load one of scikit-learn's own data sets; nothing is downloaded.

    Parameters
    ----------
    name : {"iris", "wine", "breast_cancer", "digits", "diabetes"}
        150 x 4 with 3 classes, 178 x 13 with 3, 569 x 30 with 2, 1797 x 64 with 10; 442 x 10 with
        a measured target.

    Returns
    -------
    Dataset
        Labels are class names as text ("setosa", "malignant", "0" to "9"), those of
        "diabetes" measured numbers; features are in their own units. ``y_true`` is None: nobody
        vouches for real labels.

    Raises
    ------
    ParameterError
        If the name is none of these.
    """
    check_choice("name", name, BUNDLED)
    bunch = _READERS[name]()
    measured = name == "diabetes"
    y: AnyArray = np.asarray(bunch.target)
    if not measured:
        y = np.array([str(one) for one in bunch.target_names])[y]
    return Dataset(
        X=bunch.data,
        y=y.astype(np.float64) if measured else y,
        name=name,
        feature_names=tuple(str(one) for one in bunch.feature_names),
        ids=np.arange(len(bunch.target)),
        params={"bundled": name},
        measured=measured,
    )

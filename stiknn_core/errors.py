"""Every error a person can cause, one class per kind of mistake.

A message says what was expected, what came, and what to do. All of them are
``ValueError`` too, so that code which knows nothing of this package can still
catch them.
"""


class StiknnError(ValueError):
    """Base of all errors raised on purpose by this package.

    Parameters
    ----------
    problem : str
        What is wrong; the whole message where there is no advice.
    advice : str
        What to do about it, naming ``option``.
    option : str
        The argument that helps; empty where none does.

    Attributes
    ----------
    problem, advice, option : str
        For those who give their own advice, as a page without arguments does.
    """

    def __init__(self, problem: str = "", advice: str = "", option: str = "") -> None:
        super().__init__(f"{problem}; {advice}." if advice else problem)
        self.problem = problem
        self.advice = advice
        self.option = option


class ParameterError(StiknnError):
    """A setting such as ``k``, ``metric`` or ``ties`` has an impossible value."""


class LabelError(StiknnError):
    """Labels are missing, of mixed kinds, continuous, or not one per row."""


class FeatureError(StiknnError):
    """Features are missing, infinite, not numeric, or differ between train and test."""


class ShapeError(StiknnError):
    """Sizes do not fit together, or a set is empty."""


class FileError(StiknnError):
    """A file could not be read as a labelled table or as a saved result."""


class DownloadError(StiknnError):
    """A data set could not be fetched, or its cached copy is damaged."""


class MissingExtraError(StiknnError, ImportError):
    """A package that only this part of the work needs is not installed."""


class StiknnWarning(UserWarning):
    """The result is right, but something about the input deserves a look."""

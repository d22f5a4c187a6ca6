"""The one edge where input is checked: past it, everything is known to be well formed."""

from stiknn_core.validation.problem import Problem, check_problem
from stiknn_core.validation.settings import check_choice, check_n_jobs, check_whole

__all__ = [
    "Problem",
    "check_choice",
    "check_n_jobs",
    "check_problem",
    "check_whole",
]

"""House rules that no linter knows. Each says in its message what to do."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher

import stiknn_core

ROOT = Path(__file__).resolve().parents[1]
APP = ["app.py", "pages", "stiknn_ui"]
SHIPPED = [*APP, "stiknn_view", "stiknn_core", "stiknn_command", "setup.py"]
PROJECT = [*SHIPPED, "benchmarks", "scripts", "tests"]
MAX_LINES = 400
# What people call from notebooks; other packages export to their siblings only.
FOR_NOTEBOOKS = {
    "stiknn_core",
    "stiknn_core.datasets",
    "stiknn_core.games",
    "stiknn_core.plotting",
}


def files(places: list[str], suffixes: tuple[str, ...] = (".py",)) -> list[Path]:
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob("*"))
    return [f for f in found if f.suffix in suffixes and "__pycache__" not in f.parts]


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path)))


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"


def uses(name: str, places: list[str], allowed: str) -> list[str]:
    """Return where an attribute or name is used outside the one module allowed to."""
    return [
        where(path, node)
        for path in files(places)
        if path != ROOT / allowed
        for node in nodes(path)
        if (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.alias) and node.name == name)
    ]


def core_modules() -> list[ModuleType]:
    walk = pkgutil.walk_packages(stiknn_core.__path__, "stiknn_core.")
    return [stiknn_core, *(importlib.import_module(info.name) for info in walk)]


def documented_parameters(docstring: str) -> list[str] | None:
    """Return the names under "Parameters" of a NumPy docstring; None without the section."""
    section = re.search(
        r"^(?:Other )?Parameters\n-+\n(.*?)(?=^\S[^\n]*\n---|\Z)",
        inspect.cleandoc(docstring),
        re.MULTILINE | re.DOTALL,
    )
    if section is None:
        return None
    # A parameter's line is the one that is not indented: "X, X_test : array".
    heads = [line for line in section[1].splitlines() if line and not line[0].isspace()]
    names = [name for line in heads for name in line.split(" :")[0].split(",")]
    return [name.strip().lstrip("*") for name in names]


def public_callables() -> list[tuple[str, object, bool]]:
    """Return name, callable, and whether notebooks get it, of all that others may call."""
    exported = {
        id(getattr(module, name))
        for module in core_modules()
        if module.__name__ in FOR_NOTEBOOKS
        for name in getattr(module, "__all__", [])
    }
    found = {}
    for module in core_modules():
        if module.__name__.rsplit(".", 1)[-1].startswith("_"):
            continue
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(thing):
                found[f"{module.__name__}.{name}"] = (thing, id(thing) in exported)
            elif inspect.isclass(thing):
                for label, method in inspect.getmembers(thing, inspect.isroutine):
                    raw = vars(thing).get(label)
                    # A cached property counts as a routine, but is not called.
                    if callable(method) and raw is not None and not label.startswith("_"):
                        found[f"{module.__name__}.{name}.{label}"] = (method, False)
    return [(name, thing, flag) for name, (thing, flag) in sorted(found.items())]


def sort_key(name: str) -> tuple[int, list[object]]:
    """Order of RUF022: constants, then classes, then the rest; digits as numbers."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split(r"(\d+)", name) if p]
    return kind, list(parts)


def test_only_the_state_module_touches_the_session_state() -> None:
    found = uses("session_state", APP, "stiknn_ui/visit/state.py")
    assert not found, f"go through stiknn_ui.visit.state instead: {found}"


@pytest.mark.parametrize("name", ["cache_data", "cache_resource"])
def test_only_the_shelves_cache(name: str) -> None:
    found = uses(name, APP, "stiknn_ui/work/shelves.py")
    assert not found, f"go through stiknn_ui.work.shelves instead: {found}"


def test_documented_parameters_equal_the_signature() -> None:
    problems = []
    for name, thing, exported in public_callables():
        expected = [p for p in inspect.signature(thing).parameters if p != "self"]
        actual = documented_parameters(inspect.getdoc(thing) or "")
        if actual is None and exported and expected:
            problems.append(f"{name} documents none of {expected}")
        elif actual is not None and actual != expected:
            problems.append(f"{name} documents {actual} but takes {expected}")
    assert not problems, "\n".join(problems)


def test_exports_are_sorted_and_importable() -> None:
    modules = [module for module in core_modules() if hasattr(module, "__all__")]
    assert stiknn_core in modules, "stiknn_core declares no __all__"
    for module in modules:
        assert list(module.__all__) == sorted(module.__all__, key=sort_key), module.__name__
        assert len(module.__all__) == len(set(module.__all__)), module.__name__
        missing = [name for name in module.__all__ if not hasattr(module, name)]
        assert not missing, f"{module.__name__} exports what it does not have: {missing}"


def test_kernels_release_the_gil_and_are_cached() -> None:
    kernels = {
        f"{module.__name__}.{name}": thing
        for module in core_modules()
        for name, thing in vars(module).items()
        if isinstance(thing, Dispatcher)
    }
    assert kernels, "no compiled kernel was found, so this test looks in the wrong place"
    for name, kernel in kernels.items():
        assert kernel.py_func.__module__.startswith("stiknn_core._kernels."), (
            f"{name} belongs in stiknn_core/_kernels/"
        )
        assert kernel.targetoptions.get("nogil") is True, f"{name} lacks nogil=True"
        assert not isinstance(kernel._cache, NullCache), f"{name} lacks cache=True"
        # Numba's own threading layer can abort the process when two sessions compute at once.
        assert not kernel.targetoptions.get("parallel"), f"{name} must not be parallel"


def test_no_file_is_too_long_to_read() -> None:
    lengths = {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for path in files(PROJECT, (".py", ".js", ".css", ".c"))
    }
    too_long = {str(path): length for path, length in lengths.items() if length > MAX_LINES}
    assert not too_long, f"split them, {MAX_LINES} lines are the limit: {too_long}"


@pytest.mark.slow
def test_nothing_runs_html_or_pickles_from_outside() -> None:
    banned_imports = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"}
    banned_options = {"unsafe_allow_html", "unsafe_allow_javascript"}
    found = []
    for path in files(PROJECT):
        for node in nodes(path):
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {(node.module or "").split(".")[0]}
            elif isinstance(node, ast.Call):
                options = {option.arg for option in node.keywords}
                names = options & banned_options
                found += [
                    f"{where(path, node)} allow_pickle"
                    for option in node.keywords
                    if option.arg == "allow_pickle"
                    and not (isinstance(option.value, ast.Constant) and option.value.value is False)
                ]
            else:
                continue
            banned = names & (banned_imports | banned_options)
            found += [f"{where(path, node)} {name}" for name in sorted(banned)]
    assert not found, f"neither raw HTML nor pickles: {found}"

"""How the packages are laid out: few rooms at the top, and no circle of modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from scripts import rooms_picture

ROOT = Path(__file__).resolve().parents[1]

#: Most files and folders at the top of a package.
MOST_ROOMS = {
    "stiknn_command": 18,
    "stiknn_core": 30,
    "stiknn_ui": 18,
    "stiknn_view": 14,
}


@pytest.mark.parametrize("package", MOST_ROOMS)
def test_few_rooms_at_the_top(package: str) -> None:
    rooms = sorted(
        path.name
        for path in (ROOT / package).iterdir()
        if (path.is_dir() or path.suffix == ".py")
        and path.name not in ("__init__.py", "__pycache__")
    )
    most = MOST_ROOMS[package]
    assert rooms, "nothing was found, so this test looks in the wrong place"
    assert len(rooms) <= most, f"{len(rooms)} rooms, at most {most}; put one into another: {rooms}"


@pytest.mark.parametrize("package", MOST_ROOMS)
def test_no_module_imports_itself_by_way_of_others(package: str) -> None:
    imports = imports_of(ROOT, package)
    assert any(imports.values()), "no import was found, so this test looks in the wrong place"
    circle = circle_in(imports)
    assert not circle, f"let one of these go without the next: {' -> '.join(circle)}"


def test_the_pictures_show_the_rooms_as_they_are() -> None:
    for path, text in rooms_picture.pictures().items():
        drawn = path.read_text(encoding="utf-8")
        assert drawn == text, f"{path.name} is old: run python -m scripts.rooms_picture"


def test_a_circle_is_found(tmp_path: Path) -> None:
    for name, text in {
        "__init__": "",
        "low": "from house import high\n",
        "middle": "import house.low as low\n",
        "high": "def f():\n    from house.middle import anything\n",
        "beside": "import house.low\n",
    }.items():
        (tmp_path / "house").mkdir(exist_ok=True)
        (tmp_path / "house" / f"{name}.py").write_text(text)
    assert set(circle_in(imports_of(tmp_path, "house"))) == {
        "house.low",
        "house.middle",
        "house.high",
    }


def imports_of(root: Path, package: str) -> dict[str, set[str]]:
    """Return for each module of a package those of it that it imports.

    Imports inside functions and for type checkers count: they only hide a circle. A package
    counts as its ``__init__.py``, and not for what stands beside that.
    """
    paths = {module_of(path.relative_to(root)): path for path in (root / package).rglob("*.py")}
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        named = names_in(ast.parse(path.read_text(encoding="utf-8"), str(path)))
        found[module] = {
            name if name in paths else name.rpartition(".")[0]
            for name in named
            if name in paths or name.rpartition(".")[0] in paths
        } - {module}
    return found


def module_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the full names of all that is imported."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "say the full name: a relative import was not looked for here"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        yield from names_in(child)


def circle_in(imports: dict[str, set[str]]) -> list[str]:
    """Return modules each of which imports the next, the last the first; none if there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []

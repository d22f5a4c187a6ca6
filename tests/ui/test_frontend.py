"""The browser code: what travels, that it is complete, and that its parts can be loaded."""

import gzip
import hashlib
import json
import posixpath
import re

import pytest

from scripts.vendor_plotly import installed_version
from stiknn_view.assets import (
    ID_LENGTH,
    PLOTLY,
    alone_payload,
    code_payload,
    part_stub,
    plotly_payload,
    sources,
    stub,
)
from tests.test_house_rules import ROOT

FOLDER = ROOT / "stiknn_view" / "frontend"

# The same as in stubs/code.js, which puts addresses in their place.
IMPORT = re.compile(r'^import\b[^"]*"(\.[^"]*)"', re.M)
STUBS = {
    f"stubs/{name}"
    for name in (
        "code.js",
        "copy.css",
        "copy.js",
        "history.js",
        "page.js",
        "part.js",
        "plotly.js",
        "widget.js",
    )
}
MODULES = {path: source for path, source in sources().items() if path.endswith(".js")}


def imported(path: str) -> list[str]:
    folder = posixpath.dirname(path)
    return [posixpath.normpath(posixpath.join(folder, to)) for to in IMPORT.findall(MODULES[path])]


def test_code_is_every_module_and_the_same_each_time():
    payload = code_payload()

    found = json.loads(gzip.decompress(payload[ID_LENGTH:]))
    alone = json.loads(gzip.decompress(alone_payload()[ID_LENGTH:]))
    # What only homes of their own need does not travel with the pages, and the other way round.
    assert found == {
        path: text for path, text in sources().items() if not path.startswith("alone/")
    }
    assert alone == {
        path: text
        for path, text in sources().items()
        if path.startswith(("alone/", "linked_view/", "shared/"))
    }
    code_payload.cache_clear()
    assert code_payload() == payload


def test_plotly_travels_apart_since_the_first_picture_needs_none():
    plotly = gzip.decompress(plotly_payload()).decode()

    assert plotly.startswith("/**\n* plotly.js (basic - minified) v")
    assert len(code_payload()) < 100_000 < len(plotly_payload())


def test_vendored_plotly_is_what_its_note_says_and_of_the_version_of_the_package():
    vendor = FOLDER / "vendor"
    note = json.loads((vendor / "plotly.json").read_text())

    for name, expected in note["sha256"].items():
        assert hashlib.sha256((vendor / name).read_bytes()).hexdigest() == expected, name
    assert {*note["sha256"], "plotly.json"} == {path.name for path in vendor.iterdir()}
    assert f"v{note['version']}\n" in (vendor / PLOTLY).read_text()[:100]
    assert "MIT License" in (vendor / "LICENSE").read_text()
    assert note["version"] == installed_version(), "renew it: python -m scripts.vendor_plotly"


def test_every_file_of_the_browser_travels_or_is_a_stub():
    found = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.suffix in {".js", ".css"} and path.parent.name != "vendor"
    }
    assert found == {*sources(), *STUBS}


def test_every_import_is_of_a_module_that_travels():
    for path, source in MODULES.items():
        assert len(imported(path)) == len(re.findall(r"^import\b", source, re.M)), path
        assert set(imported(path)) <= MODULES.keys(), path
        # The loader knows neither.
        assert not re.search(r"\bimport\(|^export .* from \"", source, re.M), path


def test_rooms_of_pages_import_nothing_of_each_other():
    for path in MODULES:
        rooms = {posixpath.dirname(to) for to in imported(path)}
        own = posixpath.dirname(path)
        # A home of its own is one of the linked view.
        assert rooms <= {own, "shared", *(["linked_view"] if own == "alone" else [])}, path


def test_code_that_travels_with_each_message_stays_small():
    assert len(part_stub("linked_view/view.js", "Loading the picture…")) < 2_000


def test_code_of_the_carrier_stays_small():
    assert len(stub("code.js")) < 4_000


@pytest.mark.parametrize(
    "source",
    [*MODULES.values(), stub("code.js"), stub("plotly.js"), stub("copy.js"), part_stub("", "")],
)
def test_browser_code_never_writes_html(source):
    assert "innerHTML =" not in source
    assert "insertAdjacentHTML" not in source


def test_browser_code_asks_plotly_only_for_what_the_basic_bundle_has():
    traces = {
        kind
        for path, source in MODULES.items()
        if "Plotly." in source or "hoverinfo" in source
        for kind in re.findall(r'\btype: "([\w-]+)"', source)
    }
    assert traces == {"scatter"}
    calls = {
        call for source in MODULES.values() for call in re.findall(r"\bPlotly\??\.(\w+)", source)
    }
    assert calls == {"purge", "react", "relayout", "toImage"}


def test_tools_of_the_browser_code_are_pinned_and_name_no_registry():
    tools = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in tools.values())
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert not [name for name, about in lock.items() if "resolved" in about]
    assert all("integrity" in about for name, about in lock.items() if name)

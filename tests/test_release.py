"""The rehearsal of a release says what is wanting."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import stiknn_core
from scripts import release


def test_a_version_nobody_wrote_about_is_wanting() -> None:
    wanting = release.check_words("9.9.9", dirty=True)
    assert any("no section ## 9.9.9" in one for one in wanting)
    assert any("CITATION.cff is not of version 9.9.9" in one for one in wanting)
    assert any("not committed" in one for one in wanting)


def test_this_version_has_a_section_and_a_citation() -> None:
    wanting = release.check_words(stiknn_core.__version__, dirty=False)
    assert not [one for one in wanting if "no section" in one or "CITATION" in one]


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("Version: 2\nLicense-Expression: MIT\n\n" + "x" * 2000, "The wheel says 2 and MIT"),
        ("Version: 1\nLicense-Expression: GPL\n\n" + "x" * 2000, "The wheel says 1 and GPL"),
        ("Version: 1\nLicense-Expression: MIT\n\nshort", "no README"),
    ],
)
def test_a_wheel_that_says_something_else_is_refused(tmp_path: Path, about: str, said: str) -> None:
    wheel = tmp_path / "one.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("one-1.dist-info/METADATA", about)
    with pytest.raises(release.NotReadyError, match=said):
        release.check_wheel(wheel, "1")


def test_a_command_that_ends_otherwise_than_expected_is_told(tmp_path: Path) -> None:
    assert release.run("sh", "-c", "echo fine", cwd=tmp_path) == "fine\n"
    with pytest.raises(release.NotReadyError, match="ended with 3:\nwhy"):
        release.run("sh", "-c", "echo why >&2; exit 3", cwd=tmp_path)

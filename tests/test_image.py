"""The image is built and run: by Docker where there is one, else step by step without it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import free_port
from tests.documents import ROOT
from tests.image_steps import Image, instructions, without_ignored

PATIENCE = 120


def docker(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["docker", *words], capture_output=True, text=True)


def has_docker() -> bool:
    return shutil.which("docker") is not None and docker("info").returncode == 0


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_comments_and_broken_lines_of_a_dockerfile() -> None:
    text = '# a\nFROM x AS y\nRUN one && \\\n    # why\n    two  # three\n\nCMD ["a"]\n'
    assert instructions(text) == [
        ("FROM", "x AS y"), ("RUN", "one && two  # three"), ("CMD", '["a"]'),
    ]  # fmt: skip


def test_what_is_ignored_is_not_sent() -> None:
    names = ["a/b.py", "a/__pycache__/b.pyc", "build/x", "a/build/x", "s.egg-info/y", ".gitignore"]
    ignore = "# why\n**/__pycache__\nbuild\n*.egg-info\n.git\n"
    assert without_ignored(names, ignore) == ["a/b.py", "a/build/x", ".gitignore"]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    if has_docker():
        pytest.skip("the image itself is tried")
    made = Image(tmp_path_factory.mktemp("scratch"))
    made.build()
    yield made
    made.open_again()


@pytest.mark.nightly
@pytest.mark.timeout(1800)  # loops are compiled, which other work beside it slows down
@pytest.mark.parametrize("base", ["", "stiknn"])
def test_its_steps_lead_to_a_page(image: Image, tmp_path: Path, base: str) -> None:
    """It may write to its volume and the temporary folder alone, and asks no other machine."""
    port = str(free_port())
    here = {"0.0.0.0": "127.0.0.1", "8501": port}
    words = [here.get(word, word) for word in image.command]
    assert words != image.command
    check = [word.replace("8501", port) for word in image.health]
    env = {"STREAMLIT_SERVER_BASE_URL_PATH": base} if base else {}
    log, told = tmp_path / "log.txt", tmp_path / "health.txt"

    assert image.start(["touch", str(image.root / "home" / "new")], told, env).wait(30) != 0
    assert image.start(check, told, env).wait(30) != 0, "healthy before it runs"
    server = image.start(words, log, env)
    try:
        deadline = time.monotonic() + PATIENCE
        while image.start(check, told, env).wait(30):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text() + told.read_text()
        root = f"http://127.0.0.1:{port}{f'/{base}' if base else ''}"
        assert status(f"{root}/_stcore/health") == 200
        assert status(f"{root}/") == 200
        if base:
            assert status(f"http://127.0.0.1:{port}/_stcore/health") == 404
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)
    assert "Compiling" not in log.read_text(), "loops were compiled again"
    assert not image.strangers.exists(), image.strangers.read_text()


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_docker_builds_and_runs_it() -> None:
    if not has_docker():
        pytest.skip("there is no Docker engine here")
    tag, name = "stiknn-test", f"stiknn-test-{os.getpid()}"
    built = docker("build", "--tag", tag, str(ROOT))
    assert built.returncode == 0, built.stderr
    only_reading = ["--read-only", "--tmpfs=/tmp", "--tmpfs=/home/stiknn/.stiknn"]
    published = ["--publish=127.0.0.1::8501", "--name", name]
    try:
        run = docker("run", "--detach", "--health-interval=2s", *only_reading, *published, tag)
        assert run.returncode == 0, run.stderr
        deadline = time.monotonic() + PATIENCE
        while "healthy" != docker("inspect", "-f", "{{.State.Health.Status}}", name).stdout.strip():
            assert time.monotonic() < deadline, docker("logs", name).stderr
            time.sleep(1)
        address = docker("port", name, "8501").stdout.strip()
        assert status(f"http://{address}/") == 200
    finally:
        docker("rm", "--force", name)

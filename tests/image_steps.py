"""The steps of the Dockerfile without Docker: read from the file, and run in a scratch folder.

What differs from an image: folders of the image are folders below the scratch folder, Python is
the one at hand, packages come through uv and what it has kept, and no user is made. What the
image's user may not write is write-protected, and root runs it without root's powers.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from uv import find_uv_bin

from tests.documents import ROOT

# As `cap_drop: [ALL]` of compose.yaml: else root writes to what is write-protected.
_POWERLESS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
# Everything that Python does is seen by an audit hook: whoever asks another machine is told on.
_NO_NETWORK = """
import sys

def hook(event, arguments):
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if host not in (None, "", "localhost", "127.0.0.1", "0.0.0.0", "::1", "::"):
        with open({log!r}, "a") as log:
            print(event, host, file=log)
        raise OSError(f"there is no network: {{host}}")

sys.addaudithook(hook)
"""


def instructions(text: str) -> list[tuple[str, str]]:
    """Return name and rest of each instruction; comments are gone and broken lines are whole."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = [line.split(maxsplit=1) for line in whole.splitlines() if line.strip()]
    return [(name, rest) for name, rest in found]


def without_ignored(names: list[str], ignore: str) -> list[str]:
    """Return the paths that are sent to Docker."""
    patterns = [line for line in ignore.splitlines() if line and not line.startswith("#")]
    assert not any(pattern.startswith("!") for pattern in patterns), "not understood here"

    def hidden(name: str) -> bool:
        parts = name.split("/")
        heads = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        for pattern in patterns:
            if pattern.startswith("**/"):
                if any(fnmatch.fnmatchcase(part, pattern[3:]) for part in parts):
                    return True
            elif any(
                fnmatch.fnmatchcase(head, pattern) and head.count("/") == pattern.count("/")
                for head in heads
            ):
                return True
        return False

    return [name for name in names if not hidden(name)]


def sources(target: Path) -> None:
    """Copy what a clean checkout of this state has, and Docker would be sent."""
    listed = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True
    )
    names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    for name in without_ignored(names, (ROOT / ".dockerignore").read_text(encoding="utf-8")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


class Image:
    """What the Dockerfile makes, as a folder.

    Parameters
    ----------
    scratch : Path
        An empty folder.
    """

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self.root = scratch / "image"
        self.temporary = scratch / "tmp"
        self.strangers = self.temporary / "strangers"
        self.health: list[str] = []
        self.command: list[str] = []
        self._written: set[Path] = set()
        self._env: dict[str, str] = {}
        self._folder = self.root
        self._user = "root"
        self._stage = ""
        sources(scratch / "context")
        self._make_tools()

    def build(self) -> None:
        """Take one step after the other."""
        for name, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
            getattr(self, f"_step_{name.lower()}")(rest)
        assert self._user != "root"
        self._env["HOME"] = str(self.root / "home" / self._user)
        for path in [self.root, *self.root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~0o222)
        self.temporary.mkdir()
        for path in self._written:
            path.chmod(0o755)

    def start(self, words: list[str], log: Path, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Run words as the image's user, who may write to its volume and the temporary folder."""
        network = str(self._scratch / "tools" / "network")
        offline = {"TMPDIR": str(self.temporary), "PYTHONPATH": network}
        with log.open("ab") as output:
            return subprocess.Popen(
                [*_POWERLESS, *words], cwd=self._folder,
                env={**self._environment(), **offline, **env}, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def open_again(self) -> None:
        """Give the right to write back, without which nothing can be deleted."""
        for path in [self.root, *self.root.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)

    # --- instructions ------------------------------------------------------------------------
    def _step_from(self, rest: str) -> None:
        if self._stage:
            self.root.rename(self._scratch / self._stage)
        assert re.match(r"python:3\.\d+-slim\b", rest), rest
        _, _, self._stage = rest.partition(" AS ")
        self.root.mkdir()
        self._env, self._folder, self._user = (
            {"PATH": str(self._scratch / "tools")},
            self.root,
            "root",
        )
        self._env["PATH"] += f"{os.pathsep}{os.defpath}"

    def _step_workdir(self, rest: str) -> None:
        self._folder = Path(self._inside(rest))
        self._folder.mkdir(parents=True, exist_ok=True)

    def _step_env(self, rest: str) -> None:
        for word in rest.split():
            name, _, value = word.partition("=")
            self._env[name] = self._inside(value).replace("$PATH", self._env["PATH"])

    def _step_run(self, rest: str) -> None:
        made = re.fullmatch(r"useradd .*?(\w+)", rest)
        if made:  # no user is made: the folder is
            (self.root / "home" / made[1]).mkdir(parents=True)
            return
        words = self._inside(rest).replace("pip install", f"{find_uv_bin()} pip install")
        before = set(self._folder.iterdir())
        for network in ({"UV_OFFLINE": "1"}, {}):
            run = subprocess.run(
                ["sh", "-c", words], cwd=self._folder,
                env={**self._environment(), **network}, capture_output=True, text=True,
            )  # fmt: skip
            if run.returncode == 0:
                break
        assert run.returncode == 0, f"RUN {rest}\n{run.stdout}{run.stderr}"
        if self._user != "root":
            # Of these a container has a volume or a tmpfs.
            self._written |= set(self._folder.iterdir()) - before

    def _step_copy(self, rest: str) -> None:
        *names, target = rest.split()
        source = self._scratch / "context"
        if names[0].startswith("--from="):
            source = self._scratch / names.pop(0).partition("=")[2]
        place = self._folder / self._inside(target)
        for name in names:
            path = source / name.lstrip("/")
            if path.is_dir():
                shutil.copytree(path, place, symlinks=True, dirs_exist_ok=True)
            else:
                to = place / path.name if target.endswith("/") else place
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, to)

    def _step_user(self, rest: str) -> None:
        assert (self.root / "home" / rest).is_dir(), f"there is no user {rest}"
        self._user = rest

    def _step_volume(self, rest: str) -> None:
        assert Path(self._inside(rest)) in self._written, f"{rest} is root's"

    def _step_expose(self, rest: str) -> None:
        assert rest.isdigit()

    def _step_healthcheck(self, rest: str) -> None:
        self.health = json.loads(rest.partition("CMD ")[2])

    def _step_cmd(self, rest: str) -> None:
        self.command = json.loads(rest)

    # --- the machine -------------------------------------------------------------------------
    def _inside(self, text: str) -> str:
        """Return text with folders of the image as folders of this machine."""
        return re.sub(r"(?<![\w./])/(opt|build|home)\b", rf"{self.root}/\1", text)

    def _environment(self) -> dict[str, str]:
        known = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "SSL_CERT_FILE", "HOME", "LANG")
        kept = {name: os.environ[name] for name in known if name in os.environ}
        # Compiled and copied as pip does it: links would lead into what uv keeps.
        as_pip = {"UV_COMPILE_BYTECODE": "1", "UV_LINK_MODE": "copy"}
        return {**kept, **as_pip, "VIRTUAL_ENV": str(self.root / "opt" / "stiknn"), **self._env}

    def _make_tools(self) -> None:
        """Put `python` first on the path, as the image has it, and cut Python off the network."""
        tools = self._scratch / "tools"
        (tools / "network").mkdir(parents=True)
        code = _NO_NETWORK.format(log=str(self.strangers))
        (tools / "network" / "sitecustomize.py").write_text(code)
        base = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
        python = tools / "python"
        python.write_text(f'#!/bin/sh\nexec {base} "$@"\n')
        python.chmod(0o755)

"""Bad input gets one sentence on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stiknn_command.problems import plain
from stiknn_core import __version__
from tests.command.conftest import Command
from tests.documents import ROOT
from tests.patience import PATIENCE


def refused(run: object) -> str:
    """Return the one sentence of a run that was refused."""
    assert run.code == 2, run  # type: ignore[attr-defined]
    assert run.out == ""  # type: ignore[attr-defined]
    (line,) = run.err.splitlines()[-1:]  # type: ignore[attr-defined]
    assert "Traceback" not in run.err  # type: ignore[attr-defined]
    assert line.endswith(".")
    return str(line)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("suspects", "none.csv"), "stiknn: There is no file 'none.csv'; check the path."),
        (("none.csv",), "stiknn: There is no file 'none.csv'; check the path."),
        (("suspects", "."), "stiknn: '.' is a folder; expected a file with a table."),
        (
            ("suspects", "table.csv", "--label", "colour"),
            "stiknn: The table has no label column 'colour'; it has name, height, width and kind.",
        ),
        (
            ("table.csv", "--label", "colour"),
            "stiknn: The table has no label column 'colour'; it has name, height, width and kind.",
        ),
        (
            ("suspects", "table.csv", "-o", "out.txt"),
            "stiknn: -o must end in one of .csv, .json and .html; got 'out.txt'.",
        ),
        (
            ("suspects", "table.csv", "-o", "nowhere/out.csv"),
            "stiknn: There is no folder 'nowhere'; make it first.",
        ),
        (
            ("suspects", "table.csv", "table.csv", "-o", "out.csv"),
            "stiknn: -o takes the rows of one file; give one file, or leave -o out.",
        ),
        (
            ("suspects", "table.csv", "--fail-over", "many"),
            "stiknn suspects: argument --fail-over: expected a share such as 5% or a whole number "
            "such as 12; got 'many'; stiknn suspects --help lists what there is.",
        ),
        (
            ("suspects", "table.csv", "--k", "0"),
            "stiknn suspects: argument --k: expected a whole number of at least 1; got '0'; "
            "stiknn suspects --help lists what there is.",
        ),
        (
            ("table.csv", "--host", "0.0.0.0"),
            "stiknn: A file that is named here is shown on this machine alone, and '0.0.0.0' is "
            "reached from others; leave --host out, or start without a file and upload it.",
        ),
        (("--label", "kind"), "stiknn: --label is said of a file; name one."),
        (
            ("suspects", "table.csv", "--read", "colour=red"),
            "stiknn: read_table knows no setting 'colour'; it takes encoding, separator, quote, "
            "decimal, thousands, header, sheet, member, X, y, table, missing_words, formats and "
            "ragged.",
        ),
        (("--host", "no.such.host.invalid"), "stiknn: 'no.such.host.invalid' is no address of "
         "this machine."),
    ],
)  # fmt: skip
def test_one_sentence(command: Command, table: Path, words: tuple[str, ...], sentence: str) -> None:
    assert refused(command(*words)) == sentence


def test_what_is_no_table(command: Command) -> None:
    Path("picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert "picture.png" not in refused(command("suspects", "picture.png"))[:9]
    assert "empty" in refused(command("suspects", "-", given=b""))


def test_a_port_in_use(command: Command, table: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert refused(command(str(table), "--port", port)) == (
            f"stiknn: Port {port} is in use; choose another with --port, or leave it out."
        )


def test_several_sheets_are_asked_about_in_words_of_the_command_line(command: Command) -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": range(8), "kind": list("xyxyxyxy")})
    with pd.ExcelWriter("two.xlsx") as book:
        frame.to_excel(book, sheet_name="one", index=False)
        frame.to_excel(book, sheet_name="two", index=False)
    run = command("suspects", "two.xlsx")
    if run.code == 2:
        assert "--read sheet=" in refused(run)
    assert command("suspects", "two.xlsx", "--read", "sheet=two", "-q").code == 0


def test_nothing_in_a_file_moves_a_cursor() -> None:
    assert plain("a\x1b[31m\nb\u202ec\x07") == "a\ufffd[31m b\ufffdc\ufffd"
    assert len(plain("x" * 5_000)) == 1_000


def test_nothing_on_the_command_line_moves_a_cursor(command: Command) -> None:
    for words in (("suspects", "a.csv", "--no\x1b[31m"), ("values", "a.csv", "--k", "\x1b[2J")):
        said = refused(command(*words))
        assert "\x1b" not in said


def test_what_nobody_foresaw_is_a_sentence_too(
    command: Command, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("of no use\nto anybody")

    monkeypatch.setattr("stiknn_command.suspects.rank_suspects", broken)
    assert refused(command("suspects", str(table))) == (
        "stiknn: Something unexpected went wrong (RuntimeError: of no use to anybody); with "
        "STIKNN_TRACEBACK=1 before the command it says where."
    )
    monkeypatch.setenv("STIKNN_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        command("suspects", str(table))


def stiknn(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "stiknn_command", *words],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, **options,
    )  # fmt: skip


def test_help_and_version_load_no_engine() -> None:
    check = (
        "import sys\n"
        "from stiknn_command.main import main\n"
        "assert main(['suspects', '--help']) == 0\n"
        "assert not {'numba', 'numpy', 'pandas', 'streamlit'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "--fail-over counts flagged rows" in run.stdout
    assert stiknn("--version").stdout == f"stiknn {__version__}\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("stiknn sus", ["suspects"]),
        ("stiknn suspects --fo", ["--format"]),
        ("stiknn suspects a.csv --format g", ["github"]),
        ("stiknn a.csv --no", ["--no-browser"]),
    ],
)
def test_a_shell_is_told_how_a_line_goes_on(line: str, wanted: list[str]) -> None:
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_TYPE": "9"}
    run = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m stiknn_command 8>&1 9>/dev/null"], cwd=ROOT,
        env={**os.environ, **asked, "COMP_LINE": line, "COMP_POINT": str(len(line))},
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.stdout.split() == wanted, run.stderr


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    table = ROOT / "sample_data" / "circles_flipped.csv"
    line = f"{sys.executable} -m stiknn_command suspects {table} -q --format json | head -c 10"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (run.stdout, run.stderr) == ('{"file": "', "")


FULL = "stiknn: The output could not be written: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here is always full")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", [("--version",), ("completion", "zsh")])
def test_a_full_disk_is_a_sentence(words: tuple[str, ...], buffered: str) -> None:
    run = subprocess.run(
        ["sh", "-c", f'exec {sys.executable} -m stiknn_command "$@" > /dev/full', "sh", *words],
        capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": buffered},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (2, FULL)


@pytest.mark.slow
def test_a_full_disk_of_results(tmp_path: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", 'exec "$@" > /dev/full', "sh", sys.executable, "-m", "stiknn_command",
         "suspects", str(ROOT / "sample_data" / "circles_flipped.csv"), "-q"],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (2, FULL)


@pytest.mark.slow
def test_ctrl_c_ends_it_without_a_word(tmp_path: Path) -> None:
    table = ROOT / "sample_data" / "circles_flipped.csv"
    run = subprocess.Popen(
        [sys.executable, "-m", "stiknn_command", "report", str(table), "-o", "report.html"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert run.stderr is not None
    assert b" rows, " in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    # A shell calls both 130: Python ends by the signal itself where code from a string ran.
    assert run.returncode in (130, -signal.SIGINT), err
    assert (out, b"Traceback" in err, list(tmp_path.iterdir())) == (b"", False, [])


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no signal to oneself that interrupts")
def test_ctrl_c_while_the_command_is_imported_ends_it_without_a_word() -> None:
    code = (
        "import os, signal, sys\n"
        "class Hasty:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'stiknn_command.main':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, {handler})\n"
        "sys.meta_path.insert(0, Hasty())\n"
        "sys.argv[1:] = ['--version']\n"
        "from stiknn_command.__main__ import run\n"
        "sys.exit(run())"
    )
    # As a process of a terminal, and as one in the background of a shell, which Ctrl-C spares.
    for handler, told in (
        ("signal.default_int_handler", (-signal.SIGINT, "", "")),
        ("signal.SIG_IGN", (0, f"stiknn {__version__}\n", "")),
    ):
        words = [sys.executable, "-c", code.format(handler=handler)]
        run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        assert (run.returncode, run.stdout, run.stderr) == told


@pytest.mark.slow
def test_the_core_commands_import_no_streamlit() -> None:
    check = (
        "import sys\n"
        "from stiknn_command.main import main\n"
        "assert main(['suspects', 'sample_data/circles_flipped.csv', '-q']) == 0\n"
        "assert 'streamlit' not in sys.modules and 'stiknn_ui' not in sys.modules"
    )
    run = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr

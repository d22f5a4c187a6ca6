"""From the words of a command line to an exit code. Nothing heavy is imported at the head.

A shell asks for completions, and a person for help or the version, without waiting for the engine.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from stiknn_command import arguments

CLEAN: Final = 0
OVER: Final = 1
BAD_INPUT: Final = 2
_STOPPED: Final = 130  # what shells say of a process that Ctrl-C has ended


def main(words: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 clean, 1 over the limit, 2 bad input.

    Whatever goes wrong is one sentence on stderr. ``STIKNN_TRACEBACK=1`` lets the traceback of what
    nobody foresaw through.
    """
    try:
        parser = arguments.parser()
        _complete(parser)
        try:
            asked = parser.parse_args(arguments.whole(sys.argv[1:] if words is None else words))
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else BAD_INPUT
        code = _run(asked)
        sys.stdout.flush()  # what cannot be written is told here, not at the end of the process
        return code
    except KeyboardInterrupt:
        return _STOPPED
    except BrokenPipeError:  # `stiknn ... | head`
        _leave_stdout()
        return CLEAN
    except Exception as error:
        if os.environ.get("STIKNN_TRACEBACK"):
            raise
        from stiknn_command.problems import sentence_of

        if isinstance(error, OSError):
            _leave_stdout()
        print(f"stiknn: {sentence_of(error)}", file=sys.stderr)
        return BAD_INPUT


def _leave_stdout() -> None:
    """Drop what is left to be written at the end of the process: it has nowhere to go."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks how a line may go on; it ends the process."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        # `stiknn data.csv --p` goes on as `stiknn open data.csv --p` does.
        line = os.environ.get("COMP_LINE", "")
        program, *words = line.split(" ")
        if len(words) > 1 and words[0] not in arguments.COMMANDS:
            os.environ["COMP_LINE"] = f"{program} open{line.removeprefix(program)}"
            os.environ["COMP_POINT"] = str(int(os.environ["COMP_POINT"]) + len(" open"))
        argcomplete.autocomplete(parser)


def _run(asked: argparse.Namespace) -> int:
    match asked.command:
        case "open":
            from stiknn_command.opening import open_dashboard

            return open_dashboard(asked)
        case "suspects" | "matrix" | "values" | "report":
            from stiknn_command.problems import warnings_told

            with warnings_told(asked.quiet):
                return _compute(asked)
        case "compile":
            from stiknn_command.ready import get_ready

            get_ready("all", quiet=asked.quiet)
        case "completion":
            from argcomplete.shell_integration import shellcode

            print(shellcode(["stiknn"], shell=asked.shell))
    return CLEAN


def _compute(asked: argparse.Namespace) -> int:
    if asked.command == "suspects":
        from stiknn_command.suspects import suspects

        return suspects(asked)
    if asked.command == "report":
        from stiknn_command.report import report

        report(asked)
    else:
        from stiknn_command.results import write_result

        write_result(asked)
    return CLEAN

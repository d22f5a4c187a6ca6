"""What can be said to the command, and how that is explained."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from stiknn_command.limit import Limit

COMMANDS: Final = ("open", "suspects", "matrix", "values", "report", "compile", "completion")
_DONE_AT_ONCE: Final = ("-h", "--help", "--version")

_ABOUT: Final = """\
Opens the dashboard on a file, or ranks labels in a pipeline. Without a command it is "open":
"stiknn" opens Home, "stiknn data.csv" the dashboard on that file. A file that has the name of a
command is written with its folder: ./matrix
"""
_EXIT_CODES: Final = """\
exit codes: 0 clean, 1 more rows are flagged than --fail-over allows, 2 bad input or a wrong word
"""
_SUSPECTS: Final = """\
Ranks the rows of a table by how doubtful their labels are. A row is flagged where another class
is suggested than the given one: the class with the largest share of the support, as on the page
Suspects. --below leaves out flagged rows whose label quality (the given class's share, 0 to 1) is
not below it. --fail-over counts flagged rows: 5% is a share of the rows that were ranked, 12 a
number; exit code 1 means that there are more. Without it the exit code is 0 however many there are.
"""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence, with the exit code of bad input."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is."""
        from stiknn_command.problems import plain  # it brings tables, which --help does without

        self.exit(2, f"{self.prog}: {plain(message)}; {self.prog} --help lists what there is.\n")


class _Version(argparse.Action):
    """Prints the version, for which the package is read but no engine loaded."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print it and end."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("stiknn-explorer")
        except PackageNotFoundError:  # a checkout that was not installed
            from stiknn_core import __version__ as found
        print(f"stiknn {found}", flush=True)
        parser.exit()


def whole(words: Sequence[str]) -> list[str]:
    """Return the words with the command that is meant where none is named."""
    if words and words[0] in (*COMMANDS, *_DONE_AT_ONCE):
        return list(words)
    return ["open", *words]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    top = Parser(
        prog="stiknn",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    below = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for add in (_open, _suspects, _matrix, _values, _report, _compile, _completion):
        add(below)
    return top


def _command(below: Any, name: str, told: str, about: str = "") -> Any:
    return below.add_parser(
        name,
        help=told,
        description=about or f"{told[0].upper()}{told[1:]}.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _open(below: Any) -> None:
    one = _command(below, "open", "open the dashboard, on a file or on Home (the default)")
    one.add_argument("file", nargs="?", metavar="FILE", help="any usual table; - reads stdin")
    _reading(one)
    one.add_argument("--k", type=_whole(1), metavar="K", help="neighbours (default: 5)")
    one.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    one.add_argument(
        "--port", type=_whole(1, 65_535), help="port (default: 8501, or the next that is free)"
    )
    one.add_argument("--no-browser", action="store_true", help="say the address, open no browser")
    one.add_argument(
        "--base-path",
        default=os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", ""),
        metavar="PATH",
        help="path behind a reverse proxy, such as stiknn",
    )
    _quiet(one)


def _suspects(below: Any) -> None:
    one = _command(below, "suspects", "rank rows by how doubtful their labels are", _SUSPECTS)
    one.add_argument("files", nargs="+", metavar="FILE", help="any usual table; - reads stdin")
    one.add_argument(
        "-o", "--output", metavar="OUT", help="write all rows, ranked: .csv, .json or .html"
    )
    _reading(one)
    one.add_argument("--k", type=_whole(1), default=5, metavar="K", help="neighbours (default: 5)")
    one.add_argument(
        "--space",
        choices=("forest", "features"),
        default=None,
        help="where neighbours are looked for: in a random forest (default for classes) or among "
        "the features, each scaled to standard deviation 1 (measured labels: always)",
    )
    one.add_argument(
        "--score",
        choices=("quality", "value", "in_out", "row", "rarity"),
        default="quality",
        help="what to rank by (default: label quality); in_out and row up to 4,000 rows",
    )
    one.add_argument(
        "--below",
        type=_share,
        default=1.0,
        metavar="QUALITY",
        help="flag only where the label quality is below this, 0 to 1",
    )
    one.add_argument(
        "--fail-over",
        type=_limit,
        metavar="LIMIT",
        help="exit code 1 if more rows are flagged: a share such as 5%%, or a number",
    )
    one.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="what stdout gets: text (default), json, or github for annotations in a workflow",
    )
    one.add_argument(
        "--most",
        type=_whole(0),
        default=None,
        metavar="N",
        help="flagged rows on stdout (default: 20 of text, 50 of github, all of json)",
    )
    _quiet(one)


def _matrix(below: Any) -> None:
    one = _command(below, "matrix", "write the interaction matrix of all pairs of rows")
    one.add_argument("file", metavar="FILE", help="any usual table; - reads stdin")
    one.add_argument("-o", "--output", metavar="OUT", required=True, help=".csv, .npz or .parquet")
    one.add_argument(
        "--index",
        choices=("STII", "SII", "BII"),
        default="STII",
        help="of interaction (default: STII)",
    )
    _computing(one)


def _values(below: Any) -> None:
    one = _command(below, "values", "write the value of every row")
    one.add_argument("file", metavar="FILE", help="any usual table; - reads stdin")
    one.add_argument("-o", "--output", metavar="OUT", required=True, help=".csv, .json or .parquet")
    one.add_argument(
        "--kind",
        choices=("shapley", "banzhaf", "leave_one_out"),
        default="shapley",
        help="of value (default: shapley)",
    )
    _computing(one)


def _report(below: Any) -> None:
    one = _command(below, "report", "write suspects and matrix as one HTML file")
    one.add_argument("file", metavar="FILE", help="any usual table; - reads stdin")
    one.add_argument("-o", "--output", metavar="OUT", required=True, help=".html")
    _reading(one)
    one.add_argument("--k", type=_whole(1), default=5, metavar="K", help="neighbours (default: 5)")
    _quiet(one)


def _compile(below: Any) -> None:
    one = _command(below, "compile", "compile all loops now, once on a machine")
    _quiet(one)


def _completion(below: Any) -> None:
    one = _command(
        below,
        "completion",
        "print what completes the command in a shell",
        'bash and zsh: eval "$(stiknn completion bash)"; fish: stiknn completion fish | source',
    )
    one.add_argument("shell", choices=("bash", "zsh", "fish"))


def _reading(one: Any) -> None:
    one.add_argument("--label", metavar="COLUMN", help="label column (default: found by itself)")
    one.add_argument(
        "--label-is",
        choices=("classes", "measured"),
        help="whether a label of numbers names classes or was measured (default: guessed)",
    )
    one.add_argument(
        "--missing",
        choices=("impute", "drop_rows", "drop_columns"),
        help="what to do with missing values; without it they are refused",
    )
    one.add_argument(
        "--read",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="how to read the file where that is not found: sheet=…, table=…, separator=…, "
        "encoding=…, decimal=…, header=…, member=…, ragged=…; may be given more than once",
    )


def _computing(one: Any) -> None:
    _reading(one)
    one.add_argument("--k", type=_whole(1), default=5, metavar="K", help="neighbours (default: 5)")
    one.add_argument(
        "--metric",
        choices=("euclidean", "manhattan", "chebyshev", "cosine"),
        default="euclidean",
        help="distance (default: euclidean)",
    )
    one.add_argument(
        "--scaling",
        choices=("standard", "robust", "minmax", "none"),
        default="standard",
        help="of the features (default: standard)",
    )
    _quiet(one)


def _quiet(one: Any) -> None:
    one.add_argument("-q", "--quiet", action="store_true", help="only errors on stderr")


def _whole(least: int, most: int = sys.maxsize) -> Callable[[str], int]:
    def read(text: str) -> int:
        wanted = f"a whole number of at least {least}"
        if most < sys.maxsize:
            wanted = f"a whole number from {least} to {most:,}"
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected {wanted}; got {text!r}")
        return number

    return read


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0 and up to 1; got {text!r}")
    return share


def _limit(text: str) -> Limit:
    limit = Limit.read(text)
    if limit is None:
        raise argparse.ArgumentTypeError(
            f"expected a share such as 5% or a whole number such as 12; got {text!r}"
        )
    return limit


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, such as sheet=2024; got {text!r}")
    return name, value

"""`stiknn suspects`: what is flagged, what is too much, and in which forms it is told."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_command.limit import Limit
from stiknn_core import rank_suspects, read_table
from tests.command.conftest import Command, table_text


def test_text_names_the_flagged_rows_with_their_lines(command: Command, table: Path) -> None:
    run = command("suspects", str(table))
    assert run.code == 0
    first, head, *rows = run.out.splitlines()
    assert first == "table.csv: 2 of 60 rows flagged (3.3 %)."
    assert head.split() == ["id", "line", "given", "suggested", "quality"]
    assert sorted(row.split()[:5] for row in rows) == [
        ["item", "40", "42", "b", "a"],
        ["item", "5", "7", "a", "b"],
    ]
    assert "table.csv: 60 rows, 2 features, label 'kind'." in run.err


@pytest.mark.parametrize(
    ("limit", "code"), [("1", 1), ("2", 0), ("3%", 1), ("3.4%", 0), ("0", 1), ("100%", 0)]
)
def test_the_exit_code_says_whether_it_is_too_many(
    command: Command, table: Path, limit: str, code: int
) -> None:
    run = command("suspects", str(table), "--fail-over", limit)
    assert run.code == code
    assert f"{'more than' if code else 'within'} the limit of {limit}." in run.out


def test_a_share_is_exact() -> None:
    limit = Limit.read("5%")
    assert limit is not None
    assert not limit.exceeded(1, 20)
    assert limit.exceeded(2, 39)
    assert [Limit.read(text) for text in ("101%", "-1", "", "5.5", "x%", "1e3")] == [None] * 6


def test_below_leaves_out_what_is_less_doubtful(command: Command, table: Path) -> None:
    everything = json.loads(command("suspects", str(table), "--format", "json").out)
    qualities = sorted(row["quality"] for row in everything["rows"])
    between = f"{sum(qualities) / 2:.6f}"
    found = json.loads(command("suspects", str(table), "--format", "json", "--below", between).out)
    assert [row["quality"] for row in found["rows"]] == qualities[:1]
    assert found["n_flagged"] == 1


def test_json_and_csv_hold_what_the_package_computes(command: Command, table: Path) -> None:
    data = read_table(table).to_dataset()
    frame = pd.DataFrame(data.X, index=data.ids)
    wanted = rank_suspects(frame, data.y, k=3, score="value")
    words = ("suspects", str(table), "--k", "3", "--score", "value", "-q")
    assert command(*words, "-o", "out.csv").err == ""
    told = pd.read_csv("out.csv")
    pd.testing.assert_frame_equal(told[wanted.columns], wanted, check_exact=True)
    assert told["line"].tolist() == [position + 2 for position in wanted["position"]]
    assert told["flagged"].tolist() == (wanted["given"] != wanted["suggested"]).tolist()
    run = command(*words, "-o", "out.json", "--fail-over", "1", "--format", "json")
    whole, flagged = json.loads(Path("out.json").read_text()), json.loads(run.out)
    assert (run.code, whole["over"], whole["limit"], whole["n"]) == (1, True, "1", 60)
    assert [row["quality"] for row in whole["rows"]] == wanted["quality"].tolist()
    assert [row["id"] for row in flagged["rows"]] == told["id"][told["flagged"]].tolist()


def test_html_is_whole_by_itself_and_holds_text_as_text(command: Command) -> None:
    Path("<i>.csv").write_text(table_text().replace("item 5,", "<script>alert(1)</script>,"))
    assert command("suspects", "<i>.csv", "-o", "out.html").code == 0
    page = Path("out.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|<i>", page)
    parser = _Open()
    parser.feed(page)
    assert not parser.open


class _Open(HTMLParser):
    """Elements that were not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_github_gets_annotations_that_no_label_can_break(command: Command) -> None:
    text = table_text(wrong=(5,)).replace(",b\n", ",50%::b\n").replace("item 5,", '"item\n5: 9",')
    Path("a,b:c.csv").write_text(text)
    run = command("suspects", "a,b:c.csv", "--format", "github", "--fail-over", "0")
    assert run.out.splitlines() == [
        run.out.splitlines()[0],
        "::error file=a%2Cb%3Ac.csv,title=Doubtful labels::1 of 60 rows flagged (1.7 %25), more "
        "than the limit of 0.",
    ]
    assert re.fullmatch(
        r"::warning file=a%2Cb%3Ac\.csv,line=7,title=Doubtful label::item 5: 9: a is given, "
        r"50%25::b suggested \(label quality 0\.\d\d\)\.",
        run.out.splitlines()[0],
    )


def test_lines_are_those_of_the_file_whatever_stands_between(command: Command) -> None:
    head, *rows = table_text().splitlines()
    rows[3] = rows[3].replace("item 3", '"item 3\nin two lines"')
    text = "\n".join(["# a remark", "", head, *rows[:10], "", "", *rows[10:]]) + "\n"
    Path("odd.csv").write_text(text, newline="\r\n")
    found = json.loads(command("suspects", "odd.csv", "--format", "json").out)
    lines = Path("odd.csv").read_bytes().decode().split("\r\n")
    assert found["n_flagged"] == 2
    for row in found["rows"]:
        assert lines[row["line"] - 1].startswith(f"{row['id']},")


def test_what_is_no_text_has_no_lines(command: Command, table: Path) -> None:
    pd.read_csv(table).to_parquet("table.parquet")
    found = json.loads(command("suspects", "table.parquet", "--format", "json").out)
    assert [row["line"] for row in found["rows"]] == [None, None]
    github = command("suspects", "table.parquet", "--format", "github").out
    assert "line=" not in github
    assert command("suspects", "table.parquet", "-o", "out.csv").code == 0
    assert np.isnan(pd.read_csv("out.csv")["line"]).all()


def test_standard_input_and_several_files(command: Command, table: Path) -> None:
    run = command("suspects", "-", given=table.read_bytes())
    assert run.out.startswith("stdin: 2 of 60 rows flagged")
    Path("clean.csv").write_text(table_text(wrong=()))
    run = command("suspects", "clean.csv", str(table), "--fail-over", "0")
    assert run.code == 1
    assert "clean.csv: 0 of 60 rows flagged (0.0 %), within" in run.out
    run = command("suspects", "none.csv", str(table), "--fail-over", "0")
    assert run.code == 2, "bad input weighs more"
    assert "table.csv: 2 of 60" in run.out, "the others are looked at all the same"
    assert "stiknn: none.csv: There is no file 'none.csv'; check the path." in run.err


def test_features_and_missing_values(command: Command) -> None:
    text = table_text().replace("item 7,", "item 7,", 1)
    lines = text.splitlines()
    lines[9] = "item 8,,0.1,a"
    Path("gap.csv").write_text("\n".join(lines))
    run = command("suspects", "gap.csv")
    assert run.code == 2
    assert run.err.splitlines()[-1].endswith(
        "say what to do with them: --missing impute, drop_rows or drop_columns."
    )
    run = command("suspects", "gap.csv", "--missing", "drop_rows", "--space", "features")
    assert run.code == 0
    assert "2 of 59 rows flagged" in run.out
    assert "Left out: 1 row with missing or infinite features." in run.err


def rents(n: int) -> str:
    rng = np.random.default_rng(2)
    sizes = rng.uniform(20, 120, n)
    rows = [f"{size:.2f},{10 * size + rng.normal():.3f}" for size in sizes]
    return "\n".join(["size,rent", *rows])


def test_a_forest_is_refused_for_measured_targets(command: Command) -> None:
    Path("rents.csv").write_text(rents(40))
    run = command("suspects", "rents.csv", "--label", "rent", "--space", "forest")
    assert run.code == 2
    assert "Neighbours in a random forest are for classes" in run.err
    assert "leave --space out" in run.err
    for space in ([], ["--space", "features"]):
        run = command("suspects", "rents.csv", "--label", "rent", "--format", "json", *space)
        assert (run.code, json.loads(run.out)["space"]) == (0, "features")


def test_more_measured_targets_than_are_ranked_are_one_sentence(command: Command) -> None:
    Path("rents.csv").write_text(rents(50_001))
    run = command("suspects", "rents.csv", "--label", "rent")
    assert run.code == 2
    assert "Measured targets of 50,001 rows are more than the 50,000" in run.err
    assert "Traceback" not in run.err


def test_many_numbers_taken_for_classes_are_told(command: Command) -> None:
    rows = [f"{place % 7},{place % 12}" for place in range(120)]
    Path("grades.csv").write_text("\n".join(["hours,grade", *rows]))
    told = "'grade' has 12 numbers, taken for classes; --label-is measured takes it for a measured"
    assert told in command("suspects", "grades.csv", "--label", "grade").err
    run = command("suspects", "grades.csv", "--label", "grade", "--label-is", "classes")
    assert told not in run.err

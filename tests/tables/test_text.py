from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, FileError, ParameterError
from stiknn_core.tables import Table, read_table

ROWS = ["x1,x2,label", "1.0,2.0,a", "3.0,4.0,b", "1.5,2.5,a", "3.5,4.5,b"]
PLAIN = "\n".join(ROWS)


def table(text: str, written: str = "utf-8", **overrides: object) -> Table:
    return read_table(text.encode(written), **overrides)


def told(made: Table, words: str) -> bool:
    return any(words in notice for notice in made.notices)


def test_a_plain_file_loads_with_shape_classes_and_names() -> None:
    made = table(PLAIN)
    dataset = made.to_dataset()
    assert made.columns == ("x1", "x2", "label")
    assert made.label == "label"
    assert dataset.X.tolist() == [[1.0, 2.0], [3.0, 4.0], [1.5, 2.5], [3.5, 4.5]]
    assert dataset.y.tolist() == ["a", "b", "a", "b"]
    assert dataset.feature_names == ("x1", "x2")
    assert dataset.ids.tolist() == [0, 1, 2, 3]
    assert made.decisions["format"] == "text"
    assert not made.notices


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", ", "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separator_and_line_ends_are_found(separator: str, end: str) -> None:
    made = table(PLAIN.replace(",", separator).replace("\n", end) + end)
    assert made.decisions["line_ends"] == {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}[end]
    assert made.decisions["separator"] == separator.strip() or separator.isspace()
    assert made.to_dataset().X.tolist() == table(PLAIN).to_dataset().X.tolist()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_mark_or_wide_letters_leave_the_first_name_alone(encoding: str) -> None:
    made = table("label,größe\na,1\nb,2\na,3", encoding)
    assert made.columns == ("label", "größe")
    assert made.to_dataset().y.tolist() == ["a", "b", "a"]


def test_windows_letters_come_out_right_and_are_told() -> None:
    text = "x1,größe\n1.0,groß\n3.0,klein\n1.5,groß \u2013 neu\n3.5,klein"
    made = table(text, "cp1252")
    assert made.frame["größe"].tolist() == ["groß", "klein", "groß – neu", "klein"]
    assert made.decisions["encoding"] == "cp1252"
    assert told(made, "Windows-1252")


def test_another_script_is_found_by_its_letters() -> None:
    words = ["красный", "зелёный", "очень красный", "совсем зелёный"] * 8
    text = "число,цвет\n" + "\n".join(f"{place},{word}" for place, word in enumerate(words))
    made = table(text, "cp1251")
    assert made.frame["цвет"].tolist() == words


def test_the_encoding_can_be_insisted_on() -> None:
    assert table("x,l\n1,é\n2,b", "cp1252", encoding="cp1250").frame["l"].iloc[0] == "é"
    with pytest.raises(FileError, match="not ascii text"):
        table("x,l\n1,é\n2,b", encoding="ascii")
    with pytest.raises(ParameterError, match="encoding must be the name of a text encoding"):
        table(PLAIN, encoding="base64")


def test_semicolons_leave_decimal_commas_whole() -> None:
    made = table("x1;x2;label\n1,25;2,5;a\n3,75;4,0;b\n1,5;2,75;a\n3,5;4,25;b")
    assert made.decisions["separator"] == ";"
    assert made.decisions["decimal"] == ","
    assert made.to_dataset().X[:, 0].tolist() == [1.25, 3.75, 1.5, 3.5]


def test_semicolons_win_without_a_header_too() -> None:
    made = table("1,25;2,5;a\n3,75;4,0;b\n1,5;2,75;a")
    assert made.frame.shape == (3, 3)
    assert made.to_dataset().X[:, 1].tolist() == [2.5, 4.0, 2.75]


@pytest.mark.parametrize(
    ("cells", "separator", "values"),
    [
        (["1.234,5", "2,25"], ";", [1234.5, 2.25]),
        (["1 234,5", "2,25"], ";", [1234.5, 2.25]),
        (["1'234.5", "2.25"], ";", [1234.5, 2.25]),
        (['"1,234.5"', "2.25"], ",", [1234.5, 2.25]),
        (['"1,234,567"', "2"], ",", [1234567.0, 2.0]),
        (["1e3", "-.5"], ",", [1000.0, -0.5]),
        (["+1", "2."], ",", [1.0, 2.0]),
    ],
)
def test_numbers_in_any_writing(cells: list[str], separator: str, values: list[float]) -> None:
    lines = [f"x{separator}label", *(f"{cell}{separator}{c}" for cell, c in zip(cells, "ab"))]  # noqa: B905
    assert table("\n".join(lines)).to_dataset().X[:, 0].tolist() == values


def test_a_doubtful_comma_is_told_and_can_be_changed() -> None:
    text = "x;label\n1,234;a\n5,678;b\n9,111;a"
    made = table(text)
    assert made.to_dataset().X[0, 0] == 1.234
    assert told(made, "decimal comma")
    changed = table(text, decimal=".")
    assert changed.to_dataset().X[0, 0] == 1234.0


def test_a_doubtful_point_is_told_and_can_be_changed() -> None:
    text = "x;label\n1.234;a\n5.678;b\n9.111;a"
    made = table(text)
    assert made.to_dataset().X[0, 0] == 1.234
    assert told(made, "decimal point")
    assert table(text, decimal=",").to_dataset().X[0, 0] == 1234.0
    assert not told(table(text.replace("9.111", "9.1")), "decimal point")


def test_a_file_that_is_one_endless_cell_is_not_called_empty() -> None:
    with pytest.raises(FileError, match=r"Line 1 could not be read \(field larger"):
        table("a" * 200_000)


def test_no_header_keeps_the_first_row() -> None:
    made = table("1.0,2.0,0\n3.0,4.0,1\n1.5,2.5,0\n3.5,4.5,1")
    assert made.frame.shape == (4, 3)
    assert made.columns == ("col1", "col2", "col3")
    assert told(made, "no header")
    assert table(PLAIN, header=False).frame.shape == (5, 3)
    assert table("1,2,a\n3,4,b\n5,6,a", header=True).columns == ("1", "2", "a")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("red,small,yes\nblue,big,no\nred,big,yes\nblue,small,no", False),
        ("color,size,sold\nred,small,yes\nblue,big,no\nred,big,yes", True),
        ("M, 0.4, negative\nF, 0.5, negative\nM, 0.3, positive", False),
        ("2,1,?,1\n1,?,3,2\n2,4,5,2", False),
        ("0,1,2,label\n5,6,7,a\n8,9,1,b", True),
        (",x1,label\n0,1.5,a\n1,2.5,b", True),
        ("2019,2020,class\n1.5,2.5,0\n2.5,3.5,1", True),
        ("1100.5,1101,1101.5,kind\n" + "0.5,0.2,0.1,a\n0.4,0.7,0.3,b\n" * 3, True),
        ("10%,50%,90%,kind\n" + "0.5,0.2,0.1,a\n0.4,0.7,0.3,b\n" * 3, True),
        ("0.5,0.2,0.7,kind\n" + "0.5,0.2,0.1,a\n0.4,0.7,0.3,b\n" * 3, False),
    ],
)
def test_a_header_is_judged_by_what_stands_below(text: str, header: bool) -> None:
    assert table(text).decisions["header"] is header


def test_three_header_rows_give_names_kinds_and_roles() -> None:
    text = "name\thair\tlegs\ttype\nstring\td\td\td\nmeta\t\t\tclass\n"
    text += "cat\t1\t4\tmammal\nhen\t0\t2\tbird\ndog\t1\t4\tmammal\nowl\t0\t2\tbird"
    made = table(text)
    assert made.frame.shape == (4, 4)
    assert made.label == "type"
    assert made.columns_with("id") == ("name",)
    assert made.to_dataset().ids.tolist() == ["cat", "hen", "dog", "owl"]


def test_blanks_around_cells_and_names_make_no_new_class() -> None:
    made = table("x1, x2 , label\n1.0, 2.0, a\n3.0, 4.0, b\n1.5, 2.5,a \n3.5, 4.5, b")
    assert made.columns == ("x1", "x2", "label")
    assert set(made.to_dataset().y.tolist()) == {"a", "b"}


def test_repeated_names_are_told_apart() -> None:
    made = table("x,x,label,label\n1,2,a,p\n3,4,b,q\n1.5,2.5,a,p")
    assert made.columns == ("x", "x (2)", "label", "label (2)")
    assert told(made, "occurred more than once")


def test_names_already_taken_are_not_given_twice() -> None:
    made = table("x,x (2),x,,column 4,label\n1,2,3,4,5,a\n2,3,4,5,6,b")
    assert len(set(made.columns)) == 6
    assert made.columns[:3] == ("x", "x (2)", "x (3)")


@pytest.mark.parametrize("cell", ["a", "<b>a</b>"])
def test_html_in_a_name_stays_plain_text(cell: str) -> None:
    name = "<img src=x onerror=alert(1)>"
    made = table(f"{name},label\n1,{cell}\n2,b")
    assert made.columns[0] == name
    assert made.to_dataset().feature_names == (name,)


def test_line_breaks_in_names_become_blanks() -> None:
    assert table('"a\nb",label\n1,a\n2,b').columns[0] == "a b"


def test_quoted_separators_and_line_ends_stay_in_their_cells() -> None:
    made = table('note,x,label\n"a, b",1,p\n"c\nd",2,q\n"say ""hi""",3,p')
    assert made.frame["note"].tolist() == ["a, b", "c\nd", 'say "hi"']


def test_a_stray_quotation_mark_is_read_as_a_letter() -> None:
    rows = "\n".join(f'{place},"{place} inch,{"ab"[place % 2]}' for place in range(5))
    made = table("x,size,label\n" + rows)
    assert made.frame.shape == (5, 3)
    assert told(made, "do not pair up")


def test_single_quotes_are_quotes_only_where_they_help() -> None:
    made = table("x,word,label\n1,'a, b',p\n2,'c, d',q\n3,'e, f',p")
    assert made.frame["word"].tolist() == ["a, b", "c, d", "e, f"]
    assert table("x,label\n1,'a'\n2,'b'\n3,'a'").frame["label"].iloc[0] == "'a'"


def test_single_quotes_around_names_and_cells_are_taken_off() -> None:
    made = table("'x','label'\n'-1.5','a'\n'2','b'\n'3','a'")
    assert made.columns == ("x", "label")
    assert made.to_dataset().X.ravel().tolist() == [-1.5, 2, 3]
    assert made.decisions["quote"] == "'"


@pytest.mark.parametrize("header", ["x;y;label", "x,y,label", "x\ty\tlabel"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_header_with_another_separator_names_the_columns(header: str, separator: str) -> None:
    rows = [["-1,5", "100,25", "a"], ["2", "7,5", "b"], ["3,5", "9", "a"], ["0,5", "8", "b"]]
    if separator == ",":
        rows = [[cell.replace(",", ".") for cell in row] for row in rows]
    made = table("\n".join([header, *(separator.join(row) for row in rows)]))
    assert made.columns == ("x", "y", "label")
    assert made.decisions["separator"] == separator
    assert made.to_dataset().X.tolist() == [[-1.5, 100.25], [2, 7.5], [3.5, 9], [0.5, 8]]
    assert told(made, "another separator than the rows") == (separator not in header)


@pytest.mark.parametrize("inner", ['"-1.5,100,a"', '"-1.5,""100"",a"'])
def test_lines_in_quotation_marks_are_tables(inner: str) -> None:
    made = table("\n".join(['"x,""y"",label"', inner, '"2,7,b"', '"3,9,a"', '"4,8,b"']))
    assert made.columns == ("x", "y", "label")
    assert made.to_dataset().X[:2].tolist() == [[-1.5, 100], [2, 7]]
    assert told(made, "Each line stood in quotation marks")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_in_quotation_marks_are_no_lines(separator: str) -> None:
    lines = [["x", "y", "label"], ["-1,5", "1.5", 'say ""a""'], ["2", "7", "b"], ["3", "9", "b"]]
    made = table("\n".join(separator.join(f'"{cell}"' for cell in line) for line in lines))
    assert made.columns == ("x", "y", "label")
    assert made.frame["label"].iloc[0] == 'say "a"'
    assert not told(made, "quotation marks")
    assert table('"wert"\n"1,234,567"\n"2,345,678"\n"3,456,789"\n"4,567,890"').columns == ("wert",)


def test_texts_in_quotation_marks_are_one_column() -> None:
    made = table('"text"\n"Hello, you"\n"one, two"\n"and, more"\n"a, b"')
    assert made.columns == ("text",)


def test_fewer_names_than_cells_are_refused() -> None:
    """Decimal commas between commas: no header was found, and 1,5 became two columns."""
    with pytest.raises(FileError, match=r"names 2 columns \(x and label\), but the rows have 3"):
        table("x,label\n1,5,a\n1,25,b\n2,5,a\n0,75,b")
    match = r"names 3 columns \(x, y and label\), but the rows have 5 cells\..*decimal mark"
    with pytest.raises(FileError, match=match):
        table("x,y,label\n1,5,2,25,a\n2,5,3,75,b\n0,5,1,25,a")


def test_rows_of_other_lengths_are_refused_with_line_and_count() -> None:
    text = PLAIN + "\n9,9\n7,7,a,extra\n1,1,b"
    match = r"2 rows do not fit.*3 cells.*line 6 has 2 and line 7 has 4"
    with pytest.raises(FileError, match=match):
        table(text)
    made = table(text, ragged="drop")
    assert made.frame.shape == (5, 3)
    assert told(made, "2 rows with too few or many cells")


def test_a_short_first_data_row_is_not_taken_for_a_title() -> None:
    with pytest.raises(FileError, match="line 1 has 2"):
        table("1,2\n3,4,5\n6,7,8\n9,1,2")


def test_lines_around_the_table_are_left_out_and_told() -> None:
    made = table("Report of May\n\nMade by hand\n" + PLAIN + "\n\nSource: somewhere")
    assert made.frame.shape == (4, 3)
    assert told(made, "above the table: 2 lines")
    assert told(made, "below the table: 1 line")


def test_the_hint_of_a_spreadsheet_names_the_separator() -> None:
    made = table("sep=|\nx|label\n1|a\n2|b")
    assert made.columns == ("x", "label")


def test_a_header_without_a_name_for_row_names_is_shifted() -> None:
    made = table("mpg,gear,class\nMazda,21.0,4,a\nFiat,19.5,3,b\nVolvo,20.1,4,a")
    assert made.frame.shape == (3, 4)
    assert made.frame["mpg"].tolist() == ["21.0", "19.5", "20.1"]
    assert made.columns_with("id") == ("column 1",)
    assert made.to_dataset().ids.tolist() == ["Mazda", "Fiat", "Volvo"]


def test_empty_rows_and_nameless_empty_columns_are_counted() -> None:
    made = table("x;label;;\n1,5;a;;\n2,5;b;;\n;;;\n;;;")
    assert made.frame.shape == (2, 2)
    assert told(made, "2 empty rows")
    assert told(made, "2 empty columns without a name")


def test_decimal_commas_taken_for_separators_are_told() -> None:
    rng = np.random.default_rng(0)
    lines = ["CO,sensor,other"]
    for place in range(60):
        first, second = 1000 + rng.integers(0, 900), rng.integers(-300, -200)
        cell = f"{place % 9}" if place % 4 == 0 else f"{place % 9},{rng.integers(1, 10)}"
        lines.append(",".join(f"{cell},{first},{second}".split(",")[:3]))
    assert told(table("\n".join(lines)), "out of step")


def test_marks_of_two_exams_are_not_out_of_step() -> None:
    rng = np.random.default_rng(1)
    marks = rng.integers(30, 100, size=(80, 2))
    marks[::5, 0] = rng.integers(0, 10, size=16)
    lines = [f"{row % 3},{a},{b}" for row, (a, b) in enumerate(marks)]
    assert not told(table("\n".join(["group,exam1,exam2", *lines])), "out of step")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("\n \n\t\n", "is empty"),
        ("\ufeff", "is empty"),
        ("x1,x2,label\n", "no row"),
        ("x1,x2,label\n,,\n,,\n", "only empty rows"),
    ],
)
def test_nothing_to_read_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        table(text)


def test_a_label_alone_is_refused_when_used() -> None:
    with pytest.raises(FeatureError, match="only the label column 'label'"):
        table("label\na\nb\na").to_dataset()


@pytest.mark.parametrize("word", ["Row Labels", "Grand Total", "Gesamtergebnis"])
def test_a_pivot_table_is_refused(word: str) -> None:
    text = f"region,a,b\nnorth,1,2\nsouth,3,4\n{word},4,6"
    with pytest.raises(FileError, match="pivot table"):
        table(text)


def test_unknown_and_impossible_settings_are_named() -> None:
    with pytest.raises(ParameterError, match="knows no setting 'seperator'"):
        table(PLAIN, seperator=";")
    for wrong in ({"separator": ";;"}, {"quote": "\n"}, {"decimal": "x"}, {"thousands": "_"},
                  {"ragged": "keep"}, {"header": 99}, {"header": "yes"},
                  {"missing_words": "NA"}, {"decimal": ",", "thousands": ","}):  # fmt: skip
        with pytest.raises(ParameterError):
            table(PLAIN, **wrong)


def test_a_chosen_header_row_drops_what_stands_above() -> None:
    made = table("a,b,c\nx1,x2,label\n1,2,p\n3,4,q", header=1)
    assert made.columns == ("x1", "x2", "label")
    assert made.frame.shape == (2, 3)


@pytest.mark.slow
def test_thousands_of_columns_load() -> None:
    names = ",".join(f"g{place}" for place in range(1_500))
    lines = [",".join(str((row * place) % 7) for place in range(1_500)) for row in range(3)]
    text = "\n".join([names + ",label", *(line + "," + "aba"[i] for i, line in enumerate(lines))])
    dataset = table(text).to_dataset(features=[f"g{place}" for place in range(1_500)])
    assert dataset.X.shape == (3, 1_500)


def test_a_table_on_its_side_is_refused() -> None:
    with pytest.raises(FileError, match=r"20,001 columns.*turn the table"):
        table("\n".join([",".join("1" * 20_001)] * 2))

"""What a file is that is not read, by its content, and what to save instead."""

from __future__ import annotations

import re

_CSV = "save it as CSV or .xlsx and load that"

# Sentences by name; a file is known by what stands at a place in it, from the beginning or, for
# the last byte strings, anywhere near it.
_TOLD: dict[str, str] = {
    "7z archive": "unpack it and load the table itself, or pack it as .zip or .gz",
    "RAR archive": "unpack it and load the table itself, or pack it as .zip or .gz",
    "packed file of a kind that is not unpacked here": "unpack it and load the table itself",
    "PDF document": "copy its table into a spreadsheet, save it as CSV or .xlsx and load that",
    "picture": (
        "expected many of them: put them into a zip with a folder for each class (cats/1.png), or "
        "with a table that names them"
    ),
    "text document": "copy its table into a spreadsheet, save it as CSV or .xlsx and load that",
    "presentation": "copy its table into a spreadsheet, save it as CSV or .xlsx and load that",
    "Office document": f"open it in its program, {_CSV}",
    "Apple Numbers document": "export it from Numbers as CSV or Excel and load that",
    "R data file": "write the table in R with write.csv(table, 'table.csv', row.names = FALSE)",
    "HDF5 file": "write the table as Parquet or CSV, or its arrays as an NPZ file with X and y",
    "MATLAB file": "write the table in MATLAB with writetable or writematrix as CSV",
    "Python pickle, which is never loaded because it can run code": (
        "save the table as CSV or Parquet"
    ),
    "Access database": "export the table from Access as CSV or .xlsx and load that",
    "GIS shapefile": "export its attributes from your GIS program as CSV and load that",
    "dBase table": f"open it in a spreadsheet program, {_CSV}",
    "Avro file": "write the table as Parquet or CSV and load that",
    "DuckDB database": "write the table with COPY name TO 'table.parquet' and load that",
    "Feather file of the old kind": "write it again with a newer Feather or as Parquet",
    "NetCDF file": "write the table as CSV or Parquet and load that",
    "FITS file": "write the table as CSV or Parquet and load that",
    "saved web archive": f"open it in a spreadsheet program, {_CSV}",
    "Java object file": "save the table as CSV or ARFF and load that",
    "program": "expected a table such as CSV, Excel or Parquet",
    "sound or film": "expected a table such as CSV, Excel or Parquet",
    "PC-Axis file": "save the table as CSV where it comes from, or with PX-Win",
    "Igor text file": "save the waves from Igor as delimited text and load that",
    "JMP table": "export it from JMP as CSV or .xlsx and load that",
}

_MARKS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"7z\xbc\xaf", "7z archive"),
    (0, b"Rar!\x1a", "RAR archive"),
    (0, b"MSCF", "packed file of a kind that is not unpacked here"),
    (0, b"\x1f\x9d", "packed file of a kind that is not unpacked here"),
    (0, b"\x04\x22\x4d\x18", "packed file of a kind that is not unpacked here"),
    (0, b"%PDF", "PDF document"),
    (0, b"\x89PNG", "picture"), (0, b"\xff\xd8\xff", "picture"), (0, b"GIF8", "picture"),
    (0, b"II*\x00", "picture"), (0, b"MM\x00*", "picture"), (8, b"WEBP", "picture"),
    (0, b"<svg", "picture"), (4, b"ftypheic", "picture"), (4, b"ftypavif", "picture"),
    (0, b"{\\rtf", "text document"),
    (0, b"RDX2\n", "R data file"), (0, b"RDX3\n", "R data file"),
    (0, b"RDA2\n", "R data file"), (0, b"RDA3\n", "R data file"),
    (0, b"X\n\x00\x00\x00", "R data file"), (0, b"A\n2\n", "R data file"),
    (0, b"A\n3\n", "R data file"),
    (0, b"\x89HDF\r\n\x1a\n", "HDF5 file"), (512, b"\x89HDF\r\n\x1a\n", "MATLAB file"),
    (0, b"MATLAB ", "MATLAB file"),
    (4, b"Standard Jet DB", "Access database"), (4, b"Standard ACE DB", "Access database"),
    (0, b"\x00\x00\x27\x0a\x00\x00\x00\x00\x00\x00", "GIS shapefile"),
    (0, b"Obj\x01", "Avro file"),
    (8, b"DUCK", "DuckDB database"),
    (0, b"FEA1", "Feather file of the old kind"),
    (0, b"CDF\x01", "NetCDF file"), (0, b"CDF\x02", "NetCDF file"), (0, b"CDF\x05", "NetCDF file"),
    (0, b"SIMPLE  =", "FITS file"),
    (0, b"MIME-Version:", "saved web archive"),
    (0, b"\xac\xed\x00\x05", "Java object file"),
    (0, b"MZ\x90", "program"), (0, b"\x7fELF", "program"), (0, b"\xca\xfe\xba\xbe", "program"),
    (0, b"ID3", "sound or film"), (8, b"WAVE", "sound or film"), (8, b"AVI ", "sound or film"),
    (0, b"OggS", "sound or film"), (4, b"ftyp", "sound or film"), (0, b"fLaC", "sound or film"),
    (0, b"\xff\xff\x00\x00\x07\x00\x00\x00", "JMP table"),
    (0, b'CHARSET="', "PC-Axis file"), (0, b'AXIS-VERSION="', "PC-Axis file"),
    (0, b"IGOR\r", "Igor text file"), (0, b"IGOR\n", "Igor text file"),
)  # fmt: skip
# A header of one of the usual lengths at the end of a size and four bytes of nothing.
_BITMAP = re.compile(rb"BM.{4}\0{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}", re.DOTALL)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
# A version, a date of plausible months and days, and the mark that ends the list of columns.
_DBASE = re.compile(
    rb"[\x03\x83\x8b\x30\xf5].[\x01-\x0c][\x01-\x1f].{4}(?s:.{24}[A-Za-z_].{10}[CNLDMF])", re.DOTALL
)

# Names of members of a zip, or of streams of the older Office container.
_MEMBERS: tuple[tuple[bytes, str], ...] = (
    (b".iwa", "Apple Numbers document"),
    (b"word/document.xml", "text document"),
    (b"ppt/presentation.xml", "presentation"),
    (b"/data.pkl", "Python pickle, which is never loaded because it can run code"),
)
_STREAMS: tuple[tuple[str, str], ...] = (
    ("WordDocument", "text document"),
    ("PowerPoint Document", "presentation"),
)

PLAIN: dict[str, str] = {
    "locked workbook": (
        "The workbook is protected by a password; remove the password in the spreadsheet "
        "program, save, and load it again."
    ),
    "XML": (
        "This is XML of a kind that is not read; open it in a spreadsheet program, save it as CSV "
        "or .xlsx and load that."
    ),
    "binary": (
        "The file is neither text nor a known table format; expected CSV, Excel, OpenDocument, "
        "Parquet, Arrow, JSON, SQLite, SPSS, Stata, SAS, ARFF, NPZ or NPY."
    ),
}
"""Sentences of kinds that no mark of a program names."""


def reason(error: BaseException) -> str:
    """Return what a library says, as a part of one sentence."""
    told = "".join(letter if letter.isprintable() else " " for letter in str(error)[:400])
    return " ".join(told.split()).rstrip(".")[:120]


def name_of(content: bytes) -> str | None:
    """Return what a file is that begins so, if it is known and not read."""
    for place, mark, name in _MARKS:
        if content.startswith(mark, place):
            return name
    if _PICKLE.match(content):
        return "Python pickle, which is never loaded because it can run code"
    if _BITMAP.match(content):
        return "picture"
    if _DBASE.match(content[:64]):
        return "dBase table"
    return None


def name_of_zip(content: bytes) -> str | None:
    """Return what a zip is that belongs to a program: a zip lists its members at its end."""
    return next((name for mark, name in _MEMBERS if mark in content), None)


def name_of_office(content: bytes) -> str:
    """Return what a file of the older Office container is that holds no workbook."""
    found = (name for mark, name in _STREAMS if mark.encode("utf-16-le") in content)
    return next(found, "Office document")


def refusal(name: str) -> str:
    """Say what a file is that is not read, and what to do."""
    if name in PLAIN:
        return PLAIN[name]
    article = "an" if name[0] in "AEIO" or name[:3] in ("HDF", "R d") else "a"
    return f"This is {article} {name}; {_TOLD[name]}."

"""How much of a file may come in."""

MEGABYTE = 1024 * 1024

MAX_FILE_BYTES = 200 * MEGABYTE
"""Largest file that is read."""

MAX_UNPACKED_BYTES = 512 * MEGABYTE
"""Largest content of a packed file (gzip, zip, workbook); more looks like a zip bomb."""

MAX_CELLS = 60_000_000
"""Most cells (rows times columns) that are kept in memory."""

MAX_COLUMNS = 20_000
"""Most columns; beyond that a table is more likely lying on its side."""

MAX_LINE_BYTES = 16 * MEGABYTE
"""Longest line of a text; as much for each of 20,000 columns as for 800 letters."""

MAX_LETTERS = 300_000_000
"""Most letters (bytes of text) in all cells together."""

MAX_PICTURES = 100_000
"""Most pictures of one file."""

MAX_PICTURE_BYTES = 64 * MEGABYTE
"""Largest file of one picture."""

MAX_PICTURE_PIXELS = 50_000_000
"""Most pixels of one picture; its header says how many, before anything is decoded."""

MAX_PICTURES_BYTES = 2048 * MEGABYTE
"""Most bytes that the pictures of an archive unpack to; one at a time is held."""

MAX_THUMBNAIL_BYTES = 256 * MEGABYTE
"""Most bytes of all thumbnails together; of very many pictures they are smaller."""

"""Reads the rows of a table, and finds how they are written, by the rules in `../report.ts`."""

from __future__ import annotations

import re
from itertools import islice
from typing import Iterator

SEPARATORS = "\t|;,"
SEP_LINE = re.compile(r'\ufeff?"?sep=([\t!#-/:-@\[-`{-~])"?[ \t]*(?:[\r\n]|\Z)', re.ASCII | re.IGNORECASE)
SAMPLE_ROWS = 100
LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n)?")


class Refusal(Exception):
    """A sentence for the user: the call was understood and cannot be served."""


def read_rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yields each row that is not blank, with its number among all rows, counted from 1."""
    blanks = " " if separator == "\t" else " \t"
    leading = re.compile(f"[{blanks}]*")
    bare_cell = re.compile(f"[^{re.escape(separator)}\r\n]*")
    at = 1 if text.startswith("\ufeff") else 0
    row = 0
    while at < len(text):
        row += 1
        line = LINE.match(text, at)
        if '"' not in line[1]:
            at = line.end()
            if line[1].strip(blanks):
                yield row, [cell.strip(blanks) for cell in line[1].split(separator)]
            continue
        cells = []
        while True:
            at = leading.match(text, at).end()
            if text.startswith('"', at):
                close = closing_quote(text, at, row)
                cells.append(text[at + 1 : close].replace('""', '"'))
                at = leading.match(text, close + 1).end()
                if at < len(text) and text[at] not in (separator, "\r", "\n"):
                    rule = "where only a separator or the row's end may stand"
                    raise Refusal(f"row {row} has text after a closing quote, {rule}")
            else:
                bare = bare_cell.match(text, at)
                cells.append(bare[0].rstrip(blanks))
                at = bare.end()
            if not text.startswith(separator, at):
                break
            at += 1
        at = LINE.match(text, at).end()
        yield row, cells


def closing_quote(text: str, start: int, row: int) -> int:
    """Where the quote is that closes the cell opened at `start`: the first one that is not doubled."""
    at = text.find('"', start + 1)
    while at >= 0 and text.startswith('"', at + 1):
        at = text.find('"', at + 2)
    if at < 0:
        raise Refusal(f"row {row} has a quoted cell that is never closed")
    return at


def dialect_of(text: str) -> tuple[str, int]:
    """The separator, and how many rows stand above the header."""
    told = SEP_LINE.match(text)
    first = 1 if told else 0
    best, longest = (told[1] if told else ",", first), 0
    for separator in told[1] if told else SEPARATORS:
        rows = sample(text, separator)[first:]
        start, length, width = largest_run(rows)
        if length > longest:
            best, longest = (separator, first + rows_above(rows, start, length, width)), length
    return best


def sample(text: str, separator: str) -> list[tuple[int, list[str]]]:
    """The first rows with their numbers, up to one that is broken when read so."""
    rows = []
    try:
        for row in islice(read_rows(text, separator), SAMPLE_ROWS):
            rows.append(row)
    except Refusal:
        pass  # The table may be written otherwise; if it is not, reading it whole says what is wrong.
    return rows


def largest_run(rows: list[tuple[int, list[str]]]) -> tuple[int, int, int]:
    """Start, length and width of the run with the most cells; rows of one cell are no run."""
    best = run = (0, 0, 0)
    for at, (_, cells) in enumerate(rows):
        start, length, width = run
        run = (start, length + 1, width) if len(cells) == width else (at, 1, len(cells))
        if run[2] > 1 and run[1] * run[2] > best[1] * best[2]:
            best = run
    return best


def rows_above(rows: list[tuple[int, list[str]]], start: int, length: int, width: int) -> int:
    """How many rows stand above the header: titles, comments and pairs, or none where one is like a header."""

    def is_narrow(cells: list[str]) -> bool:
        return 2 * max((place for place, cell in enumerate(cells, 1) if cell), default=0) <= width

    if start > 0:
        is_apart = rows[start][0] - rows[start - 1][0] > 1
        above = [cells for _, cells in rows[:start]]
        if length < 2 or not (is_apart or all(is_narrow(cells) or cells[0].startswith("#") for cells in above)):
            return 0
    table = rows[start : start + length] if width > 2 else []
    return start + next((at for at, (_, cells) in enumerate(table) if not is_narrow(cells)), 0)

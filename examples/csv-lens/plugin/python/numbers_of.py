"""Reads the numbers of a column, by the rules in `../report.ts`."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Callable

NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*")
COMMA_NUMBER = re.compile(
    r"[ \t]*([+-]?)((?:[1-9][0-9]{0,2}([.'\u2019 \u00a0\u202f])[0-9]{3}(?:\3[0-9]{3})*|[0-9]+)(?:,[0-9]*)?"
    r"(?:[eE][+-]?[0-9]+)?|,[0-9]+(?:[eE][+-]?[0-9]+)?)(-?)[ \t]*"
)
GROUP_MARKS = re.compile(r"[.'\u2019 \u00a0\u202f]")


def decimal_of(tallies: list[Counter[str]], separator: str) -> str:
    """The mark of decimals in a table: a comma where a column of numbers has one and something else separates."""
    if separator == ",":
        return "."
    for tally in tallies:
        if any("," in text for text in tally) and all(
            text == "" or math.isfinite(comma_number(text)) for text in tally
        ):
            return ","
    return "."


def numbers(tally: Counter[str], decimal: str) -> list[float] | None:
    """All values of the column in ascending order; nothing where one cell is no finite number."""
    return (read_all(tally, comma_number) if decimal == "," else None) or read_all(tally, point_number)


def read_all(tally: Counter[str], read: Callable[[str], float]) -> list[float] | None:
    values: list[float] = []
    for text, times in tally.items():
        # Adding zero turns minus zero into zero.
        value = read(text) + 0.0
        if not math.isfinite(value):
            return None
        values.extend([value] * times)
    values.sort()
    return values


def point_number(text: str) -> float:
    return float(text) if NUMBER.fullmatch(text) else math.nan


def comma_number(text: str) -> float:
    found = COMMA_NUMBER.fullmatch(text)
    if not found or (found[1] and found[4]):
        return math.nan
    return float(found[1] + found[4] + GROUP_MARKS.sub("", found[2]).replace(",", "."))

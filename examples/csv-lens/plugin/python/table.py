"""Describes a table by columns. `../report.ts` defines the figures and how a table is read."""

from __future__ import annotations

import heapq
import math
import re
import threading
from bisect import bisect_left
from collections import Counter
from decimal import ROUND_HALF_UP, Context
from itertools import islice
from typing import Any

from numbers_of import decimal_of, numbers
from rows import Refusal, dialect_of, read_rows

TOP_VALUES = 5
HISTOGRAM_BINS = 16
EDGE_DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)
COLUMNS_MAX = 500
TEXT_MAX_CODE_POINTS = 120
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Cancelled(Exception):
    """The host does not want this call's answer any more."""


def describe_csv(text: str, name: str, cancelled: threading.Event) -> dict[str, Any]:
    if "\0" in text:
        raise Refusal("the CSV holds a NUL character, so it is not text")
    text = LONE_SURROGATE.sub("\ufffd", text)
    separator, skipped = dialect_of(text)
    rows = islice(read_rows(text, separator), skipped, None)
    _, header = next(rows, (0, None))
    if header is None:
        raise Refusal("the CSV is empty, it needs a header row")
    if len(header) > COLUMNS_MAX:
        raise Refusal(f"the header has {len(header)} cells, at most {COLUMNS_MAX} columns can be described")
    table = []
    for row, cells in rows:
        if len(cells) != len(header):
            raise Refusal(f"row {row} must have as many cells as the header ({len(header)}), got {len(cells)}")
        table.append(cells)
    tallies = []
    for place in range(len(header)):
        if cancelled.is_set():
            raise Cancelled
        tallies.append(Counter(row[place] for row in table))
    decimal = decimal_of(tallies, separator)
    columns = []
    for place, (heading, tally) in enumerate(zip(header, tallies)):
        if cancelled.is_set():
            raise Cancelled
        columns.append(describe_column(heading or f"column {place + 1}", tally, decimal))
    return {
        "name": cut_text(LONE_SURROGATE.sub("\ufffd", name)),
        "separator": separator,
        "decimal": decimal,
        "skipped": skipped,
        "rows": len(table),
        "columns": columns,
    }


def describe_column(name: str, tally: Counter[str], decimal: str) -> dict[str, Any]:
    empty = tally.pop("", 0)
    top = heapq.nsmallest(TOP_VALUES, tally.items(), key=lambda entry: (-entry[1], entry[0]))
    column = {
        "name": cut_text(name),
        "count": sum(tally.values()),
        "empty": empty,
        "distinct": len(tally),
        "top": [{"value": cut_text(value), "count": count} for value, count in top],
    }
    values = numbers(tally, decimal)
    if values:
        return {**column, "kind": "number", **spread(values)}
    return {
        **column,
        "kind": "text",
        "min": cut_text(min(tally)) if tally else None,
        "max": cut_text(max(tally)) if tally else None,
        "mean": None,
        "quartiles": None,
        "histogram": None,
    }


def spread(values: list[float]) -> dict[str, Any]:
    low, high, count = values[0], values[-1], len(values)
    sum_fits = math.isfinite(max(abs(low), abs(high)) * count)
    return {
        "min": low,
        "max": high,
        "mean": math.fsum(values) / count if sum_fits else None,
        "quartiles": [quantile(values, p) for p in (0.25, 0.5, 0.75)],
        "histogram": histogram(values, low, high),
    }


def quantile(values: list[float], p: float) -> float:
    place = (len(values) - 1) * p
    index = math.floor(place)
    fraction = place - index
    low = values[index]
    high = low if fraction == 0 else values[index + 1]
    return low if low == high else low * (1 - fraction) + high * fraction


def histogram(values: list[float], low: float, high: float) -> dict[str, Any]:
    bins = 1 if low == high else HISTOGRAM_BINS
    edges = [low]
    for step in range(1, bins):
        share = step / bins
        tidy = float(EDGE_DIGITS.create_decimal_from_float(low * (1 - share) + high * share))
        edges.append(min(max(tidy, edges[-1]), high))
    below = [0, *(bisect_left(values, edge) for edge in edges[1:]), len(values)]
    return {"edges": [*edges, high], "counts": [upto - before for before, upto in zip(below, below[1:])]}


def cut_text(text: str) -> str:
    return text if len(text) <= TEXT_MAX_CODE_POINTS else text[: TEXT_MAX_CODE_POINTS - 1] + "…"

"""Widths of the columns of a table for LaTeX, so that it fits the text of a page; wider tables become several."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .cells import Sheet
from .latex_text import narrowest, width_of

TEXT_WIDTH = 345.0  # points: the article class at 10 points, the narrowest of LaTeX's own
GAP = 6.0  # points between two columns
LONGEST_NUMBER = 110.0  # points: wider cells of a numeric column are text, and may be broken
FEW_LINES = 4  # of a cell with a long text
WIDE_ENOUGH = 130.0  # points, however long a text is
KEYS = 0.45  # largest share of the width for the columns that every part repeats


@dataclass(frozen=True)
class LatexColumn:
    head: str
    cells: list[str]
    numeric: bool

    @property
    def low(self) -> float:
        """Smallest width: heads are broken between words, texts also within long names, but into few lines."""
        head = narrowest(self.head)
        if self.numeric:
            return max([head, *map(width_of, self.cells)])
        few_lines = min(WIDE_ENOUGH, max(map(width_of, self.cells), default=0) / FEW_LINES)
        return max([head, few_lines, *map(narrowest, self.cells)])

    @property
    def high(self) -> float:
        """Width without a break."""
        return max(map(width_of, [self.head, *self.cells]))


@dataclass(frozen=True)
class Part:
    """A table that fits the page."""

    columns: list[LatexColumn]
    widths: list[float]

    @property
    def width(self) -> float:
        return total(self.widths)

    @property
    def lines(self) -> int:
        """Lines of its body."""
        rows = zip(*(column.cells for column in self.columns))
        return sum(max(math.ceil(1.1 * width_of(cell) / width) if cell else 1 for cell, width in zip(row, self.widths)) for row in rows)


def total(widths: list[float]) -> float:
    return sum(widths) + GAP * (len(widths) - 1)


def columns_of(page: Sheet) -> list[LatexColumn]:
    cells = list(zip(*page.rows)) or [()] * len(page.heads)
    made = []
    for head, mine, numeric in zip(page.heads, cells, page.numeric):
        is_number = numeric and max(map(width_of, mine), default=0) <= LONGEST_NUMBER
        made.append(LatexColumn(head, list(mine), is_number))
    return made


def part(columns: list[LatexColumn]) -> Part:
    """Divides the page's width among columns that fit: each its smallest width, and of the rest its share of what
    all columns would need."""
    rest = TEXT_WIDTH - total([c.low for c in columns])
    wanted = sum(c.high - c.low for c in columns)
    share = min(1.0, rest / wanted) if wanted > 0 else 0.0
    return Part(columns, [c.low + share * (c.high - c.low) for c in columns])


def fits(columns: list[LatexColumn]) -> bool:
    return total([c.low for c in columns]) <= TEXT_WIDTH


def keys_of(columns: list[LatexColumn]) -> list[LatexColumn]:
    """Returns the leading texts that name a row, as far as they leave room for others."""
    keys = []
    for column in columns:
        if column.numeric or total([c.low for c in [*keys, column]]) > KEYS * TEXT_WIDTH:
            break
        keys.append(column)
    return keys


def parts_of(page: Sheet) -> list[Part]:
    """Returns the table, or parts of it side by side, each with the number and the names of its rows."""
    columns = columns_of(page)
    if fits(columns):
        return [part(columns)]
    numbers = LatexColumn("#", [str(n) for n in range(1, len(page.rows) + 1)], True)
    repeated = [numbers, *keys_of(columns)]
    parts, mine = [], []
    for column in columns[len(repeated) - 1 :]:
        if mine and not fits([*repeated, *mine, column]):
            parts.append(part([*repeated, *mine]))
            mine = []
        mine.append(column)
    return [*parts, part([*repeated, *mine])]

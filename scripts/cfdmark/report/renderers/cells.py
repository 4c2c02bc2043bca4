"""Tables as texts for people: one unit for each column, digits by interval."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import brackets, plus_minus, rounded, scale_for, scientific, three_digits

from ..model import COUNT, ERROR, TEXT, Column, Link, Table

ABSENT = "–"
SHOWN = {"plus_minus": plus_minus, "brackets": brackets, "three_digits": three_digits}


@dataclass
class Sheet:
    heads: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    keep_end: list[bool]


def as_quantity(cell) -> Quantity | None:
    if isinstance(cell, Quantity):
        return cell
    return Quantity(cell) if isinstance(cell, (int, float)) else None


def values_of(table: Table, kind: str) -> list[float]:
    """Returns all numbers in columns of a kind."""
    mine = [i for i, column in enumerate(table.columns) if column.kind == kind]
    return [q.value for row in table.rows for i in mine if (q := as_quantity(row[i]))]


def column_scale(table: Table, index: int) -> tuple[float, str]:
    """Returns factor and unit of a column. Times and sizes are compared across columns, so these share their
    unit."""
    kind = table.columns[index].kind
    if kind in (TEXT, COUNT, ERROR):
        return 1.0, ""
    if kind in ("seconds", "bytes"):
        return scale_for(kind, values_of(table, kind))
    return scale_for(kind, [q.value for row in table.rows if (q := as_quantity(row[index]))])


def cell_text(column: Column, cell, factor: float) -> str:
    quantity = as_quantity(cell)
    if cell is None:
        return ABSENT
    if quantity is None:
        return str(cell)
    if column.kind == COUNT:
        return f"{quantity.value:,.0f}"
    if column.kind == ERROR:
        return scientific(quantity.value)
    show = SHOWN.get(column.interval, rounded)
    return show(quantity.scaled(1 / factor))


def sheet(table: Table) -> Sheet:
    scales = [column_scale(table, index) for index in range(len(table.columns))]
    heads = [f"{c.head} ({unit})" if unit else c.head for c, (_, unit) in zip(table.columns, scales)]
    rows = [
        [cell_text(column, cell, factor) for column, cell, (factor, _) in zip(table.columns, row, scales)]
        for row in table.rows
    ]
    return Sheet(heads, rows, [column.kind != TEXT for column in table.columns], [c.keep_end for c in table.columns])


def with_columns(table: Table, kept: list[int], **changes) -> Table:
    rows = [[row[i] for i in kept] for row in table.rows]
    return replace(table, **changes, columns=[table.columns[i] for i in kept], rows=rows)


def is_constant(table: Table, index: int) -> bool:
    if any(isinstance(row[index], Link) for row in table.rows):
        return False  # a title has no link
    return table.columns[index].kind == TEXT and len({str(row[index]) for row in table.rows}) == 1


def hoisted(table: Table) -> Table:
    """Moves texts that are the same in every row below the title."""
    if len(table.rows) < 2 or len(table.columns) < 4:
        return table
    constant = [i for i in range(len(table.columns)) if is_constant(table, i)][: len(table.columns) - 2]
    said = " · ".join(f"{table.columns[i].head} {table.rows[0][i]}" for i in constant)
    kept = [i for i in range(len(table.columns)) if i not in constant]
    return with_columns(table, kept, in_every_row=f"In every row: {said}" if said else "")


def compact(table: Table) -> Table:
    """Returns a table without columns that are empty or the same in every row."""
    filled = [i for i in range(len(table.columns)) if any(row[i] not in (None, "") for row in table.rows)]
    return hoisted(with_columns(table, filled))

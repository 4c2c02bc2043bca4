"""CSV: one file for each table, SI units, full digits, intervals in their own columns."""

from __future__ import annotations

import csv
import io

from cfdmark.text.printable import in_csv

from ..model import TEXT, Column, Section, Table
from .cells import as_quantity

UNITS = ("seconds", "bytes", "joules", "watts", "bytes_per_second", "updates_per_second", "per_second")


def heads(column: Column) -> list[str]:
    unit = column.kind
    name = f"{column.key}_{unit}" if unit in UNITS and unit not in column.key else column.key
    return [name, f"{name}_low", f"{name}_high"] if column.interval else [name]


def digits(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"


def cells(column: Column, cell) -> list[str]:
    quantity = as_quantity(cell)
    if column.kind == TEXT or (cell is not None and quantity is None):
        texts = ["" if cell is None else str(cell).replace("×", "x")]  # plain ASCII where it can be
        return texts + ["", ""] if column.interval else texts
    if quantity is None:
        return [""] * len(heads(column))
    if column.interval:
        return [digits(quantity.value), digits(quantity.low), digits(quantity.high)]
    return [digits(quantity.value)]


def render_table(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([in_csv(head) for column in table.columns for head in heads(column)])
    for row in table.rows:
        writer.writerow([in_csv(value) for column, cell in zip(table.columns, row) for value in cells(column, cell)])
    return text.getvalue()


def render_files(sections: list[Section]) -> dict[str, str]:
    """Returns contents by file name."""
    return {f"{table.key}.csv": render_table(table) for section in sections for table in section.tables}


def render(sections: list[Section], title: str) -> str:
    """Returns all tables in one stream, each below a comment line with its key."""
    parts = [f"# {name}\n{content}" for name, content in render_files(sections).items()]
    return "\n".join(parts)

"""Schema of a file of published values (results/published/README.md), as readable checks."""

from __future__ import annotations

import re

from .model import Cell, Claim, Column, Contradiction, Experiment, Machine, Table
from .nodes import Reader, Value, every, made, one_of, suggestion

UNITS = ["s", "B", "J", "W", "Hz", "1", "flop/s", "B/s"]
ROLES = ["device", "host"]
TRANSFERS = ["included", "excluded", "not stated", "none"]
ID = re.compile(r"[a-z]+-[a-z0-9.-]+")



def read_experiment(page: Value) -> Experiment:
    found = page.make("the file", Experiment, READERS, path=page.path)
    if sum(map(bool, (found.here, found.lacks, found.out_of_reach))) != 1:
        page.fail(
            "the file has one of 'here', how it is measured and compared here, 'lacks', what is not there yet "
            "for that, and 'out_of_reach', why it cannot be measured here"
        )
    if not found.tables and not found.claims and not found.unavailable:
        page.fail("the file has neither a table nor a claim; add one, or the reason as 'unavailable'")
    return found


def read_id(value: Value, what: str) -> str:
    name = value.text(what)
    if not ID.fullmatch(name):
        value.fail(f"id is '{name}'; it is document, dash, figure or table, in lower case: normore-table-6.3")
    if name != value.path.stem:
        value.fail(f"id is '{name}' in a file called {value.path.name}; make the two equal")
    return name


def read_source(value: Value, _) -> dict[str, str]:
    entries = value.entries("source", ["author", "year", "title", "place"])
    year = entries["year"]
    if not re.fullmatch(r"\d{4}|not stated", str(year.node.value)):
        year.fail(f"year is {year.shown()}; it is four digits, or: not stated")
    return {"year": year.node.value, **{key: entries[key].text(key) for key in ("author", "title", "place")}}


def read_table(value: Value, _) -> Table:
    entries = value.entries("a table", ["name", "columns", "rows"], ["approximate", "place"])
    name = entries["name"].text("name of a table")
    items = entries["columns"].items(f"columns of table '{name}'")
    columns = [item.make("a column", Column, READERS) for item in items]
    refuse_twice(columns, entries["columns"], f"table '{name}' has two columns named")
    rows = [read_row(item, name, columns) for item in entries["rows"].items(f"rows of table '{name}'")]
    if not rows:
        entries["rows"].fail(f"table '{name}' has no rows; add them, or leave the table out")
    return Table(name, columns, rows, approximate(entries), place(entries))


def read_unit(value: Value, _) -> str:
    if value.node.value not in UNITS:
        hint = suggestion(str(value.node.value), UNITS)
        value.fail(f"unit is {value.shown()}, which is not a unit of these files{hint}")
    return value.node.value


def read_row(value: Value, table: str, columns: list[Column]) -> list[Cell]:
    cells = value.items(f"a row of table '{table}'")
    if len(cells) != len(columns):
        names = ", ".join(column.name for column in columns)
        expected = f"{len(columns)} are expected: {names}"
        value.fail(f"a row of table '{table}' has {len(cells)} entries where {expected}")
    return [read_cell(cell, column) for cell, column in zip(cells, columns)]


def read_cell(cell: Value, column: Column) -> Cell:
    if cell.is_null():
        return None
    if column.unit is not None:
        return cell.number(f"column '{column.name}'", column.unit)
    if cell.is_number():
        cell.fail(
            f"column '{column.name}' holds {cell.shown()}, a number, but has no unit; "
            "give the column a unit, or put a label in quotes"
        )
    return cell.text(f"column '{column.name}'")


def read_claim(value: Value, _) -> Claim:
    entries = value.entries("a claim", ["name", "value", "unit", "text"], ["approximate", "place"])
    name, unit = entries["name"].text("name of a claim"), read_unit(entries["unit"], "unit")
    number = entries["value"].number(f"claim '{name}'", unit)
    return Claim(name, number, unit, entries["text"].text("text"), approximate(entries), place(entries))


def read_places(value: Value, what: str) -> list[str]:
    found = value.texts(what)
    if len(found) < 2:
        value.fail("a contradiction is between at least two places of the documents; name them")
    return found


def approximate(entries: dict[str, Value]) -> bool:
    return "approximate" in entries and entries["approximate"].boolean("approximate")


def place(entries: dict[str, Value]) -> str:
    return entries["place"].text("place") if "place" in entries else ""


def named(read: Reader) -> Reader:
    """Returns the reader of a list of items with unique names."""

    def read_all(value: Value, what: str) -> list:
        items = every(read)(value, what)
        refuse_twice(items, value, f"{what} has two entries named")
        return items

    return read_all


def refuse_twice(items: list, value: Value, what: str) -> None:
    names = [item.name for item in items]
    for index, name in enumerate(names):
        if name in names[:index]:
            value.items(what)[index].fail(f"{what} '{name}'; rename one")


READERS: dict[str, Reader] = {
    "str": Value.text,
    "list[str]": Value.texts,
    "Value | None": lambda value, _: value,
    "str | None": Value.text,
    "id": read_id,
    "source": read_source,
    "transfers": one_of(TRANSFERS),
    "role": one_of(ROLES),
    "unit": read_unit,
    "between": read_places,
    "list[Table]": named(read_table),
    "list[Claim]": named(read_claim),
}
READERS["list[Machine]"] = every(made("hardware", Machine, READERS))
READERS["list[Contradiction]"] = named(made("a contradiction", Contradiction, READERS))

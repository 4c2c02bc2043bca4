"""Schema of a file of published values (results/published/README.md), as readable checks."""

from __future__ import annotations

import re

from .model import Cell, Claim, Column, Contradiction, Experiment, Table
from .nodes import Value, suggestion

UNITS = ["s", "B", "J", "W", "Hz", "1", "flop/s", "B/s"]
ROLES = ["device", "host"]
TRANSFERS = ["included", "excluded", "not stated", "none"]
ID = re.compile(r"[a-z]+-[a-z0-9.-]+")

REQUIRED = [
    "id",
    "title",
    "source",
    "hardware",
    "problem",
    "method",
    "varied",
    "recorded",
    "baseline",
    "transfers",
    "found",
]
OPTIONAL = ["tables", "claims", "notes", "contradictions", "unavailable"]
HERE = ["here", "lacks", "out_of_reach"]  # one of them


def read_experiment(page: Value) -> Experiment:
    entries = page.entries("the file", REQUIRED, [*OPTIONAL, *HERE])
    made = Experiment(
        path=page.path,
        id=read_id(entries["id"]),
        **{key: entries[key].text(key) for key in ("title", "problem", "method", "baseline", "found")},
        source=read_source(entries["source"]),
        hardware=[read_machine(item) for item in entries["hardware"].items("hardware")],
        varied=texts(entries["varied"], "varied"),
        recorded=texts(entries["recorded"], "recorded"),
        transfers=entries["transfers"].one_of("transfers", TRANSFERS),
        tables=named(entries, "tables", read_table),
        claims=named(entries, "claims", read_claim),
        notes=texts(entries["notes"], "notes") if "notes" in entries else [],
        contradictions=named(entries, "contradictions", read_contradiction),
        unavailable=entries["unavailable"].text("unavailable") if "unavailable" in entries else "",
        here=entries.get("here"),
        **{key: entries[key].text(key) for key in HERE[1:] if key in entries},
    )
    if sum(key in entries for key in HERE) != 1:
        page.fail(
            "the file has one of 'here', how it is measured and compared here, 'lacks', what is not there yet "
            "for that, and 'out_of_reach', why it cannot be measured here"
        )
    if not made.tables and not made.claims and not made.unavailable:
        page.fail(
            "the file has neither a table nor a claim; add one, or say in 'unavailable' why there is none"
        )
    return made


def read_id(value: Value) -> str:
    name = value.text("id")
    if not ID.fullmatch(name):
        value.fail(f"id is '{name}'; it is document, dash, figure or table, in lower case: normore-table-6.3")
    if name != value.path.stem:
        value.fail(f"id is '{name}' in a file called {value.path.name}; make the two equal")
    return name


def read_source(value: Value) -> dict[str, str]:
    entries = value.entries("source", ["author", "year", "title", "place"])
    year = entries["year"]
    if not re.fullmatch(r"\d{4}|not stated", str(year.node.value)):
        year.fail(f"year is {year.shown()}; it is four digits, or: not stated")
    return {"year": year.node.value, **{key: entries[key].text(key) for key in ("author", "title", "place")}}


def read_machine(value: Value) -> dict[str, str]:
    entries = value.entries("hardware", ["name", "role"], ["note"])
    made = {key: entries[key].text(key) for key in entries if key != "role"}
    return {**made, "role": entries["role"].one_of("role", ROLES)}


def read_table(value: Value) -> Table:
    entries = value.entries("a table", ["name", "columns", "rows"], ["approximate", "place"])
    name = entries["name"].text("name of a table")
    columns = [read_column(item) for item in entries["columns"].items(f"columns of table '{name}'")]
    refuse_twice(columns, entries["columns"], f"table '{name}' has two columns named")
    rows = [read_row(item, name, columns) for item in entries["rows"].items(f"rows of table '{name}'")]
    if not rows:
        entries["rows"].fail(f"table '{name}' has no rows; add them, or leave the table out")
    return Table(name, columns, rows, approximate(entries), place(entries))


def read_column(value: Value) -> Column:
    entries = value.entries("a column", ["name"], ["unit", "text"])
    unit = read_unit(entries["unit"]) if "unit" in entries else None
    meaning = entries["text"].text("text") if "text" in entries else ""
    return Column(entries["name"].text("name of a column"), unit, meaning)


def read_unit(value: Value) -> str:
    if value.node.value not in UNITS:
        hint = suggestion(str(value.node.value), UNITS)
        value.fail(f"unit is {value.shown()}, which is not a unit of these files{hint}")
    return value.node.value


def read_row(value: Value, table: str, columns: list[Column]) -> list[Cell]:
    cells = value.items(f"a row of table '{table}'")
    if len(cells) != len(columns):
        names = ", ".join(column.name for column in columns)
        value.fail(
            f"a row of table '{table}' has {len(cells)} entries where {len(columns)} are expected: {names}"
        )
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


def read_claim(value: Value) -> Claim:
    entries = value.entries("a claim", ["name", "value", "unit", "text"], ["approximate", "place"])
    name, unit = entries["name"].text("name of a claim"), read_unit(entries["unit"])
    number = entries["value"].number(f"claim '{name}'", unit)
    return Claim(name, number, unit, entries["text"].text("text"), approximate(entries), place(entries))


def read_contradiction(value: Value) -> Contradiction:
    entries = value.entries("a contradiction", ["name", "between", "text"])
    between = texts(entries["between"], "between")
    if len(between) < 2:
        entries["between"].fail("a contradiction is between at least two places of the documents; name them")
    return Contradiction(
        entries["name"].text("name of a contradiction"), between, entries["text"].text("text")
    )


def approximate(entries: dict[str, Value]) -> bool:
    return "approximate" in entries and entries["approximate"].boolean("approximate")


def place(entries: dict[str, Value]) -> str:
    return entries["place"].text("place") if "place" in entries else ""


def texts(value: Value, what: str) -> list[str]:
    return [item.text(f"an entry of {what}") for item in value.items(what)]


def named(entries: dict[str, Value], key: str, read) -> list:
    """Returns a list of items with unique names; empty if the key is absent."""
    if key not in entries:
        return []
    made = [read(item) for item in entries[key].items(key)]
    refuse_twice(made, entries[key], f"{key} has two entries named")
    return made


def refuse_twice(made: list, value: Value, what: str) -> None:
    names = [item.name for item in made]
    for index, name in enumerate(names):
        if name in names[:index]:
            value.items(what)[index].fail(f"{what} '{name}'; rename one")

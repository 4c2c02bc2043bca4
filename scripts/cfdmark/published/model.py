"""Contents of a file of published values. Numbers are in their unit, None where the document has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

from .nodes import Number, Value

Cell = Union[str, Number, None]


@dataclass(frozen=True)
class Column:
    name: str
    unit: str | None = None  # None: labels
    text: str = ""


@dataclass(frozen=True)
class Table:
    name: str
    columns: list[Column]
    rows: list[list[Cell]]
    approximate: bool = False
    place: str = ""

    def column(self, name: str) -> list[Cell]:
        index = [column.name for column in self.columns].index(name)
        return [row[index] for row in self.rows]

    def value(self, column: str, **labels: str) -> Cell:
        """Returns the entry of `column` in the one row whose label columns hold `labels`."""
        fits = [
            entry
            for row, entry in zip(self.rows, self.column(column))
            if all(row[[c.name for c in self.columns].index(name)] == label for name, label in labels.items())
        ]
        if len(fits) != 1:
            raise KeyError(f"{len(fits)} rows of table {self.name} have {labels}")
        return fits[0]


@dataclass(frozen=True)
class Claim:
    name: str
    value: Number
    unit: str
    text: str
    approximate: bool = False
    place: str = ""


@dataclass(frozen=True)
class Contradiction:
    name: str
    between: list[str]
    text: str


@dataclass(frozen=True)
class Machine:
    name: str
    role: str
    note: str | None = None


@dataclass(frozen=True)
class Experiment:
    path: Path
    id: str
    title: str
    source: dict[str, str]
    hardware: list[Machine]
    problem: str
    method: str
    varied: list[str]
    recorded: list[str]
    baseline: str
    transfers: str
    found: str
    tables: list[Table] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    unavailable: str = ""
    here: Value | None = None  # plan of the comparison, read by cfdmark/reproduce/plan_schema.py
    lacks: str = ""  # missing solver or kernels
    out_of_reach: str = ""  # reason why it cannot be measured here

    def table(self, name: str = "main") -> Table:
        return next(table for table in self.tables if table.name == name)

    def claim(self, name: str) -> Number:
        return next(claim.value for claim in self.claims if claim.name == name)

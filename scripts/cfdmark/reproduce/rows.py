"""Rows of an experiment: its records by the names in its file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity

from .measured import Absent, Measured


@dataclass(frozen=True)
class Row:
    """Fields that the records of a row have."""

    wanted: dict
    by_backend: dict[str, dict] = field(default_factory=dict)  # fields that differ on a backend


@dataclass(frozen=True)
class Value:
    """A measured number, with its rows and records."""

    quantity: Quantity
    rows: str = ""
    records: tuple[Record, ...] = ()


@dataclass(frozen=True)
class Rows:
    """Rows of an experiment among its records."""

    measured: Measured
    named: dict[str, Row]
    operations: float | None = None  # operations an element, for rates
    reduction: float | None = None  # error reduction up to which iterations are counted
    backend: str = ""  # backend of rows that name none
    grid: tuple[int, ...] = ()  # the only grid, if set

    def on(self, backend: str) -> Rows:
        return replace(self, backend=backend)

    def at(self, grid: tuple[int, ...]) -> Rows:
        return replace(self, grid=grid)

    def wanted(self, name: str) -> dict:
        """Returns the fields of a row. Raises Absent if the row belongs to another grid."""
        row = self.named[name]
        found = dict(row.wanted)
        if self.backend and "backend" not in found:
            found["backend"] = self.backend
        found |= row.by_backend.get(found.get("backend"), {})
        if self.grid and found.setdefault("grid", self.grid) != self.grid:
            raise Absent(f"{name} is of one grid alone")
        return found

    def all(self, name: str) -> list[Record]:
        return self.measured.all(**self.wanted(name))

    def by_grid(self, name: str) -> list[Record]:
        return self.measured.by_grid(**self.wanted(name))

    def largest(self, name: str) -> Record:
        return self.by_grid(name)[-1]

    def pairs(self, one: str, other: str) -> list[tuple[Record, Record]]:
        return self.measured.pairs(self.wanted(one), self.wanted(other))

    def pair(self, one: str, other: str) -> tuple[Record, Record]:
        return self.pairs(one, other)[-1]

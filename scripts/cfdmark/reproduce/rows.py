"""The rows of an experiment, found among its records by the names that its file gives them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity

from .measured import Absent, Measured


@dataclass(frozen=True)
class Row:
    """Which records a name stands for."""

    wanted: dict
    by_backend: dict[str, dict] = field(default_factory=dict)  # what differs on one


@dataclass(frozen=True)
class Value:
    """A measured number, and the rows it came from."""

    quantity: Quantity
    rows: str = ""
    records: tuple[Record, ...] = ()


@dataclass(frozen=True)
class Rows:
    """The rows of an experiment among its records."""

    measured: Measured
    named: dict[str, Row]
    operations: float | None = None  # an element, of a rate
    reduction: float | None = None  # of an error, to which iterations are counted
    backend: str = ""  # of the rows that name none
    grid: tuple[int, ...] = ()  # the only one, if any

    def on(self, backend: str) -> Rows:
        return replace(self, backend=backend)

    def at(self, grid: tuple[int, ...]) -> Rows:
        return replace(self, grid=grid)

    def wanted(self, name: str) -> dict:
        """Raises Absent if the row is of another grid."""
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

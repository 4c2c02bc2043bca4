"""Selects records: by their fields, the fastest, pairs on a common grid; reports why there is none."""

from __future__ import annotations

from collections import Counter

from cfdmark.records.records import Dataset, Record
from cfdmark.records.select import fastest, grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster

FIELDS = ("kind", "name", "backend", "precision", "method", "grid", "problem", "on_host", "regime", "mesh_kind", "ranks")
# All cores of a processor, by the faster backend.
CORES = {"backend": ("openmp", "kokkos"), "on_host": True}
# Defaults of settings that older records lack.
BEFORE = {"overlap": "none", "level_blocks": "same"}


class Absent(Exception):
    """There is no record to compare. The message says why."""


def newest_machine(dataset: Dataset) -> Dataset:
    """Keeps the records of the machine that wrote last: a comparison must not mix machines."""
    if len(dataset.machines) < 2:
        return dataset
    last = dataset.machine_of(dataset.records[-1])
    kept = [r for r in dataset.records if dataset.machine_of(r) == last]
    note = f"{len(dataset.records) - len(kept)} records of another machine are not used"
    return Dataset(kept, dataset.environments, [*dataset.warnings, note], dataset.files)


def fits(record: Record, wanted: dict) -> bool:
    """True if the record has each wanted field or setting; a tuple of strings lists alternatives. One rank is wanted
    unless a number is given."""
    settings = {**BEFORE, **record.section("workload"), **record.config}
    for key, value in {"ranks": 1, **wanted}.items():
        mine = getattr(record, key) if key in FIELDS else settings.get(key)
        alternatives = value if isinstance(value, tuple) and key != "grid" else (value,)
        if mine not in alternatives:
            return False
    return True


def described(wanted: dict) -> str:
    def text(value) -> str:
        return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    known = [text(wanted[key]) for key in ("name", "backend", "precision", "method") if key in wanted]
    others = [f"{k}={v}" for k, v in wanted.items() if k not in FIELDS or k == "ranks"]
    kind = f" on {wanted['mesh_kind']}" if "mesh_kind" in wanted else ""
    return "/".join(known) + kind + (f" with {', '.join(others)}" if others else "")


def most_frequent(bad: list[Record]) -> str:
    return Counter(r.reason for r in bad).most_common(1)[0][0]


class Measured:
    """Records of an experiment, from one machine in each of its files."""

    def __init__(self, dataset: Dataset):
        self.dataset = dataset

    @classmethod
    def of(cls, record: Record) -> Measured:
        return cls(Dataset([record]))

    def all(self, **wanted) -> list[Record]:
        """Returns matching records that are ok. Raises Absent if there are none."""
        fitting = [r for r in self.dataset.records if fits(r, wanted)]
        found = [r for r in fitting if r.ok]
        if not found:
            raise Absent(self.why_absent(wanted, fitting))
        return found

    def why_absent(self, wanted: dict, bad: list[Record]) -> str:
        """Returns the most frequent reason. `bad` are the matching records that are not ok."""
        of_backend = [r for r in self.dataset.records if fits(r, {"backend": wanted.get("backend"), "ranks": r.ranks})]
        if of_backend and not any(r.ok for r in of_backend):
            return f"nothing ran on {of_backend[0].backend}: {most_frequent(of_backend)}"
        if bad:
            return f"no {described(wanted)}: {most_frequent(bad)}"
        return f"no record of {described(wanted)}: the sweep has not got to it, or left it out"

    def has(self, **wanted) -> bool:
        return any(r.ok and fits(r, wanted) for r in self.dataset.records)

    def by_grid(self, **wanted) -> list[Record]:
        """Returns the fastest on each grid, small grids first."""
        groups = grouped(self.all(**wanted), lambda r: r.grid).values()
        return sorted((fastest(g) for g in groups), key=lambda r: r.nodes)

    def largest(self, **wanted) -> Record:
        return self.by_grid(**wanted)[-1]

    def pairs(self, one: dict, other: dict) -> list[tuple[Record, Record]]:
        """Returns the fastest of each on the common grids, small grids first."""
        first, second = self.by_grid(**one), {r.grid: r for r in self.by_grid(**other)}
        common = [(a, second[a.grid]) for a in first if a.grid in second]
        if not common:
            raise Absent(f"{described(one)} and {described(other)} have no grid in common")
        found = [(a, b) for a, b in common if self.dataset.machine_of(a) == self.dataset.machine_of(b)]
        if not found:
            raise Absent(f"{described(one)} and {described(other)} were measured on different machines")
        return found

    def ratio(self, fast: dict, slow: dict) -> tuple[Quantity, Record, Record]:
        """Returns how many times as fast `fast` is, for an iteration or a step, on the largest common grid.
        """
        a, b = self.pairs(fast, slow)[-1]
        return times_faster(a, b), a, b


def rate(record: Record, operations_a_node: float) -> Quantity:
    """Returns operations a second."""
    return record.iteration_time.per_second(operations_a_node * record.nodes)


def less(more: Quantity, fewer: Quantity) -> Quantity:
    """Returns a difference, with the widest interval that the two allow."""
    if not (more.has_interval and fewer.has_interval):
        return Quantity.without_interval(more.value - fewer.value, more, fewer)
    return Quantity(more.value - fewer.value, more.low - fewer.high, more.high - fewer.low)


def divided(above: Quantity, below: Quantity) -> Quantity:
    """Returns a ratio of positive numbers, with the widest interval that the two allow."""
    if not (above.has_interval and below.has_interval):
        return Quantity.without_interval(above.value / below.value, above, below)
    return Quantity(above.value / below.value, above.low / below.high, above.high / below.low)

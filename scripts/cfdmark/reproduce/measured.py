"""Picks records: by what they are, the fastest, two on the same grid; and says why there is none."""

from __future__ import annotations

from collections import Counter

from cfdmark.records.records import Dataset, Record
from cfdmark.records.select import fastest, grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster

FIELDS = ("kind", "name", "backend", "precision", "method", "grid", "problem", "on_host", "regime")
# All cores of a processor, in whichever way is faster.
CORES = {"backend": ("openmp", "kokkos"), "on_host": True}
# Settings that came when records were kept already: what a record without them did, which is their default.
BEFORE = {"overlap": "none", "level_blocks": "same"}


class Absent(Exception):
    """No record to compare; the message says why."""


def newest_machine(dataset: Dataset) -> Dataset:
    """Only the records of the machine that wrote last: a comparison must not mix two."""
    if len(dataset.machines) < 2:
        return dataset
    last = dataset.machine_of(dataset.records[-1])
    kept = [r for r in dataset.records if dataset.machine_of(r) == last]
    note = f"{len(dataset.records) - len(kept)} records of another machine are left out"
    return Dataset(kept, dataset.environments, [*dataset.warnings, note], dataset.files)


def fits(record: Record, wanted: dict) -> bool:
    """Whether the record has each wanted field or setting; a tuple of strings names alternatives."""
    settings = {**BEFORE, **record.section("question"), **record.config}
    for key, value in wanted.items():
        mine = getattr(record, key) if key in FIELDS else settings.get(key)
        alternatives = value if isinstance(value, tuple) and key != "grid" else (value,)
        if mine not in alternatives:
            return False
    return True


def described(wanted: dict) -> str:
    def text(value) -> str:
        return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    known = [text(wanted[key]) for key in ("name", "backend", "precision", "method") if key in wanted]
    others = [f"{k}={v}" for k, v in wanted.items() if k not in FIELDS]
    return "/".join(known) + (f" with {', '.join(others)}" if others else "")


def most_frequent(bad: list[Record]) -> str:
    return Counter(r.reason for r in bad).most_common(1)[0][0]


class Measured:
    """The records that an experiment looks at: of each of its files those of one machine."""

    def __init__(self, dataset: Dataset):
        self.dataset = dataset

    @classmethod
    def of(cls, record: Record) -> Measured:
        return cls(Dataset([record]))

    def all(self, **wanted) -> list[Record]:
        """Those that ended well. Raises Absent if there is none."""
        fitting = [r for r in self.dataset.records if fits(r, wanted)]
        found = [r for r in fitting if r.ok]
        if not found:
            raise Absent(self.why_absent(wanted, fitting))
        return found

    def why_absent(self, wanted: dict, bad: list[Record]) -> str:
        """The most frequent reason; `bad`: the records that fit and did not end well."""
        of_backend = [r for r in self.dataset.records if fits(r, {"backend": wanted.get("backend")})]
        if of_backend and not any(r.ok for r in of_backend):
            return f"nothing ran on {of_backend[0].backend}: {most_frequent(of_backend)}"
        if bad:
            return f"no {described(wanted)}: {most_frequent(bad)}"
        return f"no record of {described(wanted)}: the sweep has not got to it, or left it out"

    def has(self, **wanted) -> bool:
        return any(r.ok and fits(r, wanted) for r in self.dataset.records)

    def by_grid(self, **wanted) -> list[Record]:
        """The fastest on each grid, small grids first."""
        groups = grouped(self.all(**wanted), lambda r: r.grid).values()
        return sorted((fastest(g) for g in groups), key=lambda r: r.nodes)

    def largest(self, **wanted) -> Record:
        return self.by_grid(**wanted)[-1]

    def pairs(self, one: dict, other: dict) -> list[tuple[Record, Record]]:
        """The fastest of each on the grids that both have, small grids first."""
        first, second = self.by_grid(**one), {r.grid: r for r in self.by_grid(**other)}
        common = [(a, second[a.grid]) for a in first if a.grid in second]
        if not common:
            raise Absent(f"{described(one)} and {described(other)} have no grid in common")
        found = [(a, b) for a, b in common if self.dataset.machine_of(a) == self.dataset.machine_of(b)]
        if not found:
            raise Absent(f"{described(one)} and {described(other)} were measured on different machines")
        return found

    def ratio(self, fast: dict, slow: dict) -> tuple[Quantity, Record, Record]:
        """How many times as fast `fast` is as `slow`, an iteration or a step, on their largest common grid."""
        a, b = self.pairs(fast, slow)[-1]
        return times_faster(a, b), a, b


def rate(record: Record, operations_a_node: float) -> Quantity:
    """Operations a second."""
    return record.iteration_time.per_second(operations_a_node * record.nodes)


def less(more: Quantity, fewer: Quantity) -> Quantity:
    """A difference; its interval is the widest that the two allow."""
    if not (more.has_interval and fewer.has_interval):
        return Quantity.without_interval(more.value - fewer.value, more, fewer)
    return Quantity(more.value - fewer.value, more.low - fewer.high, more.high - fewer.low)


def divided(above: Quantity, below: Quantity) -> Quantity:
    """A ratio of positive numbers; its interval is the widest that the two allow."""
    if not (above.has_interval and below.has_interval):
        return Quantity.without_interval(above.value / below.value, above, below)
    return Quantity(above.value / below.value, above.low / below.high, above.high / below.low)

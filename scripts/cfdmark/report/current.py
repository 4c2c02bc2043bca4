"""The current record of each case on a device: the newest one from a clean commit."""

from __future__ import annotations

from collections.abc import Iterable

from cfdmark.records.records import Record
from cfdmark.records.select import fastest, grouped
from cfdmark.stats.statistics import WITHOUT_INTERVAL, times_faster, verdict


def case_of(record: Record) -> tuple:
    return (record.case, record.problem)


def workload_key(record: Record) -> tuple:
    """Returns what is computed, independent of backend and method."""
    return (record.kind, record.name, record.problem, record.grid, record.precision, record.number("solver", "tolerance"))


def is_faster(one: Record, other: Record) -> bool:
    """True if faster by more than the smallest effect; without an interval, by more than WITHOUT_INTERVAL."""
    ratio = times_faster(one, other)
    return verdict(ratio) == "faster" if ratio.has_interval else ratio.value > WITHOUT_INTERVAL


class Current:
    """Current records of one device, from all its files."""

    def __init__(self, records: Iterable[Record]):
        newest: dict[tuple, Record] = {}
        for record in sorted((r for r in records if r.ok and r.clean), key=lambda r: r.written):
            newest[case_of(record)] = record
        self.newest = newest
        self.records = list(newest.values())
        self.fastest = {key: fastest(group) for key, group in grouped(self.records, workload_key).items()}

    def newer(self, record: Record) -> Record | None:
        """Returns the newer record of the same case, if another file has one."""
        found = self.newest.get(case_of(record))
        return found if found and found.file != record.file and found.written > record.written else None

    def overtaken_by(self, record: Record) -> Record | None:
        """Returns the newer record of the same case if it is clearly faster."""
        found = self.newer(record)
        return found if found and is_faster(found, record) else None

    def faster_elsewhere(self, record: Record) -> Record | None:
        """Returns the fastest current record that computes the same, if another file has it and it is clearly
        faster."""
        found = self.fastest.get(workload_key(record))
        return found if found and found.file != record.file and is_faster(found, record) else None

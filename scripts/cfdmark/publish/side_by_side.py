"""Devices side by side: the fastest current time of what several of them computed."""

from __future__ import annotations

from collections.abc import Callable

from cfdmark.records.records import Record
from cfdmark.records.select import fastest, grouped, name_rank
from cfdmark.report.current import workload_key
from cfdmark.report.model import Column, Section, Table
from cfdmark.stats.statistics import SMALLEST_EFFECT, times_faster
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import domain_text, plural, row_text

from .found import Found

Row = dict[str, Record]  # the fastest record of each device


def rows(found: Found) -> list[Row]:
    """Returns what at least two devices computed: the same work on the same grid, in the same precision."""
    by_work: dict[tuple, Row] = {}
    for device in found.devices:
        for key, group in grouped(device.current.records, workload_key).items():
            by_work.setdefault(key, {})[device.name] = fastest(group)
    shared = [row for row in by_work.values() if len(row) > 1]
    return sorted(shared, key=lambda row: (*name_rank(first(row)), first(row).precision, -first(row).nodes))


def first(row: Row) -> Record:
    return next(iter(row.values()))


def best(row: Row) -> str:
    """Returns the name of the fastest device."""
    return min(row, key=lambda name: row[name].iteration_time.value)


def time_of(name: str) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        record = row.get(name)
        return f"{quantity_with_unit(record.iteration_time, 'seconds')} by {row_text(record)}" if record else ""

    return text


def lead(row: Row):
    """Returns the next device's time over that of the fastest."""
    order = sorted(row.values(), key=lambda r: r.iteration_time.value)
    return times_faster(order[0], order[1])


def what(row: Row) -> str:
    record = first(row)
    problem = f", {record.problem}" if record.problem else ""
    return f"{record.name}{' solver' if record.kind == 'solver' else ''}{problem}"


def section_of(found: Found) -> Section:
    """Returns the section; it says so if no two devices computed the same."""
    section = Section("side-by-side", "Devices side by side")
    shared = rows(found)
    if not shared:
        section.empty = "No two devices have a current time of the same work on the same grid."
        return section
    names = [device.name for device in found.devices if any(device.name in row for row in shared)]
    columns = [
        Column("what", "kernel or solver", of=what),
        Column("precision", "precision", of=lambda row: first(row).precision),
        Column("grid", "grid", of=lambda row: domain_text(first(row))),
        *(Column(name, name, of=time_of(name)) for name in names),
        Column("best", "fastest", of=best),
        Column("lead", "next device's time, times", "ratio", "brackets", of=lead),
    ]
    section.finding = f"{plural(len(shared), 'piece of work was', 'pieces of work were')} measured on several devices."
    section.tables = [Table.of("side-by-side", "Time of an iteration or a step by each device's fastest method", columns, shared)]
    section.note = (
        "Each time is the fastest current one of its device, whatever the backend and the method; a device's folder may hold a GPU"
        f" and its host. A lead is clear if its whole interval lies above {1 + SMALLEST_EFFECT:g}."
    )
    return section

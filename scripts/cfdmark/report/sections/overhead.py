"""Overhead of the harness: seconds outside the clock."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import BACKENDS, grouped, rank
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import plural

from ..model import COUNT, Column, Section, Table
from .context import Context

PARTS = ("prepare", "verify", "reset")
COLUMNS = [
    Column("backend", "backend"),
    Column("cases", "cases", COUNT),
    Column("measured", "inside the clock", "seconds"),
    *(Column(part, part, "seconds") for part in PARTS),
    Column("share", "outside / inside", "fraction"),
]


def measured(record: Record) -> float:
    """Returns seconds inside the clock: a sample is the time of one step and holds several steps."""
    return sum(record.samples) * (record.number("time", "steps_per_sample") or 1)


def total(records: list[Record], part: str) -> float:
    return sum(record.number("overhead", part) or 0.0 for record in records)


def table_row(label: str, records: list[Record]) -> list:
    inside = sum(measured(r) for r in records)
    outside = [total(records, part) for part in PARTS]
    return [label, len(records), inside, *outside, sum(outside) / inside if inside else None]


def finding(row: list, records: list[Record]) -> str:
    inside, outside = row[2], dict(zip(PARTS, row[3:6]))
    largest = max(outside, key=outside.get)
    costliest = max(records, key=lambda r: sum(r.number("overhead", part) or 0.0 for part in PARTS))
    return (
        f"{with_unit(inside, 'seconds')} inside the clock and"
        f" {with_unit(sum(outside.values()), 'seconds')} outside it ({100 * row[6]:.1f} % on top), most of"
        f" that to {largest}; the costliest case is {costliest.label}."
    )


def build(context: Context) -> Section:
    section = Section("overhead", "Overhead of the harness", summed_up=True)
    recorded = [r for r in context.dataset.ok() if r.section("overhead")]
    if not recorded:
        return replace(section, empty="No record has its seconds outside the clock.")
    groups = grouped(recorded, context.dataset.where)
    ordered = sorted(groups, key=lambda w: rank(w.split("@")[0], BACKENDS))
    rows = [table_row(where, groups[where]) for where in ordered]
    everything = table_row("all", recorded)
    section.finding = f"{finding(everything, recorded)} {plural(len(recorded), 'case')} recorded the overhead."
    rows += [everything] if len(rows) > 1 else []
    section.tables = [Table("overhead", "Seconds inside and outside the clock", COLUMNS, rows)]
    return section

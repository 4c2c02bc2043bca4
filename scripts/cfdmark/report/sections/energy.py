"""Energy of a step and of a cell update, where it can be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import rows_on_largest_grid
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import plural

from ..model import Column, Section, Table
from .context import Context

# Older programs read the counter while the device waited, so the joules include idle power: 470 of 1,162 such records
# give more power than the device can draw. Programs that record the seconds read the counter while steps run.
WITHOUT_SECONDS = (
    "read by NVML without the seconds that a step took meanwhile (`seconds_per_step`), so the joules include what the"
    " device drew while it waited for its counter"
)


def is_wrong(record: Record) -> bool:
    """True if the record's energy is known to be wrong."""
    has_energy = record.number("energy", "joules_per_step") is not None
    return has_energy and record.text("energy", "source") == "nvml" and not record.number("energy", "seconds_per_step")


def joules(record: Record) -> float | None:
    """Returns joules a step; None if they were not read or are known to be wrong."""
    return None if is_wrong(record) else record.number("energy", "joules_per_step")


def power(record: Record) -> float | None:
    """Returns the power over the seconds in which the energy was read. A step may take less in a few short
    samples."""
    seconds = record.number("energy", "seconds_per_step")
    return joules(record) / seconds if seconds else None


def withheld(records: list[Record]) -> str:
    """Returns why recorded energies are not shown; empty if all are."""
    wrong = sum(map(is_wrong, records))
    if not wrong:
        return ""
    verb = "is" if wrong == 1 else "are"
    return f"{plural(wrong, 'energy', 'energies')} {verb} not shown: {WITHOUT_SECONDS}."


def per_update(record: Record) -> float | None:
    cells = record.number("cost", "cells")
    return joules(record) / cells if cells else None


def table(context: Context, rows: list[Record]) -> Table:
    columns = [
        *context.row_columns(),
        Column("step", "a step", "joules", of=joules),
        Column("update", "a cell update", "joules", of=per_update),
        Column("power", "power", "watts", of=power),
        Column("source", "read from", of=lambda r: r.text("energy", "source")),
    ]
    return Table.of("energy", "Energy of each row on its largest grid", columns, rows)


def why_none(records: list[Record]) -> str:
    reasons = Counter(reason for r in records if (reason := r.text("energy", "reason")))
    if not reasons:
        return "No record carries an energy."
    reason, count = reasons.most_common(1)[0]
    return f"Energy could not be read: {reason} ({plural(count, 'case')})."


def finding(context: Context, rows: list[Record]) -> str:
    known = [r for r in rows if per_update(r)]
    if not known:
        return f"Energy was read for {plural(len(rows), 'row')}."
    least, most = min(known, key=per_update), max(known, key=per_update)
    return (
        f"A cell update takes from {with_unit(per_update(least), 'joules')} ({context.subject(least)},"
        f" {context.row(least)}, {least.precision}) to"
        f" {with_unit(per_update(most), 'joules')} ({context.subject(most)}, {context.row(most)},"
        f" {most.precision})."
    )


def build(context: Context) -> Section:
    section = Section("energy", "Energy", summed_up=True)
    left_out = withheld(context.dataset.ok())
    read = [r for r in context.dataset.ok() if joules(r) is not None]
    if not read:
        return replace(section, empty=left_out or why_none(context.dataset.ok()))
    rows = rows_on_largest_grid(context.dataset, read)
    section.finding = finding(context, rows)
    section.tables = [table(context, rows)]
    whole = "Energy of the whole package or board while the case ran, idle power included."
    section.note = f"{whole} {left_out}".rstrip()
    return section

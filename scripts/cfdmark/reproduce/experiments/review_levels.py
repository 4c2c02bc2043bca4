"""The review, section 14: time of each level of a V-cycle by block shape."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import Column, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import grid_text

from ..comparison import Comparison, or_none

SHAPES = {
    "fine_blocks": "32x1x8",
    "coarse_blocks": "4x4x4",
    "by_level": "by level",
    "gpu": "each kernel's own",
    "tuned_levels": "tuned",
}


def seconds_a_cycle(record: Record) -> dict[str, Quantity]:
    """Returns the seconds of each level, by its grid; nothing for a record that was not timed by routine."""
    cycles = record.number("solver", "iterations")
    return {level.name: Quantity(level.seconds / cycles) for level in record.level_times} if cycles else {}


def add(comparison: Comparison) -> None:
    """Adds the table for the largest grid of the shape by level, finest level first."""
    largest = or_none(lambda: comparison.rows.largest("by_level"))
    if largest is None:
        return
    rows = comparison.rows.at(largest.grid)
    found = {name: or_none(lambda: rows.largest(name)) for name in SHAPES}
    times = {name: seconds_a_cycle(record) for name, record in found.items() if record is not None}
    shapes = [name for name, levels in times.items() if levels]
    if "by_level" not in shapes:
        return
    columns = [Column("level", "level"), *(Column(s, SHAPES[s], "seconds", "three_digits") for s in shapes)]
    lines = [[level, *(times[name].get(level) for name in shapes)] for level in times["by_level"]]
    title = f"Time of each level in a cycle of {grid_text(largest)}, by the shape of its blocks, GPU"
    comparison.tables.append(Table("levels", title, columns, lines))

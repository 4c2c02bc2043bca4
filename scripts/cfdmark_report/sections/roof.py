"""How much of the measured memory bandwidth each row reaches."""

from __future__ import annotations

from ..model import Axis, Column, Dot, Figure, Section, StripPanel, Table
from ..numbers import quantity_with_unit, with_unit
from ..quantity import Quantity
from ..records import Record
from ..select import grouped, precision_rank, rows_on_largest_grid, subject
from ..statistics import quotient
from ..wording import grid_text
from .context import Context

COLUMNS = [
    Column("what", "kernel or solver"),
    Column("precision", "precision"),
    Column("grid", "grid"),
    Column("row", "row"),
    Column("rate", "rate", "updates_per_second", optional=True),
    Column("bandwidth", "bandwidth", "bytes_per_second"),
    Column("roof", "roof", "bytes_per_second"),
    Column("roof_kernel", "roof by", optional=True),
    Column("fraction", "of roof", "fraction", "plus_minus"),
    Column("regime", "fields in"),
]


def fraction(record: Record) -> Quantity | None:
    """The recorded share, with the intervals of the time and of the roof."""
    value, roof = record.number("rate", "roof_fraction"), record.number("roof", "bytes_per_second")
    if value is None or roof is None:
        return None if value is None else Quantity(value)
    measured = Quantity(roof, record.number("roof", "low"), record.number("roof", "high"))
    time = record.time
    bandwidth = Quantity.without_interval(value * roof, time)
    if time.has_interval and time.low > 0:
        bandwidth = Quantity(
            value * roof, value * roof * time.value / time.high, value * roof * time.value / time.low
        )
    if not measured.has_interval:  # records of before: the time's interval alone
        return bandwidth.scaled(1 / roof)
    return quotient(bandwidth, measured)


def regime(record: Record) -> str:
    return record.text("cache", "regime") or "unknown"


def table_row(context: Context, r: Record) -> list:
    return [
        context.subject(r),
        r.precision,
        grid_text(r),
        context.row(r),
        r.number("rate", "lups"),
        r.number("rate", "bytes_per_second"),
        r.number("roof", "bytes_per_second"),
        r.text("roof", "kernel"),
        fraction(r),
        regime(r),
    ]


def dot(context: Context, record: Record) -> Dot:
    bandwidth, roof = record.number("rate", "bytes_per_second"), record.number("roof", "bytes_per_second")
    told = f"{with_unit(bandwidth, 'bytes_per_second')}" if bandwidth else "bandwidth unknown"
    told += f" of {with_unit(roof, 'bytes_per_second')}" if roof else ""
    return Dot(
        fraction(record),
        context.colour(record),
        record.method,
        regime(record) == "memory",
        f"{context.subject(record)}, {context.row(record)} {record.precision} {grid_text(record)}: {told},"
        f" {quantity_with_unit(fraction(record), 'fraction')} of the roof, fields in {regime(record)}",
    )


def panel(context: Context, precision: str, records: list[Record]) -> StripPanel:
    rows = [(context.subject(g[0]), [dot(context, r) for r in g]) for g in grouped(records, subject).values()]
    return StripPanel(precision, Axis("share of the measured roof", "fraction", log=False), rows, 1.0, "roof")


def finding(context: Context, rows: list[Record]) -> str:
    in_memory = [r for r in rows if regime(r) == "memory"]
    if not in_memory and all(regime(r) == "unknown" for r in rows):
        return "How large the caches are is not known here, so no field is known to leave them."
    if not in_memory:
        return (
            "No field here leaves the caches, so no bandwidth is compared with the roof of memory: larger"
            " grids are needed for that."
        )
    ranked = sorted(in_memory, key=lambda r: r.number("rate", "roof_fraction"))
    worst, best = ranked[0], ranked[-1]
    cached = len(rows) - len(in_memory)
    left = (
        f" {cached} of {len(rows)} rows ran within or near the caches and may exceed the roof."
        if cached
        else ""
    )
    return (
        f"With fields in memory, {context.subject(best)} on {context.row(best)} ({best.precision}) comes"
        f" closest to the roof with {100 * best.number('rate', 'roof_fraction'):.0f} %;"
        f" {context.subject(worst)} on {context.row(worst)} ({worst.precision}) stays farthest with"
        f" {100 * worst.number('rate', 'roof_fraction'):.0f} %.{left}"
    )


def unsound_roofs(context: Context) -> str:
    """Which shares are missing because their roof cannot be."""
    without = [r for r in context.dataset.ok() if r.text("roof", "unsound")]
    reasons = dict.fromkeys(r.text("roof", "unsound") for r in without)
    if not without:
        return ""
    return f" {len(without)} records have no share, for their roof cannot be: {'; '.join(reasons)}."


def build(context: Context) -> Section:
    section = Section("roof", "Share of the measured roof")
    rated = [r for r in context.dataset.ok() if r.number("rate", "roof_fraction") is not None]
    unsound = unsound_roofs(context)
    if not rated:
        section.empty = f"No record carries a share of the roof.{unsound}"
        return section
    rows = rows_on_largest_grid(context.dataset, rated)
    panels = [
        panel(context, precision, group)
        for precision, group in grouped(sorted(rows, key=precision_rank), lambda r: r.precision).items()
    ]
    section.finding = finding(context, rows)
    section.figures = [
        Figure(
            "roof",
            "Bandwidth of the declared bytes as a share of the roof, largest grid of each row",
            panels,
            note=(
                "Filled: the fields are in memory. Hollow: they fit, or nearly, in the last cache, "
                "where the roof of memory does not bind."
            ),
        )
    ]
    section.tables = [
        Table(
            "roof",
            "Bandwidth against the roof measured in the same run",
            COLUMNS,
            [table_row(context, r) for r in rows],
        )
    ]
    section.note = (
        "The roof is the best of copy and triad measured in the same run on fields that leave the caches."
        f" Bandwidth counts the declared bytes of a step, not what the hardware moved.{unsound}"
    )
    return section

"""Share of the measured memory bandwidth that each row reaches."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import grouped, precision_rank, rows_on_largest_grid, subject
from cfdmark.text.numbers import quantity_with_unit, with_unit
from cfdmark.text.wording import listed, plural

from ..ceiling import ABOVE, ceiling, exceeds, is_above, share, share_cell
from ..limits import MEMORY, Limits, drifts
from ..model import Axis, Column, Dot, Figure, Section, StripPanel, Table
from .context import Context, number
CAPTION = "Bandwidth of the declared bytes as a share of the roof, largest grid of each row"
READING = (
    "Filled: the fields are in memory. Hollow: they fit, or nearly, in the last cache, where the roof of"
    " memory does not bind. What is above the roof is in the table alone."
)


def regime(record: Record) -> str:
    return record.regime or "unknown"


def table(context: Context, rows: list[Record]) -> Table:
    columns = [
        *context.row_columns(),
        Column("rate", "rate", "updates_per_second", optional=True, of=number("rate", "lups")),
        Column("bandwidth", "bandwidth", "bytes_per_second", of=number("rate", "bytes_per_second")),
        Column("roof", "roof", "bytes_per_second", of=ceiling),
        Column("roof_kernel", "roof by", optional=True, of=lambda r: r.text("roof", "kernel")),
        Column("fraction", "of roof", "fraction", "plus_minus", of=share_cell),
        Column("regime", "fields in", of=regime),
    ]
    return Table.of("roof", "Bandwidth against the roof that the record names", columns, rows)


def dot(context: Context, record: Record) -> Dot:
    bandwidth, roof = record.number("rate", "bytes_per_second"), ceiling(record)
    summary = f"{with_unit(bandwidth, 'bytes_per_second')}" if bandwidth else "bandwidth unknown"
    summary += f" of {with_unit(roof.value, 'bytes_per_second')}" if roof else ""
    return Dot(
        share(record),
        context.colour(record),
        record.method,
        regime(record) == "memory",
        f"{context.case(record)}: {summary}, {quantity_with_unit(share(record), 'fraction')} of the roof,"
        f" fields in {regime(record)}",
    )


def panel(context: Context, precision: str, records: list[Record]) -> StripPanel:
    rows = [(context.subject(g[0]), [dot(context, r) for r in g]) for g in grouped(records, subject).values()]
    return StripPanel(precision, Axis("share of the measured roof", "fraction", log=False), rows, 1.0)


def finding(context: Context, rows: list[Record]) -> str:
    in_memory = [r for r in rows if regime(r) == "memory"]
    if not in_memory and all(regime(r) == "unknown" for r in rows):
        return "How large the caches are is not known here, so no field is known to leave them."
    if not in_memory:
        return (
            "No field here leaves the caches, so no bandwidth is compared with the roof of memory: larger"
            " grids are needed for that."
        )
    summary = [extremes(context, [r for r in in_memory if not exceeds(r)]), above_text(context, in_memory)]
    cached = len(rows) - len(in_memory)
    if cached:
        summary.append(f"{cached} of {len(rows)} rows ran within or near the caches, where the roof of memory does not bind.")
    return " ".join(text for text in summary if text)


def extremes(context: Context, rows: list[Record]) -> str:
    """Returns a sentence on the rows with the largest and smallest share; empty without rows."""
    if not rows:
        return ""
    ranked = sorted(rows, key=lambda r: share(r).value)
    worst, best = ranked[0], ranked[-1]
    return (
        f"With fields in memory, {context.row_with_precision(best)} comes closest to the roof with"
        f" {100 * share(best).value:.0f} %; {context.row_with_precision(worst)} stays farthest with"
        f" {100 * share(worst).value:.0f} %."
    )


def above_text(context: Context, rows: list[Record]) -> str:
    """Returns a sentence on rows above the ceiling, which have no share; empty without any."""
    above = [r for r in rows if exceeds(r)]
    if not above:
        return ""
    most = max(above, key=lambda r: share(r).value)
    verb = "is" if len(above) == 1 else "are"
    return (
        f"{plural(len(above), 'row')} {verb} {ABOVE}, such as {context.row_with_precision(most)}:"
        " the ceiling was measured too low, or caches help. No share is shown."
    )


def drift_text(context: Context) -> str:
    """Returns the range of each ceiling that was measured several times; empty if there is none."""
    moved = drifts(Limits(context.dataset), MEMORY)
    return f" From one start to another, or from one machine to another, the measured roofs ranged: {listed(moved)}." if moved else ""


def unsound_roofs(context: Context) -> str:
    """Returns a sentence on shares that are missing because their ceiling is unsound."""
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
        return replace(section, empty=f"No record carries a share of the roof.{unsound}")
    rows = rows_on_largest_grid(context.dataset, rated)
    shown = grouped(sorted((r for r in rows if not is_above(r)), key=precision_rank), lambda r: r.precision)
    panels = [panel(context, precision, group) for precision, group in shown.items()]
    section.finding = finding(context, rows)
    section.figures = [Figure("roof", CAPTION, panels, READING)] if panels else []
    section.tables = [table(context, rows)]
    section.note = (
        "The roof is the best of copy and triad on fields that leave the caches, measured when the run began. On hosts it counts"
        " the lines that a store reads first (write-allocate). Bandwidth counts the declared bytes of a step, without these lines:"
        f" not what the hardware moved.{drift_text(context)}{unsound}"
    )
    return section

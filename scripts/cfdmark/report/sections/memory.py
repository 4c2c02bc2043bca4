"""Memory against nodes: total and relative, on the device and on the host."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, main_precision, name_rank, rows_on_largest_grid
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import grid_text, listed

from .. import lines
from ..model import Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import Context, number
from .time import NODES

MOST_LINES = 6
READING = (
    "Total is all that is in use on the device, by whomever; added is what came with the case. Host memory"
    f" is the peak of the process until then. At most {MOST_LINES} lines are drawn, those that need most."
)
fields = number("memory", "field_bytes")
device_before = number("memory", "device_used_before")
device_total = number("memory", "device_used_after")
host_peak = number("memory", "host_peak_bytes")


def device_added(record: Record) -> float | None:
    """Returns the device memory added by this case: total less what was in use before."""
    before, after = device_before(record), device_total(record)
    return None if before is None or after is None else after - before


def per_node(record: Record) -> float | None:
    return None if fields(record) is None else fields(record) / record.nodes


def table(context: Context, rows: list[Record]) -> Table:
    columns = [
        *context.row_columns(),
        Column("fields", "fields", "bytes", of=fields),
        Column("per_node", "B a node", "plain", of=per_node),
        Column("before", "device before", "bytes", of=device_before),
        Column("after", "device after", "bytes", of=device_total),
        Column("relative", "device added", "bytes", of=device_added),
        Column("host_peak", "host peak", "bytes", of=host_peak),
    ]
    return Table.of("memory", "Memory of each row on its largest grid", columns, rows)


def tooltip(context: Context, record: Record, measure) -> str:
    return f"{context.row(record)} {grid_text(record)}: {with_unit(measure(record), 'bytes')}"


def line(context: Context, group: list[Record], measure) -> Series:
    """Returns a kernel's or solver's line: the problem and method with most sizes, plain before others."""
    choices = grouped(group, lambda r: (r.problem, r.method)).values()
    chosen = max(choices, key=lambda g: (len(g), g[0].method == "plain"))
    points = [
        Point(r.nodes, Quantity(measure(r)), tooltip(context, r, measure))
        for r in sorted(chosen, key=lambda r: r.nodes)
    ]
    name, dimensions = chosen[0].operation, chosen[0].dims
    return Series(name if dimensions == 2 else f"{name} {dimensions}-D", f"solver:{name}", points)


def panel(context: Context, title: str, records: list[Record], measure) -> LinePanel | None:
    """Returns a panel of the lines with the highest ends."""
    known = sorted((r for r in records if (measure(r) or 0) > 0), key=name_rank)
    groups = grouped(known, lambda r: (r.operation, r.dims)).values()
    series = sorted((line(context, g, measure) for g in groups), key=lambda s: -s.points[-1].y.value)
    return LinePanel(title, NODES, Axis("bytes", "bytes"), series[:MOST_LINES]) if series else None


def figures(context: Context) -> list[Figure]:
    records = context.dataset.ok("solver") or context.dataset.ok()
    precision = main_precision(records)
    mine = best_configs(context.dataset, [r for r in records if r.precision == precision])
    device = [r for r in mine if device_total(r) is not None]
    host = grouped((r for r in mine if device_total(r) is None), context.dataset.where)
    panels = [
        panel(context, "device memory in use: total", device, device_total),
        panel(context, "device memory added by the case", device, device_added),
        *(panel(context, f"peak host memory, {where}", group, host_peak) for where, group in host.items()),
    ]
    drawn = [p for p in panels if p]
    return lines.figure("memory", f"Memory against nodes, {precision}", drawn, READING)


def finding(rows: list[Record]) -> str:
    known = [r for r in rows if fields(r)]
    if not known:
        return "No record has the bytes of its fields."
    solvers = [r for r in known if r.kind == "solver"] or known
    precision = main_precision(solvers)
    groups = grouped((r for r in solvers if r.precision == precision), lambda r: r.operation)
    summary = listed([f"{name} {max(map(per_node, group)):.0f}" for name, group in groups.items()], limit=6)
    return f"Bytes of fields a node in {precision}, the most of any method: {summary}."


def build(context: Context) -> Section:
    section = Section("memory", "Memory against nodes", summed_up=True)
    measures = (fields, device_total, host_peak)
    records = [r for r in context.dataset.ok() if any(measure(r) is not None for measure in measures)]
    if not records:
        return replace(section, empty="No record has its memory use.")
    rows = rows_on_largest_grid(context.dataset, records)
    section.finding = finding(rows)
    section.figures = figures(context)
    section.tables = [table(context, rows)]
    return section

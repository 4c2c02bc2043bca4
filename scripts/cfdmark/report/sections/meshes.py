"""Kernels on unstructured meshes: time, bytes and rates by numbering."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.meshes import (
    an_unknown,
    compulsory_bytes,
    numbering_rank,
    on_meshes,
    requested_bytes,
    time_an_unknown,
    unknown_text,
    unknowns,
)
from cfdmark.records.records import Record
from cfdmark.records.select import backend_rank, best_configs, fastest, grouped, main_precision, wheres
from cfdmark.text.numbers import quantity_with_unit, three_digits
from cfdmark.text.wording import domain_text

from .. import lines
from ..ceiling import ceiling, share_cell
from ..model import COUNT, Axis, Column, Dot, Figure, LinePanel, Point, Section, Series, StripPanel, Table
from .context import Context, number
from .mesh_numbering import Comparison, Costs, comparisons, costs_table, gains_table, order, vectors

READING = "Bars: 95 % intervals. Lower is better."


def requested_rate(record: Record) -> float | None:
    """Returns bytes of all loads and stores, a second."""
    asked = requested_bytes(record)
    return asked / record.time.value if asked else None


def requested_share(record: Record) -> float | None:
    """Returns the rate of all loads and stores over the ceiling of memory: above 1 if caches serve many."""
    rate, top = requested_rate(record), ceiling(record)
    return rate / top.value if rate and top else None


def table(context: Context, records: list[Record]) -> Table:
    columns = [
        Column("kernel", "kernel", of="name"),
        Column("precision", "precision", of="precision"),
        Column("mesh", "mesh", of="mesh"),
        Column("vectors", "vectors", of=vectors),
        Column("numbering", "numbering", of="numbering"),
        Column("row", "row", of=context.row),
        Column("time", "time a step", "seconds", "plus_minus", of="time"),
        Column("unknown", "unknown", of=unknown_text),
        Column("unknowns", "unknowns", COUNT, optional=True, of=unknowns),
        Column("one", "time per unknown", "seconds", "plus_minus", of=time_an_unknown),
        Column("compulsory", "compulsory bytes per unknown", "plain", of=lambda r: an_unknown(r, compulsory_bytes(r))),
        Column("requested", "requested bytes per unknown", "plain", of=lambda r: an_unknown(r, requested_bytes(r))),
        Column("bandwidth", "compulsory rate", "bytes_per_second", of=number("rate", "bytes_per_second")),
        Column("fraction", "of ceiling", "fraction", "plus_minus", of=share_cell),
        Column("asked", "requested rate", "bytes_per_second", optional=True, of=requested_rate),
        Column("asked_fraction", "of ceiling, requested", "fraction", optional=True, of=requested_share),
        Column("regime", "fields in", of=lambda r: r.regime or "unknown"),
        Column("check", "verified against", optional=True, of=lambda r: r.text("verification", "check")),
    ]
    title = "Time, bytes and rates of each kernel, mesh, numbering and method"
    return Table.of("meshes", title, columns, records)


def shapes_table(records: list[Record]) -> Table:
    """Returns a line for each mesh: its counts and the quality of its cells."""

    def known(key: str):
        return number("mesh_facts", key)

    columns = [
        Column("mesh", "mesh", of="mesh"),
        Column("cells", "cells", COUNT, of="nodes"),
        *(Column(key, key.replace("_", " "), COUNT, of=known(key)) for key in ("faces", "edges", "nodes", "boundary_faces")),
        Column("least_angle", "least angle (degrees)", "plain", of=known("least_angle")),
        Column("least_ratio", "least area / distance", "plain", of=known("least_area_over_distance")),
        Column("most_ratio", "largest area / distance", "plain", of=known("most_area_over_distance")),
        Column("orthogonality", "largest non-orthogonality (degrees)", "plain", of=known("most_non_orthogonality")),
    ]
    one_of_each = {r.mesh: r for r in sorted(records, key=lambda r: (r.dims, r.nodes, r.mesh))}
    return Table.of("mesh-shapes", "The meshes", columns, one_of_each.values(), collapsed=True)


# Figures


def dot(context: Context, record: Record) -> Dot:
    one = time_an_unknown(record)
    note = f"{record.name}, {context.row(record)} {record.precision} {domain_text(record)}: {quantity_with_unit(one, 'seconds')}"
    return Dot(one, f"numbering:{record.numbering}", record.method, True, f"{note} per {unknown_text(record)}")


def strip(context: Context, title: str, found: list[Comparison]) -> StripPanel:
    """Returns a panel with a row for each kernel, and a dot for each numbering of its fastest method."""
    by_kernel = grouped(found, lambda each: each.best.name).values()
    fastest_of = [min(group, key=lambda each: each.best.time.value) for group in by_kernel]
    rows = [
        (f"{each.best.name}, {unknown_text(each.best)}", [dot(context, r) for r in each.ranked if unknowns(r)])
        for each in fastest_of
    ]
    return StripPanel(title, Axis("time per unknown", "seconds", log=False), [row for row in rows if row[1]])


def numbering_figure(context: Context, found: list[Comparison]) -> list[Figure]:
    """Returns a panel for each backend and kind of mesh, on the largest mesh with most numberings."""
    if not found:
        return []
    precision = main_precision(each.best for each in found)
    mine = [each for each in found if each.best.precision == precision]
    groups = grouped(mine, lambda each: (each.best.dims, backend_rank(each.best), context.dataset.where(each.best)))
    panels = []
    for key in sorted(groups):
        meshes = grouped(groups[key], lambda each: each.best.mesh).values()
        widest = max(meshes, key=lambda g: (max(len(each.by_numbering) for each in g), g[0].best.nodes))
        panels.append(strip(context, f"{key[2]}, {widest[0].best.mesh}", widest))
    drawn = [panel for panel in panels if panel.rows]
    note = f"A dot for each numbering, by the kernel's fastest method. {READING}"
    return [Figure("mesh-numbering", f"Time per unknown by numbering, {precision}", drawn, note)] if drawn else []


def size_line(context: Context, where: str, records: list[Record]) -> Series:
    chosen = sorted((fastest(g) for g in grouped(records, lambda r: r.mesh).values()), key=lambda r: r.nodes)
    points = [
        Point(r.nodes, time_an_unknown(r), f"{context.row(r)} {domain_text(r)}: {quantity_with_unit(time_an_unknown(r), 'seconds')}")
        for r in chosen
    ]
    return Series(where, context.colour(records[0]), points)


def size_figure(context: Context, records: list[Record]) -> list[Figure]:
    """Returns a panel for each kernel and kind of mesh, a line for each backend."""
    counted = [r for r in records if unknowns(r)]
    if not counted:
        return []
    precision = main_precision(counted)
    groups = grouped([r for r in counted if r.precision == precision], lambda r: (r.name, r.mesh_kind))
    panels = []
    for (name, kind), group in groups.items():
        of_backend = grouped(group, context.dataset.where)
        series = [size_line(context, where, of_backend[where]) for where in wheres(context.dataset, group)]
        axis = Axis(f"time per {unknown_text(group[0])}", "seconds")
        panels.append(LinePanel(f"{name}, {kind}", Axis("cells", "nodes"), axis, series))
    note = f"One line a backend: its fastest numbering, method and config on each mesh. {READING}"
    return lines.figure("mesh-size", f"Time per unknown against the size of the mesh, {precision}", panels, note)


def finding(context: Context, records: list[Record], found: list[Comparison]) -> str:
    if not found:
        one = records[0]
        return f"Each row ran in one numbering of its mesh; for example {one.name} on {context.row(one)}, {domain_text(one)}."
    most = max(found, key=lambda each: each.cost.value)
    best, worst = most.best, most.worst
    said = (
        f"The numbering matters most for {best.name} on {context.row(best)} ({best.precision}, {best.mesh}):"
        f" {best.numbering} is {three_digits(most.cost)} times as fast as {worst.numbering}."
    )
    steps = Costs(context).steps(best, worst)
    return f"{said} Against that it has paid after {steps:,.0f} steps." if steps else said


def build(context: Context) -> Section:
    section = Section("meshes", "Unstructured meshes and their numbering")
    on_mesh = on_meshes(context.dataset.ok("kernel"))
    if not on_mesh:
        return replace(section, empty="No kernel was measured on a mesh.")
    best = best_configs(context.dataset, on_mesh)
    records = sorted(best, key=lambda r: (*order(r), numbering_rank(r.numbering), backend_rank(r), r.method))
    found = comparisons(context)
    section.finding = finding(context, records, found)
    section.figures = numbering_figure(context, found) + size_figure(context, records)
    section.tables = [table(context, records)]
    section.tables += [gains_table(context, found)] if found else []
    section.tables += [costs_table(context), shapes_table(on_mesh)]
    section.note = (
        "An unknown is one value that a step produces: a face, cell, edge or node. Compulsory bytes count each value and each"
        " index once, requested bytes all loads and stores; caches serve the difference, so that requests may exceed the"
        " ceiling of memory. A numbering has paid when the seconds to find it and to move the mesh are saved; blank: it is"
        " not clearly faster. Distance: difference of the numbers of a face's two cells. In one line: faces whose two cells"
        " lie in one line of 128 bytes in 32 bits."
    )
    return section

"""Gain in time and loss in accuracy of fewer bits."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import backend_rank, fastest, grouped, name_rank, subject
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster, verdict
from cfdmark.text.numbers import brackets
from cfdmark.text.wording import grid_text, plural

from ..model import ERROR, Axis, Column, Dot, Figure, Section, StripPanel, Table
from .context import Context

OTHERS = ("fp32", "mixed")
Family = dict[str, Record]  # precision -> the row's fastest record


def error(record: Record | None) -> float | None:
    """Returns the error against the exact solution for a solver, against the reference for a kernel."""
    if record is None:
        return None
    found = record.number("solver", "error_max")
    return found if found is not None else record.number("verification", "max_error")


def gain(family: Family, precision: str) -> Quantity | None:
    """Returns the speedup over fp64, for an iteration or a step."""
    return times_faster(family[precision], family["fp64"]) if precision in family else None


def gain_to_tolerance(family: Family, precision: str) -> Quantity | None:
    """Returns the speedup over fp64 to the solution, if both truly reached the same tolerance."""
    record, reference = family.get(precision), family["fp64"]
    if record is None or record.kind != "solver" or not (record.converged and reference.converged):
        return None
    if record.number("solver", "tolerance") != reference.number("solver", "tolerance"):
        return None
    return times_faster(record, reference, per_iteration=False)


def complete_families(group: list[Record], key) -> list[Family]:
    """Returns records that agree in `key`, in fp64 and another precision."""
    found = [
        {precision: fastest(same) for precision, same in grouped(alike, lambda r: r.precision).items()}
        for alike in grouped(group, key).values()
    ]
    return [family for family in found if len(family) > 1 and "fp64" in family]


def family_of(group: list[Record]) -> Family | None:
    """Returns the family on the largest grid, of one tolerance if possible so that whole solves compare."""
    found = complete_families(group, lambda r: (r.grid, r.number("solver", "tolerance")))
    found = found or complete_families(group, lambda r: r.grid)
    return max(found, key=lambda f: (f["fp64"].nodes, len(f)), default=None)


def families(context: Context) -> list[Family]:
    """Returns a family for each row that ran in fp64 and another precision."""
    rows = grouped(context.dataset.ok(), lambda r: (subject(r), context.dataset.where(r), r.method)).values()
    found = [family for group in rows if (family := family_of(group))]
    return sorted(found, key=lambda f: (name_rank(f["fp64"]), backend_rank(f["fp64"]), f["fp64"].method))


def gain_column(precision: str) -> Column:
    head = f"{precision}: times as fast"
    return Column(precision, head, "ratio", "brackets", of=lambda f: gain(f, precision))


def tolerance_column(precision: str) -> Column:
    key, head = f"{precision}_to_tolerance", f"{precision} to tolerance"
    return Column(key, head, "ratio", "brackets", optional=True, of=lambda f: gain_to_tolerance(f, precision))


def error_column(precision: str) -> Column:
    return Column(f"error_{precision}", f"error {precision}", ERROR, of=lambda f: error(f.get(precision)))


def table(context: Context, found: list[Family]) -> Table:
    columns = [
        Column("what", "kernel or solver", of=lambda f: context.subject(f["fp64"])),
        Column("grid", "grid", of=lambda f: grid_text(f["fp64"])),
        Column("row", "row", of=lambda f: context.row(f["fp64"])),
        Column("time_fp64", "fp64", "seconds", "plus_minus", of=lambda f: f["fp64"].iteration_time),
        *map(gain_column, OTHERS),
        *map(tolerance_column, OTHERS),
        *map(error_column, ("fp64", *OTHERS)),
    ]
    title = "fp64, fp32 and mixed in the same row on its largest shared grid"
    return Table.of("precision", title, columns, found)


def strip(context: Context, found: list[Family], precision: str) -> StripPanel:
    rows = {}
    for family in (f for f in found if precision in f):
        record, ratio = family[precision], gain(family, precision)
        note = f"{context.case(record)}: {brackets(ratio)} times as fast as fp64"
        dot = Dot(ratio, context.colour(record), record.method, note=note)
        rows.setdefault(context.subject(record), []).append(dot)
    axis = Axis("times as fast as fp64 in the same row", "ratio", log=False)
    return StripPanel(f"{precision} against fp64", axis, list(rows.items()), 1.0)


def figure(context: Context, found: list[Family]) -> Figure:
    panels = [panel for p in OTHERS if (panel := strip(context, found, p)).rows]
    caption = "Gain over fp64 in the same backend and method, an iteration or a step"
    note = "Half the bytes should give 2 where memory is the limit, and nothing where launches are."
    return Figure("precision", caption, panels, note)


def finding(found: list[Family]) -> str:
    summary = []
    for precision in OTHERS:
        gains = sorted((gain(f, precision) for f in found if precision in f), key=lambda g: g.value)
        if gains:
            faster = sum(verdict(g) == "faster" for g in gains)
            summary.append(
                f"{precision} is faster than fp64 in {faster} of {plural(len(gains), 'row')},"
                f" {gains[len(gains) // 2].value:.2f} times as fast in the middle and {gains[-1].value:.2f} times at most"
            )
    return "; ".join(summary) + "."


def build(context: Context) -> Section:
    section = Section("precision", "Precision: time and error")
    found = families(context)
    if not found:
        return replace(section, empty="No row ran in fp64 and in another precision on the same grid.")
    section.finding = finding(found)
    section.figures = [figure(context, found)]
    section.tables = [table(context, found)]
    section.note = (
        "Times are those of an iteration, or of a kernel's step. To tolerance: the whole solve, only where"
        " both precisions reached the same tolerance. Errors are against the exact solution (solvers) or the"
        " reference (kernels)."
    )
    return section

"""Gain in time and loss in accuracy of fewer bits."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import backend_rank, fastest, grouped, name_rank, subject
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster, verdict
from cfdmark.text.numbers import brackets
from cfdmark.text.wording import grid_text, plural

from ..model import ERROR, Axis, Column, Dot, Figure, Section, StripPanel, Table
from .context import Context

OTHERS = ("fp32", "mixed")
COLUMNS = [
    Column("what", "kernel or solver"),
    Column("grid", "grid"),
    Column("row", "row"),
    Column("time_fp64", "fp64", "seconds", "plus_minus"),
    *(Column(p, f"{p}: times as fast", "ratio", "brackets") for p in OTHERS),
    *(Column(f"{p}_to_tolerance", f"{p} to tolerance", "ratio", "brackets", optional=True) for p in OTHERS),
    *(Column(f"error_{p}", f"error {p}", ERROR) for p in ("fp64", *OTHERS)),
]
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


def table_row(context: Context, family: Family) -> list:
    reference = family["fp64"]
    return [
        context.subject(reference),
        grid_text(reference),
        context.row(reference),
        reference.iteration_time,
        *(gain(family, p) for p in OTHERS),
        *(gain_to_tolerance(family, p) for p in OTHERS),
        *(error(family.get(p)) for p in ("fp64", *OTHERS)),
    ]


def strip(context: Context, found: list[Family], precision: str) -> StripPanel:
    rows = {}
    for family in (f for f in found if precision in f):
        record, ratio = family[precision], gain(family, precision)
        place = f"{context.subject(record)}, {context.row(record)} {precision} {grid_text(record)}"
        note = f"{place}: {brackets(ratio)} times as fast as fp64"
        rows.setdefault(context.subject(record), []).append(
            Dot(ratio, context.colour(record), record.method, note=note)
        )
    return StripPanel(
        f"{precision} against fp64",
        Axis("times as fast as fp64 in the same row", "ratio", log=False),
        list(rows.items()),
        1.0,
        "fp64",
    )


def figures(context: Context, found: list[Family]) -> list[Figure]:
    panels = [panel for p in OTHERS if (panel := strip(context, found, p)).rows]
    return [
        Figure(
            "precision",
            "Gain over fp64 in the same backend and method, an iteration or a step",
            panels,
            note="Half the bytes should give 2 where memory is the limit, and nothing where launches are.",
        )
    ]


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
        section.empty = "No row ran in fp64 and in another precision on the same grid."
        return section
    section.finding = finding(found)
    section.figures = figures(context, found)
    section.tables = [
        Table(
            "precision",
            "fp64, fp32 and mixed in the same row on its largest shared grid",
            COLUMNS,
            [table_row(context, f) for f in found],
        )
    ]
    section.note = (
        "Times are those of an iteration, or of a kernel's step. To tolerance: the whole solve, only where"
        " both precisions reached the same tolerance. Errors are against the exact solution (solvers) or the"
        " reference (kernels)."
    )
    return section

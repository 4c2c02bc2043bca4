"""What fewer bits give in time and cost in error."""

from __future__ import annotations

from ..model import ERROR, Axis, Column, Dot, Figure, Section, StripPanel, Table
from ..numbers import brackets
from ..quantity import Quantity
from ..records import Record
from ..select import BACKENDS, fastest, fastest_to_end, grouped, name_rank, rank, subject
from ..statistics import times_faster, verdict
from ..wording import grid_text, plural, subject_text
from .context import Context

COLUMNS = [
    Column("what", "kernel or solver"), Column("grid", "grid"), Column("row", "row"),
    Column("time_fp64", "fp64", "seconds", "plus_minus"),
    Column("fp32", "fp32: times faster", "ratio", "brackets"), Column("mixed", "mixed: times faster", "ratio", "brackets"),
    Column("error_fp64", "error fp64", ERROR), Column("error_fp32", "error fp32", ERROR),
    Column("error_mixed", "error mixed", ERROR),
]


def error(record: Record | None) -> float | None:
    """Against the exact solution for a solver; against the reference for a kernel."""
    if record is None:
        return None
    found = record.number("solver", "error_max")
    return found if found is not None else record.number("verification", "max_error")


def goal(record: Record):
    """What must agree for whole solves to be compared."""
    return (record.converged, record.number("solver", "tolerance"))


def gain(record: Record | None, reference: Record) -> Quantity | None:
    """fp64's time over this one's: a kernel's step; a solver's whole solve, to the same tolerance or not at all."""
    if record is None:
        return None
    if record.kind == "solver" and (not record.converged or goal(record) != goal(reference)):
        return None
    return times_faster(record, reference, per_iteration=False)


def by_precision(records: list[Record]) -> dict[str, Record]:
    best = fastest_to_end if records[0].kind == "solver" else fastest
    return {precision: best(g) for precision, g in grouped(records, lambda r: r.precision).items()}


def families(context: Context) -> list[dict[str, Record]]:
    """The same row in fp64 and something else, on the largest grid that has both."""
    groups = grouped(context.dataset.ok(), lambda r: (subject(r), context.dataset.where(r), r.method)).values()
    found = []
    for group in groups:
        complete = [g for g in grouped(group, lambda r: r.grid).values()
                    if len({r.precision for r in g}) > 1 and any(r.precision == "fp64" for r in g)]
        if complete:
            found.append(by_precision(max(complete, key=lambda g: g[0].nodes)))
    return sorted(found, key=lambda f: (name_rank(f["fp64"]), rank(f["fp64"].backend, BACKENDS), f["fp64"].method))


def table_row(context: Context, family: dict[str, Record]) -> list:
    reference, fp32, mixed = (family.get(p) for p in ("fp64", "fp32", "mixed"))
    return [subject_text(reference), grid_text(reference), context.row(reference), reference.time, gain(fp32, reference),
            gain(mixed, reference), error(reference), error(fp32), error(mixed)]


def dots(context: Context, families_: list[dict[str, Record]], precision: str) -> list[tuple[str, list[Dot]]]:
    rows = {}
    for family in families_:
        ratio = gain(family.get(precision), family["fp64"])
        if ratio:
            record = family[precision]
            note = f"{context.row(record)} {grid_text(record)}: {brackets(ratio)} times faster than fp64"
            rows.setdefault(subject_text(record), []).append(Dot(ratio, context.colour(record), record.method, note=note))
    return list(rows.items())


def figures(context: Context, families_: list[dict[str, Record]]) -> list[Figure]:
    panels = [StripPanel(f"{precision} against fp64", Axis("times faster than fp64, same row", "ratio", log=False), rows,
                         1.0, "fp64")
              for precision in ("fp32", "mixed") if (rows := dots(context, families_, precision))]
    return [Figure("precision", "Gain over fp64 in the same backend and method", panels,
                   note="A kernel that only moves bytes should gain 2 with half the bytes. Solvers are compared by time to "
                        "the same tolerance.")] if panels else []


def finding(families_: list[dict[str, Record]]) -> str:
    gains = {p: [g for f in families_ if (g := gain(f.get(p), f["fp64"]))] for p in ("fp32", "mixed")}
    told = []
    for precision, found in gains.items():
        if found:
            values = sorted(g.value for g in found)
            faster = sum(verdict(g) == "faster" for g in found)
            told.append(f"{precision} is faster than fp64 in {faster} of {plural(len(found), 'row')}, by "
                        f"{values[len(values) // 2]:.2f} times in the middle and {values[-1]:.2f} at most")
    return "; ".join(told) + "." if told else "No solver reached the same tolerance in two precisions."


def build(context: Context) -> Section:
    section = Section("precision", "Precision: time and error")
    found = families(context)
    if not found:
        section.empty = "No row ran in fp64 and in another precision on the same grid."
        return section
    section.finding = finding(found)
    section.figures = figures(context, found)
    section.tables = [Table("precision", "fp64, fp32 and mixed in the same row on its largest shared grid", COLUMNS,
                            [table_row(context, f) for f in found])]
    section.note = ("For a solver the time is that of the whole solve, and a gain is given only where both precisions reached "
                    "the same tolerance. Errors are against the exact solution (solvers) or the reference (kernels).")
    return section

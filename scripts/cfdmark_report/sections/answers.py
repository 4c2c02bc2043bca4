"""What the answers say: the values that problems name, such as drag, the centre's temperature or a flow's checkerboard."""

from __future__ import annotations

from ..model import Column, Section, Table, Told
from ..numbers import digits, scientific
from ..record_check import finite
from ..records import Record
from ..select import grouped, report_order, subject
from ..wording import grid_text
from .context import Context

# What a record tells of the solve; all other numbers in `solver` are values of the answer (results/README.md).
OF_THE_SOLVE = {
    "iterations",
    "converged",
    "tolerance",
    "time_per_iteration",
    "relative_residual",
    "true_residual",
    "error_max",
    "error_l2",
    "launches_per_iteration",
    "levels",
    "setup_seconds",
}
CHECKERBOARD = "checkerboard"
COLUMNS = [
    Column("solver", "solver"),
    Column("precision", "precision"),
    Column("grid", "grid"),
    Column("method", "method"),
    Column("converged", "converged"),
    Column("name", "value"),
    Column("value", "number", "plain"),
]
NOTE = (
    "Of each method the record with the smallest true residual, whatever its backend and config. The checkerboard is the amplitude"
    " of (-1)^(i + j) in the pressure, of which a pressure that is not smooth has some, too: compare methods on one problem."
)


def values(record: Record) -> dict[str, float]:
    solved = record.section("solver")
    return {k: v for k, v in solved.items() if k not in OF_THE_SOLVE and finite(v)}


def residual(record: Record) -> float:
    found = record.number("solver", "true_residual")
    return float("inf") if found is None else found


def chosen(context: Context) -> list[Record]:
    told = [r for r in context.dataset.ok("solver") if values(r)]
    groups = grouped(told, lambda r: (subject(r), r.precision, r.grid, r.method)).values()
    return sorted((min(group, key=residual) for group in groups), key=report_order)


def table_rows(context: Context, record: Record) -> list[list]:
    converged = "yes" if record.converged else "no"
    ahead = [context.subject(record), record.precision, grid_text(record), record.method, converged]
    return [[*ahead, name.replace("_", " "), Told(f"{v:.5g}", v)] for name, v in values(record).items()]


def checkerboards(records: list[Record]) -> dict[str, float]:
    """By method."""
    return {r.method: value for r in records if (value := values(r).get(CHECKERBOARD))}


def finding(context: Context, records: list[Record]) -> str:
    """Where methods leave checkerboards that differ most."""
    groups = grouped(records, lambda r: (subject(r), r.precision, r.grid)).values()
    compared = [g for g in groups if len(checkerboards(g)) > 1]
    if not compared:
        return ""
    most = max(compared, key=lambda g: max(checkerboards(g).values()) / min(checkerboards(g).values()))
    first, told = most[0], sorted(checkerboards(most).items(), key=lambda item: item[1])
    said = ", ".join(f"{method} {scientific(value)}" for method, value in told)
    return (
        f"The checkerboard in the pressure of {context.subject(first)} at {grid_text(first)} ({first.precision}): {said},"
        f" {digits(told[-1][1] / told[0][1])} times as much."
    )


def build(context: Context) -> Section:
    section = Section("answers", "Values of the answers", summed_up=True)
    records = chosen(context)
    if not records:
        section.empty = "No problem names a value of its answer."
        return section
    rows = [row for record in records for row in table_rows(context, record)]
    names = list(dict.fromkeys(row[-2] for row in rows))
    section.finding = finding(context, records) or f"Problems name {len(names)} values of their answers."
    section.tables = [Table("answers", "Values that the problems name", COLUMNS, rows)]
    section.note = NOTE
    return section

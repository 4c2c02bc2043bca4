"""Values of the answers that problems name, such as drag, a temperature or a flow's checkerboard."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.records.select import grouped, report_order, subject
from cfdmark.stats.statistics import SMALLEST_EFFECT
from cfdmark.text.numbers import digits, scientific
from cfdmark.text.wording import grid_text, plural

from ..model import Column, Section, Table, LabelledNumber
from .context import Context

# Members of `solver` that describe the solve; all other numbers are values of the answer (results/README.md).
OF_THE_SOLVE = {
    "iterations",
    "converged",
    "tolerance",
    "time_per_iteration",
    "relative_residual",
    "true_residual",
    "inner_residual",
    "error_max",
    "error_l2",
    "launches_per_iteration",
    "levels",
    "coarsest_unknowns",
    "source_mean",
    "momentum_iterations",
    "pressure_iterations",
    "stream_iterations",
    "step_residual",
    "setup_seconds",
    "sample_iterations",
}
CHECKERBOARD = "checkerboard"
NOTE = (
    "For each method, the record with the smallest true residual, whatever its backend and config. The"
    " checkerboard is the amplitude of (-1)^(i + j) in the pressure. A pressure that is not smooth has some,"
    " too: compare methods on one problem."
)


def values(record: Record) -> dict[str, float]:
    solved = record.section("solver")
    return {k: v for k, v in solved.items() if k not in OF_THE_SOLVE and finite(v)}


def residual(record: Record) -> float:
    return float("inf") if record.true_residual is None else record.true_residual


def chosen(context: Context) -> list[Record]:
    with_values = [r for r in context.dataset.ok("solver") if values(r)]
    groups = grouped(with_values, lambda r: (subject(r), r.precision, r.grid, r.method)).values()
    return sorted((min(group, key=residual) for group in groups), key=report_order)


def table(context: Context, records: list[Record]) -> Table:
    """Returns a table with a row for each pair of a record and the name of a value."""
    columns = [
        Column("solver", "solver", of=lambda pair: context.subject(pair[0])),
        Column("precision", "precision", of=lambda pair: pair[0].precision),
        Column("grid", "grid", of=lambda pair: grid_text(pair[0])),
        Column("method", "method", of=lambda pair: pair[0].method),
        Column("converged", "converged", of=lambda pair: "yes" if pair[0].converged else "no"),
        Column("name", "value", of=lambda pair: pair[1].replace("_", " ")),
        Column("value", "number", "plain", of=lambda pair: labelled(pair[0].section("solver")[pair[1]])),
    ]
    pairs = [(record, name) for record in records for name in values(record)]
    return Table.of("answers", "Values that the problems name", columns, pairs)


def labelled(value: float) -> LabelledNumber:
    return LabelledNumber(f"{value:.5g}", value)


def checkerboards(records: list[Record]) -> dict[str, float]:
    """Returns the checkerboard of each method that converged."""
    return {r.method: value for r in records if r.converged and (value := values(r).get(CHECKERBOARD))}


def times_apart(found: dict[str, float]) -> float:
    return max(found.values()) / min(found.values())


def of_checkerboards(context: Context, records: list[Record]) -> str:
    """Returns a sentence on the largest difference between methods; empty if all leave the same."""
    groups = grouped(records, lambda r: (subject(r), r.precision, r.grid)).values()
    compared = [(g[0], found) for g in groups if len(found := checkerboards(g)) > 1]
    first, most = max(compared, key=lambda pair: times_apart(pair[1]), default=(None, {"": 1.0}))
    if times_apart(most) < 1 + SMALLEST_EFFECT:
        return ""
    said = ", ".join(f"{method} {scientific(value)}" for method, value in sorted(most.items(), key=lambda item: item[1]))
    return (
        f"The checkerboard in the pressure of {context.subject(first)} at {grid_text(first)} ({first.precision}): {said},"
        f" {digits(times_apart(most))} times as much."
    )


def build(context: Context) -> Section:
    section = Section("answers", "Values of the answers", summed_up=True)
    records = chosen(context)
    if not records:
        return replace(section, empty="No problem names a value of its answer.")
    names = {name for record in records for name in values(record)}
    section.finding = of_checkerboards(context, records) or f"Problems name {plural(len(names), 'value')} of their answers."
    section.tables = [table(context, records)]
    section.note = NOTE
    return section

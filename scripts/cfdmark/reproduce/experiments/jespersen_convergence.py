"""Jespersen, figures 1 and 2: the residual against the steps, for each case and number of sweeps a step."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Axis, Column, LinePanel, Table
from cfdmark.report.sections.convergence import curve
from cfdmark.text.wording import grid_text

from ..comparison import Comparison, or_none
from ..figures import figure

ROWS = {"ssor": "SSOR", "jacobi": "Jacobi", "wide": "Jacobi in 64 bits", "narrow": "Jacobi in 32 bits"}


def later_factor(record: Record) -> float | None:
    """Returns the factor of the residual a step, over the later half of the steps before rounding stops it.
    """
    falling = [(step, value) for step, value in record.history("history") if value > 1e-13]
    if len(falling) < 4:
        return None
    (first, before), (last, after) = falling[len(falling) // 2], falling[-1]
    return (after / before) ** (1 / (last - first))


def title(record: Record) -> str:
    walls = record.section("workload").get("walls", "plate")
    return f"{walls} {grid_text(record)}, {record.config.get('pairs')} pairs"


def order(record: Record) -> tuple:
    return record.nodes, record.grid, record.config["pairs"] if record.has_numbers("pairs") else 0


def cases(comparison: Comparison) -> dict[str, dict[str, Record]]:
    """Returns the records of each panel by the labels of their rows, smallest grid and fewest sweeps first.
    """
    found: dict[str, dict[str, Record]] = {}
    for name in comparison.rows.named:
        for record in or_none(lambda name=name: comparison.rows.by_grid(name)) or []:
            if record.history("history"):
                found.setdefault(title(record), {})[ROWS[name.split("_")[0]]] = record
    return dict(sorted(found.items(), key=lambda case: order(next(iter(case[1].values())))))


def panel(case: str, records: dict[str, Record]) -> LinePanel:
    lines = [curve(record, "history") for record in records.values()]
    for line, label in zip(lines, records, strict=True):
        line.label = label
    return LinePanel(case, Axis("step", "iterations"), Axis("residual / first", "error"), lines)


def add(comparison: Comparison) -> None:
    found = cases(comparison)
    if not found:
        return
    rows = [(label, record) for records in found.values() for label, record in records.items()]
    columns = [
        Column("case", "case", of=lambda row: title(row[1])),
        Column("relaxation", "relaxation", of=lambda row: row[0]),
        Column("steps", "steps", COUNT, of=lambda row: row[1].history("history")[-1][0]),
        Column("residual", "residual at the end", "error", of=lambda row: row[1].history("history")[-1][1]),
        Column("factor", "factor a step, later half", "ratio", of=lambda row: later_factor(row[1])),
    ]
    comparison.tables.append(Table.of("factors", "How fast the residual falls", columns, rows))
    comparison.figures += figure(
        "convergence",
        "The figure again: residual against step",
        [panel(case, records) for case, records in found.items()],
        "Dotted: relaxed in 32 bits within a residual of 64. The document shows its curves without values, so that "
        "there is no published line; it says that all reach machine zero, Jacobi a little later than SSOR, and that "
        "those of 32 and 64 bits cannot be distinguished.",
    )

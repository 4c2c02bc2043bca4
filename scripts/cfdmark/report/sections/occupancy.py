"""Resources of each CUDA kernel, as the loaded function reports them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped
from cfdmark.text.wording import plural

from ..model import COUNT, Column, Section, Table
from .context import Context

FUNCTION, OCCUPANCY, LOCAL = 3, 8, 7  # columns of the table


def functions(record: Record) -> list[dict]:
    return record.section("resources").get("kernels", [])


def block_text(kernel: dict) -> str | None:
    if (block := kernel.get("block")) is None:
        return None
    while len(block) > 1 and block[-1] == 1:
        block = block[:-1]
    return "×".join(str(n) for n in block)


def resource(key: str) -> Callable:
    """Returns a function for a column of pairs of a record and a kernel: a number of the kernel."""
    return lambda pair: pair[1].get(key)


def launches(record: Record) -> float | None:
    return record.number("solver", "launches_per_iteration") or record.number("resources", "launches")


def table(context: Context) -> Table:
    """Returns each kernel once for each row and shape, at the row's fastest configs; grids share the same
    code."""
    columns = [
        Column("what", "kernel or solver", of=lambda pair: context.subject(pair[0])),
        Column("precision", "precision", of=lambda pair: pair[0].precision),
        Column("method", "method", of=lambda pair: pair[0].method),
        Column("function", "CUDA kernel", of=lambda pair: str(pair[1].get("name", "?"))),
        Column("block", "block", of=lambda pair: block_text(pair[1])),
        Column("registers", "registers", COUNT, of=resource("registers")),
        Column("shared", "shared B", COUNT, of=resource("shared_bytes")),
        Column("local", "local B", COUNT, of=resource("local_bytes")),
        Column("occupancy", "occupancy", "fraction", of=resource("occupancy")),
        Column("launches", "launches", COUNT, of=lambda pair: launches(pair[0])),
    ]
    best = best_configs(context.dataset, context.dataset.ok())
    pairs = [(record, kernel) for record in best for kernel in functions(record)]
    made = Table.of("occupancy", "Resources of each CUDA kernel at the row's fastest config", columns, pairs)
    return replace(made, rows=[group[0] for group in grouped(made.rows, lambda row: tuple(row[:5])).values()])


def finding(rows: list[list]) -> str:
    known = [row for row in rows if row[OCCUPANCY] is not None]
    spilled = [row for row in rows if row[LOCAL]]
    if not known:
        return f"{plural(len(rows), 'CUDA kernel')} listed; none reports its occupancy."
    low = min(known, key=lambda row: row[OCCUPANCY])
    lowest = f"{low[FUNCTION]} ({low[0]}, {low[1]}) has the lowest, {100 * low[OCCUPANCY]:.0f} %"
    if all(row[OCCUPANCY] == low[OCCUPANCY] for row in known):
        lowest = "all have the same"
    mean = sum(row[OCCUPANCY] for row in known) / len(known)
    spills = f"{plural(len(spilled), 'kernel')} spill" if spilled else "no kernel spills"
    return (
        f"Theoretical occupancy averages {100 * mean:.0f} % over {plural(len(known), 'kernel')}; {lowest}; "
        f"{spills} to local memory."
    )


def build(context: Context) -> Section:
    section = Section("occupancy", "CUDA kernels: registers, shared memory, occupancy", summed_up=True)
    kernels = table(context)
    if not kernels.rows:
        return replace(section, empty="No CUDA case ran, so there are no registers or occupancies to show.")
    section.finding = finding(kernels.rows)
    section.tables = [kernels]
    section.note = "Launches: of all kernels in one step of a kernel or one iteration of a solver, if known."
    return section

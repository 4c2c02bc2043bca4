"""Resources of each CUDA kernel, as the loaded function reports them."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs
from cfdmark.text.wording import plural

from ..model import COUNT, Column, Section, Table
from .context import Context

COLUMNS = [
    Column("what", "kernel or solver"),
    Column("precision", "precision"),
    Column("method", "method"),
    Column("function", "CUDA kernel"),
    Column("block", "block"),
    Column("registers", "registers", COUNT),
    Column("shared", "shared B", COUNT),
    Column("local", "local B", COUNT),
    Column("occupancy", "occupancy", "fraction"),
    Column("launches", "launches", COUNT),
]
FUNCTION, OCCUPANCY, LOCAL = 3, 8, 7


def functions(record: Record) -> list[dict]:
    return record.section("resources").get("kernels", [])


def block_text(kernel: dict) -> str | None:
    if (block := kernel.get("block")) is None:
        return None
    while len(block) > 1 and block[-1] == 1:
        block = block[:-1]
    return "×".join(str(n) for n in block)


def kernel_row(context: Context, record: Record, kernel: dict) -> list:
    return [
        context.subject(record),
        record.precision,
        record.method,
        str(kernel.get("name", "?")),
        block_text(kernel),
        *(kernel.get(key) for key in ("registers", "shared_bytes", "local_bytes", "occupancy")),
        record.number("solver", "launches_per_iteration") or record.number("resources", "launches"),
    ]


def table_rows(context: Context) -> list[list]:
    """Returns each kernel once for each row and shape, at the row's fastest configs; grids share the same
    code."""
    seen = {}
    for record in best_configs(context.dataset, context.dataset.ok()):
        for kernel in functions(record):
            row = kernel_row(context, record, kernel)
            seen.setdefault(tuple(row[:5]), row)
    return list(seen.values())


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
    spills = (
        f"{plural(len(spilled), 'kernel')} spill to local memory"
        if spilled
        else "no kernel spills to local memory"
    )
    return (
        f"Theoretical occupancy averages {100 * mean:.0f} % over {plural(len(known), 'kernel')}; {lowest}; "
        f"{spills}."
    )


def build(context: Context) -> Section:
    section = Section("occupancy", "CUDA kernels: registers, shared memory, occupancy", summed_up=True)
    rows = table_rows(context)
    if not rows:
        section.empty = "No CUDA case ran, so there are no registers or occupancies to show."
        return section
    section.finding = finding(rows)
    section.tables = [
        Table("occupancy", "Resources of each CUDA kernel at the row's fastest config", COLUMNS, rows)
    ]
    section.note = (
        "Launches: of all kernels in one step of a kernel or one iteration of a solver, where known."
    )
    return section

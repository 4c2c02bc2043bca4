"""Normore 2010, table 6.7: occupancy and calls an outer iteration of each kernel of the flow solvers."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Column, Table
from cfdmark.report.sections.occupancy import block_text, functions
from cfdmark.stats.quantity import Quantity

from ..comparison import Comparison, Line, or_none
from ..measured import Absent
from ..rows import Rows
from ..verdict import not_comparable, within

COLUMNS = [
    Column("solver", "solver"),
    Column("routine", "routine"),
    Column("function", "CUDA kernel"),
    Column("block", "block"),
    Column("registers", "registers", COUNT),
    Column("shared", "shared B", COUNT),
    Column("occupancy", "occupancy", "fraction"),
    Column("fewest", "fewest calls", COUNT),
    Column("most", "most calls", COUNT),
]
SOLVERS = ("simple", "piso")
RED_BLACK = "solve p'"  # the routine that is called most
MAKES_COEFFICIENTS = ("momentum", "pressure equation")
AS_LARGE = 1.2  # an occupancy within this factor is about the same


def called(record: Record) -> list[dict]:
    """Returns the kernels of an iteration, if the record counts their calls."""
    return [kernel for kernel in functions(record) if kernel.get("calls")]


def kernel_rows(few: Record, many: Record) -> list[list]:
    """Returns a row for each routine and kernel; u and v share one."""
    rows: dict[tuple, list] = {}
    for fewest, most in zip(called(few), called(many)):
        resources = [fewest.get(key) for key in ("registers", "shared_bytes", "occupancy")]
        key = (few.name, fewest["routine"], fewest.get("name"), block_text(fewest), *resources)
        calls = rows.setdefault(key, [0, 0])
        calls[0] += fewest["calls"]
        calls[1] += most["calls"]
    return [[*key, *calls] for key, calls in rows.items()]


def mean_occupancy(record: Record, routines: tuple[str, ...]) -> float:
    """Returns the mean over the kernels of some routines, or of all, each once; not weighted by calls, as in
    the thesis."""
    wanted = [kernel for kernel in called(record) if not routines or kernel["routine"] in routines]
    known = {
        (kernel.get("name"), block_text(kernel), kernel.get("registers"), kernel.get("occupancy"))
        for kernel in wanted
        if kernel.get("occupancy") is not None
    }
    if not known:
        raise Absent(f"{record.name} on {record.backend}/{record.method} does not say which kernels it calls")
    return sum(occupancy for *_, occupancy in known) / len(known)


def line(rows: Rows, solver: str, what: str, published: float, routines: tuple[str, ...] = ()) -> Line:
    expected = Quantity(published)
    try:
        here = Quantity(mean_occupancy(rows.largest(f"{solver}_few"), routines))
    except Absent as reason:
        return Line(what, "", expected, None, None, not_comparable(str(reason)))
    return Line(what, "", expected, here, None, within(here, expected, AS_LARGE))


def called_most(record: Record) -> str:
    """Raises Absent."""
    kernels = called(record)
    of_pressure = sum(kernel["calls"] for kernel in kernels if kernel["routine"] == RED_BLACK)
    share = of_pressure / sum(kernel["calls"] for kernel in kernels) if kernels else 0.0
    occupancy = mean_occupancy(record, (RED_BLACK,))
    return (
        f"{record.name.upper()}: with the most inner calls {100 * share:.1f} % of an iteration's calls are red-black sweeps of the"
        f" pressure correction, at an occupancy of {100 * occupancy:.0f} %: an average over kernels, as his, says little of its time."
    )


def add(comparison: Comparison) -> None:
    totals, rows = comparison.document.data.table("totals"), comparison.rows
    average = dict(zip(totals.column("solver"), totals.column("average_occupancy")))
    of_kernels = []
    for solver in SOLVERS:
        name = solver.upper()
        comparison.lines += [
            line(rows, solver, f"average occupancy of the kernels of {name}", average[name]),
            line(rows, solver, f"{name}: red-black sweeps, called most", 1.0, (RED_BLACK,)),
            line(rows, solver, f"{name}: the kernels that make coefficients", 0.33, MAKES_COEFFICIENTS),
        ]
        said = or_none(lambda: called_most(rows.largest(f"{solver}_many")))
        comparison.why += [said] if said else []
        of_kernels += or_none(lambda: kernel_rows(rows.largest(f"{solver}_few"), rows.largest(f"{solver}_many"))) or []
    if of_kernels:
        comparison.tables.append(Table("kernels", "Kernels of an outer iteration", COLUMNS, of_kernels))

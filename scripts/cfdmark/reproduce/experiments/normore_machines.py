"""Normore 2010, tables 6.3 and 6.5: his four machines and this one in one table, and the causes of the
difference."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import Column, Table
from cfdmark.report.sections.environment import part, fact_text
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import digits, quantity_with_unit, three_digits, with_unit
from cfdmark.text.wording import grid_text, launch_bound

from ..comparison import Comparison, or_none
from ..measures import NUMBERS
from ..rows import Rows

# Rows of each side, with few and with many inner calls.
SIDES_HERE = (("GPU", "gpu"), ("OpenMP", "openmp"), ("Kokkos", "kokkos"))
COLUMNS = [
    Column("when", "when"),
    Column("device", "device"),
    Column("host", "host"),
    Column("calls", "inner calls"),
    Column("one_core", "times as fast as one core", "ratio", "three_digits"),
    Column("all_cores", "as all cores", "ratio", "three_digits"),
]


def peak(rows: Rows, fast: str, slow: str) -> Quantity | None:
    value = or_none(lambda: NUMBERS["peak"].function(rows, fast, slow))
    return value and value.quantity


def device_text(side: str, environment: dict) -> str:
    cores = part(environment, "host").get("cores")
    return fact_text(part(environment, "gpu").get("name")) if side == "GPU" else f"{cores or 'all'} cores, {side}"


def machine_rows(comparison: Comparison, calls: dict[str, str]) -> list[list]:
    """Returns his machines, then the measured ones. `calls` maps a row's ending to its number of inner calls.
    """
    data, rows = comparison.document.data, comparison.rows
    table, dataset = data.table("main"), comparison.measured.dataset
    then = [
        [data.source["year"], device, host, "not stated", float(speedup), None]
        for device, host, speedup in zip(*map(table.column, ("device", "host", "speedup")))
    ]
    environment = dataset.environments.get(dataset.records[-1].environment, {})
    host = fact_text(part(environment, "host").get("cpu"))
    here = []
    for side, row in SIDES_HERE:
        for ending, count in calls.items():
            over_one = peak(rows, row + ending, f"core{ending}")
            over_all = peak(rows, row + ending, f"cores{ending}") if side == "GPU" else None
            if over_one or over_all:
                here.append(["here", device_text(side, environment), host, count, over_one, over_all])
    return then + here


def bandwidth(record: Record) -> str:
    rate = record.number("rate", "bytes_per_second")
    return f"{digits(rate / 1e9)} GB/s" if rate else "an unknown bandwidth"


def launches_share(gpu: Record, smallest: Record, core: Record) -> str:
    """Returns the share of launches in the GPU's time, from its smallest grid, where only launches take time;
    empty if they take none."""
    if smallest.grid == gpu.grid or not launch_bound(smallest):
        return ""
    floor, whole = smallest.iteration_time.value, gpu.iteration_time.value
    if floor >= whole:
        return ""
    return (
        f"; {100 * floor / whole:.0f} % of its {with_unit(whole, 'seconds')} are the {digits(smallest.launches)} launches of an"
        f" iteration, which at {grid_text(smallest)} are all of it, and without which it would be"
        f" {digits(core.iteration_time.value / (whole - floor))} times as fast as one core"
    )


def made_of(rows: Rows) -> str:
    """Returns the peak as factors of the cores, the bandwidth and the launches. Raises Absent."""
    found = NUMBERS["peak"].function(rows, "gpu", "core")
    gpu, core = found.records
    there = rows.at(gpu.grid)
    cores = there.largest("cores")
    by_cores = NUMBERS["faster"].function(there, "cores", "core").quantity
    over_cores = NUMBERS["faster"].function(there, "gpu", "cores").quantity
    return (
        f"The {three_digits(found.quantity)} times at {grid_text(gpu)} are a factor of {three_digits(by_cores)} by which all cores"
        f" are faster than the one that he compares with, and one of {three_digits(over_cores)} by which the GPU is faster than all"
        f" of them, at {bandwidth(gpu)} against {bandwidth(cores)}{launches_share(gpu, rows.by_grid('gpu')[0], core)}."
    )


def of_cores(rows: Rows) -> str:
    """Returns the same without a GPU. Raises Absent."""
    found = NUMBERS["peak"].function(rows, "cores", "core")
    cores, core = found.records
    return (
        f"Without a GPU, the remaining difference is the core: all cores are {three_digits(found.quantity)} times as fast as"
        f" the one that he compares with, at {grid_text(core)}, where an iteration takes one core"
        f" {quantity_with_unit(core.iteration_time, 'seconds')} at {bandwidth(core)}, and all of them"
        f" {quantity_with_unit(cores.iteration_time, 'seconds')} at {bandwidth(cores)}."
    )


def add(comparison: Comparison) -> None:
    # PISO solves for its pressure twice.
    calls = {"": "20", "_many": "2010"} if comparison.document.id.endswith("6.3") else {"": "30", "_many": "4010"}
    rows = comparison.rows
    said = or_none(lambda: made_of(rows)) or or_none(lambda: of_cores(rows))
    comparison.why += [said] if said else []
    if comparison.measured.dataset.ok():
        title = "Then and now: an outer iteration's peak speedup over the meshes"
        comparison.tables.insert(0, Table("machines", title, COLUMNS, machine_rows(comparison, calls)))

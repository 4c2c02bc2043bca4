"""Shares of routines in a solve's time, for records that were timed by routine. Each function raises Absent.
"""

from __future__ import annotations

from functools import partial
from typing import Callable

from cfdmark.records.records import Record

from .measured import Absent

# Routines of a multigrid cycle, as records name them. Sweeps also solve the coarsest grid.
CYCLE = {"smoothing": ("smooth", "coarsest"), "prolongation": ("prolong",), "restriction": ("restrict",)}
# Makes the arrays of the coarse grids once a solve, not in each cycle.
COARSENING = "coarsen operator"
# Routines of a step of the projection method. The cycle's own residuals belong to its restriction.
STEP = {
    "sweeping": ("smooth", "coarsest", "sweep", "solve p"),
    "advance": ("momentum fluxes", "adams bashforth", "predict"),
    "pressure_residual": ("residual",),
    "transfer": ("restrict", "prolong", "clear", COARSENING),
    "gradients": ("apply", "direction", "dot", "update", "precondition"),  # (bi)conjugate
    "transforms": ("transform", "divide"),  # of a direct solver
    "eddies": ("eddy viscosity", "eddy stress"),
    "other": ("divergence", "correct", "hold p", "largest velocity", "largest eddy viscosity", "time"),
}
PRESSURE = ("sweeping", "pressure_residual", "transfer", "gradients", "transforms")


def seconds_by_routine(record: Record) -> dict[str, float]:
    return {routine.name: routine.seconds for routine in record.routines}


def share_of_cycle(part: str, record: Record) -> float:
    """Returns the share of the time of a cycle's parts."""
    seconds = seconds_by_routine(record)
    if not all(any(name in seconds for name in names) for names in CYCLE.values()):
        raise Absent(f"{record.name} on {record.backend}/{record.method} has no time of each part of a cycle")
    parts = {of: sum(seconds.get(name, 0.0) for name in names) for of, names in CYCLE.items()}
    return parts[part] / sum(parts.values())


def share_of_coarsening(record: Record) -> float:
    """Returns the share of the time of all routines of a multigrid solve."""
    seconds = seconds_by_routine(record)
    if COARSENING not in seconds:
        raise Absent(f"{record.name} on {record.backend}/{record.method} makes no operator for coarse grids")
    return seconds[COARSENING] / sum(seconds.values())


def share_of_step(parts: tuple[str, ...], record: Record) -> float:
    """Returns the share of the time of all routines, each of which must belong to a part."""
    seconds = seconds_by_routine(record)
    if "divergence" not in seconds:
        raise Absent(f"{record.name} on {record.backend}/{record.method} has no time of each routine of a step")
    known = {name for names in STEP.values() for name in names}
    for name in seconds.keys() - known:
        raise Absent(f"{record.name} on {record.backend}/{record.method} has a routine of no known part: {name}")
    return sum(seconds.get(name, 0.0) for part in parts for name in STEP[part]) / sum(seconds.values())


SHARES: dict[str, Callable[[Record], float]] = {
    **{part: partial(share_of_cycle, part) for part in CYCLE},
    **{part: partial(share_of_step, (part,)) for part in STEP},
    "pressure": partial(share_of_step, PRESSURE),
    "coarsening": share_of_coarsening,
}

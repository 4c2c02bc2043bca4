"""Measures of records on meshes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from cfdmark.records import meshes
from cfdmark.records.records import Record
from cfdmark.report.sections.context import number
from cfdmark.stats.quantity import Quantity

from .measure_parts import (
    COUNT,
    EXACT_TIMES,
    ITERATIONS,
    SECONDS,
    TIMES,
    Number,
    in_units,
    of_record,
    of_two,
    per_cent,
    ratio_of,
    recorded,
)
from .measured import Absent, divided
from .routines import seconds_by_routine

NO_MESH = "has no facts of its mesh"
A_BYTE = ("B", "plain", in_units("B", form="{:.3g}".format))
A_SHARE = ("", "fraction", per_cent)


def bytes_an_unknown(record: Record) -> float | None:
    return meshes.an_unknown(record, meshes.compulsory_bytes(record))


def requested_an_unknown(record: Record) -> float | None:
    return meshes.an_unknown(record, meshes.requested_bytes(record))


def steps_to_pay(numbered: Record, other: Record) -> Quantity:
    """Returns the steps after which the numbering of the first record has paid against that of the second."""
    found = meshes.steps_to_pay(numbered.number("mesh_facts", "seconds_to_number"), other, numbered)
    if found is None:
        raise Absent(f"{numbered.numbering} is not faster than {other.numbering}, or its cost was not recorded")
    return Quantity(math.ceil(found))


@dataclass(frozen=True)
class Stage:
    """A linear system of a fractional step, which CG solves."""

    routine: str
    iterations: str  # mean CG iterations of a step, in the results of a solve
    unknowns: str


# solvers/mesh_flow/fractional_step.cpp names them.
STAGES = {
    "momentum": Stage("momentum", "momentum_iterations", "faces"),
    "pressure": Stage("pressure", "pressure_iterations", "cells"),
    "stream": Stage("stream function", "stream_iterations", "nodes"),
}


def lacks_stage(name: str, record: Record) -> Absent:
    return Absent(f"{record.name} on {record.backend}/{record.method} has no time of the routine '{STAGES[name].routine}'")


def stage_time(name: str, record: Record) -> Quantity:
    """Returns the seconds of a CG iteration per unknown. The solve was timed by routine once, so there is no interval.
    Raises Absent."""
    stage = STAGES[name]
    timed = next((routine for routine in record.routines if routine.name == stage.routine), None)
    iterations = record.number("solver", stage.iterations)
    unknowns = record.number("mesh_facts", stage.unknowns)
    if not (timed and timed.seconds and timed.calls and iterations and unknowns):
        raise lacks_stage(name, record)
    return Quantity(timed.seconds / (timed.calls * iterations * unknowns), count="one sample")


def stage_speedup(name: str, fast: Record, slow: Record) -> Quantity:
    return divided(stage_time(name, slow), stage_time(name, fast))


def share_of_stage(name: str, record: Record) -> float:
    """Returns the share of the time of all routines. Raises Absent."""
    seconds = seconds_by_routine(record)
    if STAGES[name].routine not in seconds:
        raise lacks_stage(name, record)
    return seconds[STAGES[name].routine] / sum(seconds.values())


STAGE_SPEEDUPS = {f"faster_{name}": Number(of_two(partial(stage_speedup, name)), *TIMES) for name in STAGES}
STAGE_NUMBERS = {
    **STAGE_SPEEDUPS,
    **{f"{name}_time": Number(of_record(partial(stage_time, name)), *SECONDS) for name in STAGES},
    **{f"{name}_of_step": Number(of_record(partial(share_of_stage, name)), *A_SHARE) for name in STAGES},
    **{
        f"{name}_iterations": Number(recorded("solver", stage.iterations, "has no iterations of this stage"), *ITERATIONS)
        for name, stage in STAGES.items()
    },
}
MESH_NUMBERS = {
    # A face, a cell, an edge or a node whose value a step produces.
    "time_an_unknown": Number(of_record(meshes.time_an_unknown, NO_MESH), *SECONDS),
    "bytes_an_unknown": Number(of_record(bytes_an_unknown, NO_MESH), *A_BYTE),
    "requested_an_unknown": Number(of_record(requested_an_unknown, NO_MESH), *A_BYTE),
    "times_the_requested": Number(ratio_of(meshes.requested_bytes, "the requests were not recorded"), *EXACT_TIMES),
    "unknowns": Number(of_record(meshes.unknowns, NO_MESH), "", "count", COUNT),
    "seconds_to_number": Number(recorded("mesh_facts", "seconds_to_number", NO_MESH), *SECONDS),
    "seconds_to_connect": Number(recorded("mesh_facts", "seconds_to_connect", NO_MESH), *SECONDS),
    "steps_to_pay": Number(of_two(steps_to_pay), "steps", "count", COUNT),
    # Of the numbers of a face's two cells.
    "mean_distance": Number(recorded("mesh_facts", "mean_distance", NO_MESH), "", "plain", in_units("")),
    "same_line_share": Number(of_record(number("mesh_facts", "same_line_share"), NO_MESH), *A_SHARE),
    **STAGE_NUMBERS,
}

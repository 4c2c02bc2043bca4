"""Measures of records on meshes."""

from __future__ import annotations

import math

from cfdmark.records import meshes
from cfdmark.records.records import Record
from cfdmark.report.sections.context import number
from cfdmark.stats.quantity import Quantity

from .measure_parts import COUNT, EXACT_TIMES, SECONDS, Number, in_units, of_record, of_two, per_cent, ratio_of, recorded
from .measured import Absent

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
}

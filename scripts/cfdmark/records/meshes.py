"""Counts of records on meshes: the unknowns that a step of a kernel produces, and its bytes."""

from __future__ import annotations

from cfdmark.stats.quantity import Quantity

from .records import Record
from .select import rank

# Numberings in the order of reports: as generated, the worst ones, the better ones.
NUMBERINGS = ["lattice", "random_faces", "random", "morton", "hilbert", "rcm", "nested"]
# Entities whose values a step produces, or an iteration of a solver, by number of dimensions where it matters.
UNKNOWNS = {
    "mesh_gradient": "faces",
    "mesh_divergence": "cells",
    "mesh_curl": "faces",
    "mesh_rotation": {2: "nodes", 3: "edges"},
    "mesh_interpolation": "cells",
    "mesh_integration": "faces",
    "mesh_flux": "faces",
    "mesh_boundary": "boundary_faces",
    "mesh_node_gradient": "cells",
    "mesh_dual_flux": "nodes",
    "mesh_node_laplacian": "nodes",
    "mesh_poisson": "nodes",
    "mesh_cg": "nodes",
    "mesh_pcg": "nodes",
    "mesh_bicgstab": "nodes",
    "mesh_diffusion": "cells",
    "mesh_convection": "cells",
    "mesh_cell_laplacian": "cells",
    "mesh_momentum": "faces",
    "mesh_correction": "faces",
    "mesh_inner_rotation": {2: "nodes", 3: "edges"},
    "fractional_step": "cells",
    "exact_step": "cells",
}
SINGULAR = {"faces": "face", "cells": "cell", "nodes": "node", "edges": "edge", "boundary_faces": "boundary face"}


def on_meshes(records: list[Record]) -> list[Record]:
    return [r for r in records if r.mesh]


def numbering_rank(numbering: str) -> tuple[int, str]:
    return rank(numbering, NUMBERINGS)


def entities(record: Record) -> str:
    """Returns the entities whose values a step produces: faces; empty for a kernel that is not known here."""
    found = UNKNOWNS.get(record.name, "")
    return found.get(record.dims, "") if isinstance(found, dict) else found


def unknown_text(record: Record) -> str:
    """Returns one unknown in words: face, boundary face, or entity for a kernel that is not known here."""
    return SINGULAR.get(entities(record), "entity")


def unknowns(record: Record) -> float | None:
    """Returns the number of values that a step produces: faces, cells, edges or nodes, each once whatever its
    components. For kernels that are not known here, the entities that the kernel runs over."""
    return record.number("mesh_facts", entities(record)) or record.number("cost", "cells") or None


def an_unknown(record: Record, amount: float | None) -> float | None:
    count = unknowns(record)
    return amount / count if amount and count else None


def time_an_unknown(record: Record) -> Quantity | None:
    count = unknowns(record)
    return record.iteration_time.scaled(1 / count) if count and record.ok else None


def compulsory_bytes(record: Record) -> float | None:
    """Returns the bytes of a step, or of an iteration, that must cross the memory bus: each value and each index once."""
    return record.bytes_an_iteration


def requested_bytes(record: Record) -> float | None:
    """Returns the bytes of all loads and stores of a step."""
    return record.number("mesh_facts", "requested_bytes")


def steps_to_pay(seconds: float | None, before: Record, after: Record) -> float | None:
    """Returns the number of steps after which an outlay of `seconds` is paid back by a faster step; None if
    the step is not faster, or the seconds are not known."""
    gain = before.time.value - after.time.value
    return seconds / gain if seconds is not None and gain > 0 else None

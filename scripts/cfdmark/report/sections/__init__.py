"""The sections of the report, in reading order. A new one is a module with build(context), and a line here.
"""

from __future__ import annotations

from ..model import Section
from . import (
    accuracy,
    answers,
    blocks,
    cases,
    convergence,
    energy,
    environment,
    flows,
    headline,
    memory,
    not_run,
    occupancy,
    overhead,
    precision,
    roof,
    roofline,
    routines,
    speedup,
    time,
)
from .context import Context

SECTIONS = [
    headline,
    time,
    routines,
    convergence,
    accuracy,
    answers,
    speedup,
    roof,
    roofline,
    flows,
    precision,
    blocks,
    occupancy,
    memory,
    energy,
    not_run,
    overhead,
    cases,
    environment,
]


def build_all(context: Context) -> list[Section]:
    return [module.build(context) for module in SECTIONS]

"""The sections of the report, in reading order. Adding one: a module with build(context), and a line here."""

from __future__ import annotations

from ..model import Section
from . import (
    accuracy,
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
    speedup,
    time,
)
from .context import Context

SECTIONS = [
    headline,
    time,
    convergence,
    accuracy,
    speedup,
    roof,
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

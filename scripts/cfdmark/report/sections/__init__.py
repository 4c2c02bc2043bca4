"""The sections of the report, in reading order. A new one is a module with build(context), and a line here.
"""

from __future__ import annotations

from dataclasses import replace

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
    meshes,
    not_run,
    occupancy,
    overhead,
    precision,
    rank_links,
    roof,
    roofline,
    routines,
    scaling,
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
    scaling,
    rank_links,
    meshes,
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


# Sections that show every numbering of a mesh and every number of ranks. The others compare rows in one numbering
# and on one rank.
OF_ALL_NUMBERINGS = [meshes, scaling, rank_links, not_run, overhead, cases, environment]


def build_all(context: Context) -> list[Section]:
    in_one = context.in_one_numbering().on_one_rank()
    if flows.is_about_accuracy(in_one):
        return accuracy_first(in_one, context)
    return built(SECTIONS, in_one, context)


def built(modules: list, in_one: Context, context: Context) -> list[Section]:
    return [module.build(context if module in OF_ALL_NUMBERINGS else in_one) for module in modules]


def accuracy_first(in_one: Context, context: Context) -> list[Section]:
    """Returns the sections of a report that compares no rows: first the values, their orders and errors. Cards
    of a row without a rival say nothing there."""
    made = built([flows, *(module for module in SECTIONS if module is not flows)], in_one, context)
    return [replace(section, cards=[]) if section.key == "headline" else section for section in made]

"""Rows that ran on one mesh in several numberings, and what each numbering costs and gains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from cfdmark.records.meshes import numbering_rank, on_meshes, steps_to_pay, time_an_unknown, unknown_text
from cfdmark.records.records import LATTICE, Record
from cfdmark.records.select import best_configs, grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster, verdict

from ..model import COUNT, Column, Table
from .context import Context

RANDOM = "random"


def vectors(record: Record) -> str:
    """Returns the layout of vectors; empty for a kernel without any."""
    return record.text("workload", "vectors") or ""


def other_settings(record: Record) -> tuple:
    """Returns the problem settings but the numbering."""
    return tuple(sorted((k, v) for k, v in record.section("workload").items() if k != "numbering"))


def order(record: Record) -> tuple:
    return (record.name, record.dims, -record.nodes, record.mesh, record.precision, vectors(record))


@dataclass(frozen=True)
class Comparison:
    """One row on one mesh, by numbering."""

    by_numbering: dict[str, Record]

    @property
    def ranked(self) -> list[Record]:
        """The records, the fastest first."""
        return sorted(self.by_numbering.values(), key=lambda r: r.time.value)

    @property
    def best(self) -> Record:
        return self.ranked[0]

    @property
    def worst(self) -> Record:
        return self.ranked[-1]

    @property
    def cost(self) -> Quantity:
        """Time by the worst numbering over that by the best."""
        return times_faster(self.best, self.worst)


def comparisons(context: Context) -> list[Comparison]:
    """Returns the rows with several numberings on a mesh, each with its fastest config: by kernel, then by mesh."""
    dataset = context.dataset
    records = best_configs(dataset, on_meshes(dataset.ok("kernel")))
    rows = grouped(
        sorted(records, key=order),
        lambda r: (r.name, r.mesh, other_settings(r), dataset.where(r), r.precision, r.method),
    )
    found = [Comparison({r.numbering: r for r in group}) for group in rows.values()]
    return [each for each in found if len(each.by_numbering) > 1]


def fact(records: list[Record], key: str) -> float | None:
    """Returns the median of a fact of the mesh over its records: each process makes the mesh again."""
    known = [value for r in records if (value := r.number("mesh_facts", key)) is not None]
    return median(known) if known else None


class Costs:
    """Seconds to number a mesh on the host, by machine, mesh and numbering."""

    def __init__(self, context: Context):
        self.dataset = context.dataset
        groups = grouped(on_meshes(context.dataset.ok()), self.key)
        self.seconds = {key: fact(group, "seconds_to_number") for key, group in groups.items()}

    def key(self, record: Record) -> tuple:
        return self.dataset.machine_of(record), record.mesh, record.numbering

    def steps(self, numbered: Record, other: Record | None) -> float | None:
        """Returns the number of steps after which a numbering has paid against another; None without a clear gain,
        and for the mesh as generated, which costs nothing."""
        if other is None or numbered.numbering in (LATTICE, other.numbering) or verdict(times_faster(numbered, other)) in ("tied", "slower"):
            return None
        found = steps_to_pay(self.seconds[self.key(numbered)], other, numbered)
        return None if found is None else math.ceil(found)


def gains_table(context: Context, found: list[Comparison]) -> Table:
    costs = Costs(context)
    rows = [
        (each, each.by_numbering[numbering])
        for each in found
        for numbering in sorted(each.by_numbering, key=numbering_rank)
    ]

    def against(numbering: str):
        def ratio(row) -> Quantity | None:
            other = row[0].by_numbering.get(numbering)
            return times_faster(row[1], other) if other and other is not row[1] else None

        return ratio

    def steps(numbering: str):
        return lambda row: costs.steps(row[1], row[0].by_numbering.get(numbering))

    columns = [
        Column("kernel", "kernel", of=lambda row: row[1].name),
        Column("precision", "precision", of=lambda row: row[1].precision),
        Column("mesh", "mesh", of=lambda row: row[1].mesh),
        Column("vectors", "vectors", of=lambda row: vectors(row[1])),
        Column("row", "row", of=lambda row: context.row(row[1])),
        Column("numbering", "numbering", of=lambda row: row[1].numbering),
        Column("unknown", "unknown", optional=True, of=lambda row: unknown_text(row[1])),
        Column("one", "time per unknown", "seconds", "plus_minus", of=lambda row: time_an_unknown(row[1])),
        Column("lattice", "times as fast as lattice", "ratio", "brackets", of=against(LATTICE)),
        Column("random", "times as fast as random", "ratio", "brackets", of=against(RANDOM)),
        Column("pays_lattice", "has paid after, against lattice", COUNT, of=steps(LATTICE)),
        Column("pays_random", "has paid after, against random", COUNT, of=steps(RANDOM)),
    ]
    return Table.of("mesh-gains", "What each numbering gains, and the steps after which it has paid", columns, rows)


def costs_table(context: Context) -> Table:
    """Returns a line for each numbering of each mesh: how long it takes on the host, and how far cells lie apart."""
    costs = Costs(context)
    groups = grouped(on_meshes(context.dataset.ok()), costs.key).values()
    ordered = sorted(groups, key=lambda g: (g[0].dims, g[0].nodes, g[0].mesh, numbering_rank(g[0].numbering)))

    def known(key: str):
        return lambda group: fact(group, key)

    columns = [
        Column("machine", "machine", of=lambda group: context.dataset.machine_label(group[0])),
        Column("mesh", "mesh", of=lambda group: group[0].mesh),
        Column("cells", "cells", COUNT, of=lambda group: group[0].nodes),
        Column("numbering", "numbering", of=lambda group: group[0].numbering),
        Column("make", "to make", "seconds", of=known("seconds_to_make")),
        Column("number", "to number", "seconds", of=known("seconds_to_number")),
        Column("connect", "to connect", "seconds", of=known("seconds_to_connect")),
        Column("mean", "mean distance", "plain", of=known("mean_distance")),
        Column("most", "largest distance", COUNT, of=known("most_distance")),
        Column("same_line", "in one line", "fraction", of=known("same_line_share")),
    ]
    return Table.of("mesh-costs", "What a numbering costs the host, and how far the two cells of a face lie apart",
                    columns, ordered)

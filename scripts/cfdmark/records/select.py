"""Selects records: order, groups, the fastest."""

from __future__ import annotations

from collections import defaultdict
from typing import Callable, Iterable

from .records import Dataset, Record

PRECISIONS = ["fp64", "fp32", "mixed"]
BACKENDS = ["serial", "openmp", "kokkos", "cuda"]
SOLVERS = ["jacobi", "gauss_seidel", "sor", "cg"]


def rank(value: str, known: list[str]) -> tuple[int, str]:
    """Returns a sort key: the known order first, then alphabetical."""
    return (known.index(value) if value in known else len(known), value)


def precision_rank(record: Record):
    return rank(record.precision, PRECISIONS)


def backend_rank(record: Record):
    return rank(record.backend, BACKENDS)


def name_rank(record: Record):
    return (
        record.kind != "solver",
        rank(record.name, SOLVERS if record.kind == "solver" else []),
        record.problem,
        record.dims,
    )


def report_order(record: Record):
    """Returns the sort key of reports: solvers first, by name; large grids first; then backend and method."""
    return (name_rank(record), precision_rank(record), -record.nodes, backend_rank(record), record.method)


def subject(record: Record):
    """Returns what is computed, independent of backend, precision and method."""
    return (record.kind, record.name, record.problem, record.dims)


def contest_of(record: Record):
    """Returns what rows compete in: a solver, a kernel with its problem settings, or a kernel on meshes in any
    numbering."""
    return (record.kind, record.name if record.mesh else record.operation, record.dims)


def row_of(dataset: Dataset, record: Record):
    """Returns what computes it: backend, precision and method."""
    return (dataset.where(record), record.precision, record.method)


def grouped(records: Iterable[Record], key: Callable) -> dict:
    groups = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    return dict(groups)


def fastest(records: Iterable[Record]) -> Record:
    return min(records, key=lambda r: r.iteration_time.value)


def fastest_to_end(records: Iterable[Record]) -> Record:
    return min(records, key=lambda r: r.time.value)


def best_configs(dataset: Dataset, records: Iterable[Record]) -> list[Record]:
    """Returns the record with the fastest config of each row on each grid, in report order."""
    groups = grouped(records, lambda r: (subject(r), r.grid, row_of(dataset, r)))
    return sorted((fastest(g) for g in groups.values()), key=report_order)


def main_precision(records: Iterable[Record]) -> str:
    """Returns the precision that headlines use: fp64 if there is any."""
    present = {r.precision for r in records}
    return min(present, key=lambda p: rank(p, PRECISIONS))


def largest_grid(records: list[Record]) -> list[Record]:
    top = max(records, key=lambda r: (r.nodes, r.grid)).grid
    return [r for r in records if r.grid == top]


def fullest_grid(dataset: Dataset, records: list[Record]) -> list[Record]:
    """Returns the records on the grid where most rows can be compared; the largest such grid."""
    groups = grouped(records, lambda r: r.grid).values()
    return max(groups, key=lambda g: (len({row_of(dataset, r) for r in g}), g[0].nodes))


def wheres(dataset: Dataset, records: Iterable[Record]) -> list[str]:
    """Returns the backends present, in the usual order."""
    names = {dataset.where(r): backend_rank(r) for r in records}
    return sorted(names, key=lambda where: (names[where], where))


def rows_on_largest_grid(dataset: Dataset, records: Iterable[Record]) -> list[Record]:
    """Returns each row on its largest grid, where caches matter least, with its fastest config."""
    groups = grouped(records, lambda r: (subject(r), row_of(dataset, r))).values()
    return sorted((r for g in groups for r in best_configs(dataset, largest_grid(g))), key=report_order)

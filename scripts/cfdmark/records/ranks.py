"""Records of cases on several ranks, and the records of one rank that they are compared with."""

from __future__ import annotations

from statistics import mean

from .record_check import finite
from .records import Record
from .select import fastest, grouped

SETTINGS = ("ranks", "partition", "join")  # of a config, on several ranks only
PARTS = ("work", "exchange", "sums")


def problem_of(record: Record) -> tuple:
    """Returns all settings of the problem and of the solve."""
    return tuple(sorted(record.section("workload").items()))


def method_of(record: Record) -> tuple:
    """Returns what computes the record but for its ranks."""
    others = sorted((k, v) for k, v in record.config.items() if k not in SETTINGS)
    return (record.backend, record.method, tuple(others))


def partition(record: Record) -> str:
    """Returns how the domain is cut, and how processes are joined: slabs, or "slabs, mpi"; empty on one rank."""
    return ", ".join(str(record.config[name]) for name in ("partition", "join") if name in record.config)


def seconds_of_parts(record: Record) -> dict[str, float]:
    """Returns the mean seconds of the ranks in each part of a step; empty if they were not recorded."""
    recorded = record.section("ranks").get("seconds", {})
    kept = {name: [s for s in recorded.get(name, []) if finite(s)] for name in PARTS}
    return {name: mean(values) for name, values in kept.items() if values}


def work_imbalance(record: Record) -> float | None:
    """Returns the work of the busiest rank over the mean of all, less 1."""
    work = [s for s in record.section("ranks").get("seconds", {}).get("work", []) if finite(s)]
    return max(work) / mean(work) - 1 if work and mean(work) > 0 else None


class OneRank:
    """Records of one rank and of OpenMP, by machine and by what they compute."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.alone = grouped([r for r in dataset.ok() if r.ranks == 1 and not r.mesh], self.key)

    def key(self, record: Record) -> tuple:
        return (self.dataset.machine_of(record), record.kind, record.name, record.precision, problem_of(record))

    def candidates(self, record: Record, grid: tuple) -> list[Record]:
        return [r for r in self.alone.get(self.key(record), []) if r.grid == grid]

    def itself(self, record: Record) -> Record | None:
        """Returns the same method and config on one rank, on the same grid."""
        return next((r for r in self.candidates(record, record.grid) if method_of(r) == method_of(record)), None)

    def best(self, record: Record) -> Record | None:
        """Returns the fastest method and config on one rank of the same backend, on the same grid."""
        found = [r for r in self.candidates(record, record.grid) if r.backend == record.backend]
        return fastest(found) if found else None

    def openmp(self, record: Record) -> Record | None:
        """Returns the fastest record of OpenMP with as many threads as ranks, on the same grid."""
        found = [r for r in self.candidates(record, record.grid) if r.backend == "openmp" and r.threads == record.ranks]
        return fastest(found) if found else None

    def part(self, record: Record) -> Record | None:
        """Returns the same method on one rank whose grid is that of each rank: the grid times the number of ranks,
        along one axis or more. Of several, the one with the longest rows."""
        mine = [r for r in self.alone.get(self.key(record), []) if method_of(r) == method_of(record) and divides(r, record)]
        return max(mine, key=lambda r: r.grid, default=None)


def divides(one: Record, record: Record) -> bool:
    """True if the grid of `record` has that of `one` for each rank."""
    fits = len(one.grid) == len(record.grid) and all(n % m == 0 for n, m in zip(record.grid, one.grid))
    return fits and record.nodes == one.nodes * record.ranks

"""Records of cases on several ranks, and the records of one rank that they are compared with."""

from __future__ import annotations

from statistics import mean

from .record_check import finite
from .records import Record
from .select import fastest, grouped

# Settings of a config on several ranks only.
SETTINGS = ("ranks", "partition", "join", "gather_cells", "coarse", "exchange", "overlap")
COPIES = "copies"  # the partition of ranks that share no domain
SECONDS = ("work", "exchange", "sums")  # of each rank in a step
DETAIL = ("redundant", "exchange_waiting", "sums_waiting")  # parts of these


def problem_of(record: Record) -> tuple:
    """Returns all settings of the problem and of the solve."""
    return tuple(sorted(record.section("workload").items()))


def method_of(record: Record) -> tuple:
    """Returns what computes the record on one rank."""
    others = sorted((k, v) for k, v in record.config.items() if k not in SETTINGS)
    return (record.backend, record.method, tuple(others))


def partition(record: Record) -> str:
    """Returns how the domain is cut, how coarse levels are computed, how processes are joined, and how values go between
    devices: slabs; slabs, gathered; slabs, mpi; slabs, store; empty on one rank."""
    config = record.config
    words = [config.get("partition", ""), *(config.get(key) for key in ("coarse", "join", "exchange", "overlap"))]
    return ", ".join(str(word) for word in words if word not in (None, "redundant", "none"))


def cuts_slabs(record: Record) -> bool:
    return record.config.get("partition") == "slabs"


def by_rank(record: Record, key: str, names: tuple[str, ...]) -> dict[str, list[float]]:
    """Returns lists of numbers, one for each rank; empty unless all are there."""
    recorded = record.section("ranks").get(key, {})
    kept = {name: [s for s in recorded.get(name, []) if finite(s)] for name in names}
    return kept if all(len(values) == record.ranks for values in kept.values()) else {}


def seconds_by_rank(record: Record) -> dict[str, list[float]]:
    """Returns the seconds of each rank in a step: its own work, redundant work, exchange and sums without waiting; empty
    if they were not recorded. Of a record without details nothing is redundant, and waiting is in exchange and sums."""
    seconds = by_rank(record, "seconds", SECONDS)
    if not seconds:
        return {}
    detail = by_rank(record, "detail", DETAIL) or {name: [0.0] * record.ranks for name in DETAIL}

    def less(name: str, part: str) -> list[float]:
        return [max(0.0, whole - of_it) for whole, of_it in zip(seconds[name], detail[part])]

    return {"work": less("work", "redundant"), "redundant": detail["redundant"],
            "exchange": less("exchange", "exchange_waiting"), "sums": less("sums", "sums_waiting")}


def parts_of_time(record: Record) -> dict[str, float]:
    """Returns the seconds of a step by part; empty if they were not recorded. They add up to the step.

    work, redundant, exchange and sums are means of the ranks. imbalance: the work of the busiest rank less the mean.
    waiting: the rest, in which ranks wait for messages, or begin and end."""
    seconds = seconds_by_rank(record)
    if not seconds:
        return {}
    parts = {name: mean(seconds[name]) for name in ("work", "redundant", "exchange", "sums")}
    parts["imbalance"] = max(seconds["work"]) - parts["work"]
    return parts | {"waiting": max(0.0, record.time.value - sum(parts.values()))}


def work_imbalance(record: Record) -> float | None:
    """Returns the work of the busiest rank over the mean of all, less 1."""
    work = seconds_by_rank(record).get("work", [])
    return max(work) / mean(work) - 1 if work and mean(work) > 0 else None


class OneRank:
    """Records of one rank and of OpenMP, by run and by what they compute. A run is a file of records of one machine: times
    of another run do not count as a baseline."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.alone = grouped([r for r in dataset.ok() if r.ranks == 1 and not r.mesh], self.key)

    def key(self, record: Record) -> tuple:
        return (self.dataset.machine_of(record), record.file, record.kind, record.name, record.precision, problem_of(record))

    def candidates(self, record: Record, grid: tuple) -> list[Record]:
        return [r for r in self.alone.get(self.key(record), []) if r.grid == grid]

    def itself(self, record: Record) -> Record | None:
        """Returns the same method and config on one rank, on the same grid; None for copies, which share no grid. Of
        several the fastest counts (is_of_method)."""
        if record.config.get("partition") == COPIES:
            return None
        return self.fastest_alike(record, self.candidates(record, record.grid))

    def fastest_alike(self, record: Record, of_one: list[Record]) -> Record | None:
        alike = [r for r in of_one if is_of_method(r, record)]
        return fastest(alike) if alike else None

    def best(self, record: Record) -> Record | None:
        """Returns the fastest method and config on one rank of the same backend, on the same grid. Never a slower one."""
        found = [r for r in self.candidates(record, record.grid) if r.backend == record.backend]
        return fastest(found) if found else None

    def openmp(self, record: Record) -> Record | None:
        """Returns the fastest record of OpenMP with as many threads as ranks, on the same grid."""
        found = [r for r in self.candidates(record, record.grid) if r.backend == "openmp" and r.threads == record.ranks]
        return fastest(found) if found else None

    def part(self, record: Record) -> Record | None:
        """Returns the same method on one rank whose grid is that of each rank: the grid times the number of ranks,
        along one axis or more. Of several, the one with the longest rows."""
        mine = [r for r in self.alone.get(self.key(record), []) if is_of_method(r, record) and divides(r, record)]
        longest = max((r.grid for r in mine), default=None)
        return self.fastest_alike(record, [r for r in mine if r.grid == longest])


def is_of_method(one: Record, record: Record) -> bool:
    """True if one rank computes what several ranks do: one method, with the value of each setting of the several ranks
    that is not about ranks. Settings of one rank alone, such as those of CUDA graphs, may have any value."""
    own = {key: value for key, value in record.config.items() if key not in SETTINGS}
    return (one.backend, one.method) == (record.backend, record.method) and all(key in one.config and one.config[key] == own[key] for key in own)


def divides(one: Record, record: Record) -> bool:
    """True if each rank of `record` has the grid of `one`."""
    if record.config.get("partition") == COPIES:
        return one.grid == record.grid
    fits = len(one.grid) == len(record.grid) and all(n % m == 0 for n, m in zip(record.grid, one.grid))
    return fits and record.nodes == one.nodes * record.ranks

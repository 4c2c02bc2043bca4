"""Separates the entries of Google Benchmark's list into repetitions and aggregates.

User counters are members of an entry and may have the names of its fields. A counter is a number, so a number
where a
text, a flag or an index is expected is a counter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

AGGREGATES = ("mean", "median", "stddev", "cv")  # the default ones, by the ends of their names


@dataclass(frozen=True)
class Entry:
    raw: dict
    name: str  # name of the benchmark, also for an aggregate
    identity: tuple[int, int] | None = None
    repetition: int | None = None
    aggregate: str | None = None  # mean, median, BigO; None for a repetition


def text(raw: dict, key: str) -> str | None:
    value = raw.get(key)
    return value if isinstance(value, str) and value else None


def index(raw: dict, key: str) -> int | None:
    value = raw.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def identity_of(raw: dict) -> tuple[int, int] | None:
    family, instance = index(raw, "family_index"), index(raw, "per_family_instance_index")
    return None if family is None or instance is None else (family, instance)


def is_fit(raw: dict) -> bool:
    """True for a fitted complexity or its error, which have no times."""
    return text(raw, "big_o") is not None or ("rms" in raw and "real_time" not in raw)


def with_type(raw: dict, number: int) -> Entry:
    """Returns an entry of version 1.5 or later, which has a type."""
    name = text(raw, "run_name") or text(raw, "name") or f"benchmarks[{number}], which has no name"
    if raw["run_type"] == "iteration":
        return Entry(raw, name, identity_of(raw), index(raw, "repetition_index"))
    return Entry(raw, name, aggregate=text(raw, "aggregate_name") or "unknown")


class Untyped:
    """Entries before 1.5. Repetitions of a benchmark are adjacent, followed by their aggregates: NAME_mean,
    NAME_median, NAME_stddev, then those that a user added."""

    def __init__(self, entries: list[dict]):
        self.counts = Counter(text(raw, "name") for raw in entries)
        self.name, self.count = "", 0  # the group that is being read, and its repetitions
        self.taken: set[str] = set()  # its aggregates
        self.groups: dict[str, int] = {}  # number of groups so far, by name

    def entry(self, raw: dict, number: int) -> Entry:
        name = text(raw, "run_name") or text(raw, "name") or f"benchmarks[{number}], which has no name"
        if is_fit(raw):
            return Entry(raw, name, aggregate="fit")
        of, _, what = name.rpartition("_")
        if self.is_aggregate(of, what):
            self.taken.add(what)
            return Entry(raw, of, aggregate=what)
        if name == self.name and not self.taken:
            self.count += 1
        else:
            self.name, self.count, self.taken = name, 1, set()
            self.groups[name] = self.groups.get(name, 0) + 1
        return Entry(raw, name, identity=(self.groups[name], 0))

    def is_aggregate(self, of: str, what: str) -> bool:
        if what in self.taken and of == self.name:
            return False  # a benchmark with this name
        if of == self.name and self.count > 1:
            return what in AGGREGATES or ("stddev" in self.taken and self.counts[f"{of}_{what}"] == 1)
        alone = of not in self.counts and {f"{of}_mean", f"{of}_stddev"} <= set(self.counts)
        return alone and what in AGGREGATES  # --benchmark_report_aggregates_only


def sorted_out(entries: list[dict]) -> tuple[list[Entry], dict[str, dict[str, Entry]]]:
    """Returns the repetitions in order, and the aggregates by benchmark and kind."""
    untyped = Untyped(entries)
    found = [
        with_type(raw, n) if text(raw, "run_type") in ("iteration", "aggregate") else untyped.entry(raw, n)
        for n, raw in enumerate(entries)
    ]
    aggregates: dict[str, dict[str, Entry]] = {}
    for entry in found:
        if entry.aggregate:
            aggregates.setdefault(entry.name, {})[entry.aggregate] = entry
    return [entry for entry in found if not entry.aggregate], aggregates

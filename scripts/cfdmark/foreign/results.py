"""What is read of others' benchmarks, whoever wrote the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cfdmark.records.record_check import finite
from cfdmark.records.records import BadInput


@dataclass(frozen=True)
class Place:
    """What a benchmark ran on, as far as the file says."""

    name: str  # for people: `host 1a2b3c, 4 cores`, `NVIDIA H200`
    machine: str  # tells it from another
    environment: dict  # as an environment line of records has it
    facts: dict[str, str]  # that may explain a change, as a history keeps them


@dataclass(frozen=True)
class Benchmark:
    case: str
    place: Place
    samples: tuple[float, ...] = ()  # seconds, in order; none unless the status is ok
    status: str = "ok"  # of a record: ok, error, not_run
    reason: str = ""
    facts: dict[str, str] = field(default_factory=dict)  # beside those of its place
    entries: tuple[str, ...] = ()  # as the file has it, JSON each: for exports that pass it on unchanged
    counters: dict[str, float] = field(default_factory=dict)  # what else was measured, where there are no entries


@dataclass
class Results:
    """What one file holds, its benchmarks in order, each once."""

    benchmarks: list[Benchmark]
    time: str | None = None  # UTC, when it was measured
    why_no_time: str = ""
    commit: str | None = None  # if the file knows it
    how_to_name_commit: str = "name it with --commit"
    warnings: list[str] = field(default_factory=list)


class Odd(Exception):
    """One benchmark that cannot be used: it is wrong, the others of its file are not. The message says why."""


def seconds(value, name: str) -> float:
    """Throws Odd for what is no time."""
    if not finite(value) or value <= 0:
        raise Odd(f"`{name}` is {value}, which is no time")
    return float(value)


class Names:
    """Gives each benchmark of a file a name of its own, and counts those that share one."""

    def __init__(self):
        self.counts: dict[str, int] = {}
        self.taken: set[str] = set()

    def own(self, name: str) -> str:
        """NAME for the first of this name, `NAME #2` for the second; never a name that another benchmark has."""
        number = self.counts[name] = self.counts.get(name, 0) + 1
        own = name if number == 1 else f"{name} #{number}"
        while own in self.taken:
            number += 1
            own = f"{name} #{number}"
        self.taken.add(own)
        return own

    def warnings(self, path: Path) -> list[str]:
        return [
            f"{path}: {count} benchmarks are called {name}: by their order they are {name}{' to' if count > 2 else ' and'} {name} #{count}"
            for name, count in self.counts.items()
            if count > 1
        ]


class Reader:
    """Takes values out of a file, and names file and field where one is not what it must be."""

    def __init__(self, path: Path):
        self.path = path

    def refuse(self, field_name: str, expected: str):
        raise BadInput(f"{self.path}: `{field_name}` {expected}")

    def member(self, of: dict, key: str, kind: type, where: str):
        value = of.get(key)
        if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
            self.refuse(f"{where}{key}", f"is missing or no {WORDS[kind]}")
        return value

    def objects(self, of: dict, key: str, where: str) -> list[dict]:
        """Those of a list; none where it is null or missing, as nvbench writes an empty one."""
        if of.get(key) is None:
            return []
        values = self.member(of, key, list, where)
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"{where}{key}", "must hold objects alone")
        return values

    def version(self, found, known: int, field_name: str) -> None:
        if found != known:
            self.refuse(field_name, f"is {found}: this program reads version {known}")


WORDS = {dict: "object", list: "list", str: "text", int: "whole number"}

"""Results of other programs, independent of their format."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cfdmark.records.record_check import finite
from cfdmark.records.records import BadInput


@dataclass(frozen=True)
class Place:
    """Machine of a benchmark, as far as the file describes it."""

    name: str  # for people: `host 1a2b3c, 4 cores`, `NVIDIA H200`
    machine: str  # identifies the machine
    environment: dict  # in the form of an environment line
    facts: dict[str, str]  # facts that may explain a change, for a history


@dataclass(frozen=True)
class Benchmark:
    case: str
    place: Place
    samples: tuple[float, ...] = ()  # seconds, in order; none unless the status is ok
    status: str = "ok"  # of a record: ok, error, not_run
    reason: str = ""
    facts: dict[str, str] = field(default_factory=dict)  # in addition to those of its place
    entries: tuple[str, ...] = ()  # JSON from the file, for exports that pass it on unchanged
    counters: dict[str, float] = field(default_factory=dict)  # other measured numbers, if there are no entries


@dataclass
class Results:
    """Contents of one file: each benchmark once, in order."""

    benchmarks: list[Benchmark]
    time: str | None = None  # UTC, when it was measured
    why_no_time: str = ""
    commit: str | None = None  # if the file knows it
    how_to_name_commit: str = "name it with --commit"
    warnings: list[str] = field(default_factory=list)


class Odd(Exception):
    """A benchmark that cannot be used, unlike the others of its file. The message says why."""


def seconds(value, name: str) -> float:
    """Returns a time. Raises Odd for any other value."""
    if not finite(value) or value <= 0:
        shown = "null" if value is None else value
        raise Odd(f"`{name}` is {shown}, which is not a time")
    return float(value)


class Names:
    """Gives each benchmark of a file a unique name, and counts those that share one."""

    def __init__(self):
        self.counts: dict[str, int] = {}
        self.taken: set[str] = set()

    def own(self, name: str) -> str:
        """Returns NAME for the first benchmark of a name, `NAME #2` for the second; never another benchmark's
        name."""
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
    """Reads members of a file and reports file and field if one has the wrong form."""

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
        """Returns the objects in a list; none if it is null or missing, as nvbench writes an empty one."""
        if of.get(key) is None:
            return []
        values = self.member(of, key, list, where)
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"{where}{key}", "must hold objects alone")
        return values

    def version(self, found, known: int, field_name: str) -> None:
        if found != known:
            shown = "null" if found is None else found
            self.refuse(field_name, f"is {shown}: this program reads version {known}")


WORDS = {dict: "object", list: "list", str: "text", int: "whole number"}

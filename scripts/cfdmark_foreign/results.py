"""What is read of others' benchmarks, whoever wrote the file."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from cfdmark_report.record_check import finite
from cfdmark_report.records import BadInput


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


@dataclass
class Results:
    """What one file holds, its benchmarks in order, each once."""

    time: str  # UTC, when it was measured
    benchmarks: list[Benchmark]
    commit: str | None = None  # if the file knows it
    how_to_name_commit: str = "name it with --commit"
    warnings: list[str] = field(default_factory=list)


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

    def objects(self, of: dict, key: str, where: str, may_be_null: bool = False) -> list[dict]:
        if may_be_null and of.get(key) is None:
            return []
        values = self.member(of, key, list, where)
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"{where}{key}", "must hold objects alone")
        return values

    def version(self, found, known: int, field_name: str) -> None:
        if found != known:
            self.refuse(field_name, f"is {found}: this program reads version {known}")

    def seconds(self, value, field_name: str) -> float:
        if not finite(value) or value <= 0:
            self.refuse(field_name, f"is {value}, which is no time")
        return float(value)


WORDS = {dict: "object", list: "list", str: "text", int: "whole number"}


def floats_of(path: Path, count: int) -> tuple[float, ...]:
    """Numbers of 32 bits, the least significant byte first. Throws BadInput if there are not as many."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) != 4 * count:
        raise BadInput(f"{path}: it has {len(data)} bytes where {count} samples of 4 bytes are announced")
    return struct.unpack(f"<{count}f", data)

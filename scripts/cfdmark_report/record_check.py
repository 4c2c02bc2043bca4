"""Whether a line is a record that can be used; what is wrong with it otherwise."""

from __future__ import annotations

import math

SCHEMA = 2
READABLE = (1, SCHEMA)
STATUSES = ("ok", "failed", "error", "crashed", "timeout", "not_run")


class BadLine(Exception):
    """One line that cannot be used; the message says what was expected."""


def finite(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise BadLine(message)


def check_record(raw: dict) -> None:
    """Raises BadLine unless the parts that every table relies on are sound."""
    schema = raw.get("schema", 1)
    expect(schema in READABLE, f"schema {schema} is unknown, this report reads schema 1 and {SCHEMA}")
    for key in ("case", "name", "backend", "precision", "method"):
        expect(isinstance(raw.get(key), str) and raw[key] != "", f"`{key}` must be a non-empty string")
    expect(raw.get("kind") in ("kernel", "solver"), "`kind` must be kernel or solver")
    expect(raw.get("status") in STATUSES, f"`status` must be one of {', '.join(STATUSES)}")
    grid = raw.get("grid")
    expect(
        isinstance(grid, list) and len(grid) in (1, 2, 3) and all(isinstance(n, int) and n > 0 for n in grid),
        "`grid` must be a list of one to three positive integers",
    )
    if raw["status"] == "ok":
        check_time(raw.get("time"))


def check_time(time) -> None:
    expect(isinstance(time, dict), "an ok record must have `time`")
    samples = time.get("samples")
    expect(
        isinstance(samples, list) and samples != [] and all(finite(s) and s > 0 for s in samples),
        "`time.samples` must be a non-empty list of positive numbers",
    )
    counts = time.get("processes")
    expect(
        counts is None
        or isinstance(counts, list)
        and all(isinstance(n, int) and n > 0 for n in counts)
        and sum(counts) == len(samples),
        "`time.processes` must count the samples of each process",
    )
    expect(finite(time.get("median")) and time["median"] > 0, "`time.median` must be a positive number")

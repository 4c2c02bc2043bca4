"""Prints results of other programs as lines of records; `cfdmark compare` calls it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cfdmark.program import run_program
from cfdmark.records.machine import digest
from cfdmark.stats.statistics import summary_of

from .read import TIMES, read
from .results import Benchmark, Results

SCHEMA = 2  # of records


def record_of(benchmark: Benchmark, environment: str) -> dict:
    record = {"type": "record", "schema": SCHEMA, "kind": "benchmark", "case": benchmark.case}
    record |= {"environment": environment, "status": benchmark.status}
    if benchmark.entries:
        record["entries"] = list(benchmark.entries)
    if benchmark.status != "ok":
        return {**record, "reason": benchmark.reason}
    time = {"samples": list(benchmark.samples), "steps_per_sample": 1, **summary_of(benchmark.samples)}
    return {**record, "time": time, "counters": benchmark.counters}


def lines_of(results: Results) -> list[dict]:
    """Returns an environment for each place, then the cases. They are of kind `benchmark`, which no file
    stores."""
    lines = [{"type": "warning", "text": text} for text in results.warnings]
    known: set[str] = set()
    for benchmark in results.benchmarks:
        environment = {"type": "environment", "time": results.time or "", **benchmark.place.environment}
        id_of = digest(environment)
        if id_of not in known:
            known.add(id_of)
            lines.append({**environment, "id": id_of})
        lines.append(record_of(benchmark, id_of))
    return lines


def show(path: Path, time: str) -> None:
    """Prints the lines; nothing if the file is not of another program."""
    if results := read(path, time=time):
        for line in lines_of(results):
            print(json.dumps(line))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark foreign", description="Prints others' benchmarks as lines of records.")
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON of Google Benchmark or nvbench")
    parser.add_argument("--time", choices=TIMES, default="auto", help="of Google Benchmark's times; default: auto")

    def act() -> None:
        given = parser.parse_args(words)
        show(given.file, given.time)

    return run_program("cfdmark", act)

"""Others' benchmarks as lines of records, for the comparison; `cfdmark compare` calls it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cfdmark_report.machine import digest
from cfdmark_report.program import run_program
from cfdmark_report.records import BadInput

from .read import read
from .results import Results

SCHEMA = 2  # of records


def lines_of(results: Results) -> list[dict]:
    """An environment for each place, then the cases. They are of kind `benchmark`, and no file keeps them."""
    lines = [{"type": "warning", "text": text} for text in results.warnings]
    known: set[str] = set()
    for benchmark in results.benchmarks:
        environment = {"type": "environment", "time": results.time, **benchmark.place.environment}
        id_of = digest(environment)
        if id_of not in known:
            known.add(id_of)
            lines.append({**environment, "id": id_of})
        record = {"type": "record", "schema": SCHEMA, "kind": "benchmark", "case": benchmark.case}
        record |= {"environment": id_of, "status": benchmark.status}
        if benchmark.status == "ok":
            record["time"] = {"samples": list(benchmark.samples), "steps_per_sample": 1}
        else:
            record["reason"] = benchmark.reason
        lines.append(record)
    return lines


def show(path: Path) -> None:
    results = read(path)
    if results is None:
        raise BadInput(f"{path}: neither Google Benchmark nor nvbench wrote it")
    for line in lines_of(results):
        print(json.dumps(line))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prints others' benchmarks as lines of records.")
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON of Google Benchmark or nvbench")
    return run_program("cfdmark", lambda: show(parser.parse_args(words).file))

"""Points from other programs' benchmarks. A single run has one sample and no interval."""

from __future__ import annotations

from pathlib import Path

from cfdmark.foreign.results import Benchmark, Results
from cfdmark.records.records import BadInput
from cfdmark.stats.statistics import summary_of

from .point import SCHEMA, facts_id, facts_of

HOW_TO_NAME_COMMIT = "name it with --commit, or run Google Benchmark with --benchmark_context=commit=HASH"


def measured(benchmark: Benchmark) -> dict:
    if benchmark.status != "ok":
        return {"status": benchmark.status, "reason": benchmark.reason}
    return {"status": "ok", "samples": len(benchmark.samples), **summary_of(benchmark.samples)}


def point(benchmark: Benchmark, commit: str, time: str) -> tuple[dict, dict]:
    """Returns the point of a benchmark, with its facts."""
    place, facts = benchmark.place, {**facts_of(benchmark.place.environment), **benchmark.facts}
    key = {"case": benchmark.case, "device": place.name, "machine": place.machine, "commit": commit}
    key |= {"dirty": False, "time": time}
    return {"type": "point", "schema": SCHEMA, **key, "facts": facts_id(facts), **measured(benchmark)}, facts


def points(path: Path, results: Results, commit: str | None, warnings: list[str]) -> list[tuple[dict, dict]]:
    """Returns the points of the benchmarks that ran. Aggregates are ignored: the repetitions have all they
    say."""
    warnings += results.warnings
    commit = commit or results.commit
    if not commit:
        raise BadInput(f"{path}: the file does not know its commit: {HOW_TO_NAME_COMMIT}")
    if not results.time:  # nvbench's files have that of the file
        raise BadInput(f"{path}: `context.date` is missing or not a date")
    wrong = [b for b in results.benchmarks if b.status == "error"]
    warnings += [f"{path}: {b.case} is stored without a time: {b.reason}" for b in wrong]
    return [point(b, commit, results.time) for b in results.benchmarks if b.status != "not_run"]

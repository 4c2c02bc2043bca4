"""Points of others' benchmarks. One that was run once has one sample and no interval."""

from __future__ import annotations

from pathlib import Path

from cfdmark_foreign.results import Benchmark, Results
from cfdmark_report.records import BadInput
from cfdmark_report.statistics import sample_interval

from .point import SCHEMA, facts_id


def measured(samples: tuple[float, ...]) -> dict:
    found = sample_interval(samples)
    point = {"status": "ok", "median": found.value, "samples": len(samples)}
    if found.has_interval:
        point |= {"ci_low": found.low, "ci_high": found.high}
    return point


def point(benchmark: Benchmark, commit: str, time: str) -> dict:
    place = benchmark.place
    return {
        "type": "point",
        "schema": SCHEMA,
        "case": benchmark.case,
        "device": place.name,
        "machine": place.machine,
        "commit": commit,
        "dirty": False,
        "time": time,
        "facts": facts_id(place.facts),
        **(measured(benchmark.samples) if benchmark.status == "ok" else {"status": benchmark.status, "reason": benchmark.reason}),
    }


def points(path: Path, results: Results, commit: str | None, warnings: list[str]) -> list[tuple[dict, dict]]:
    """Of each benchmark that ran a point, each with its facts; aggregates say nothing that the repetitions do not."""
    warnings += results.warnings
    commit = commit or results.commit
    if not commit:
        raise BadInput(f"{path}: the file does not know its commit: {results.how_to_name_commit}")
    ran = [b for b in results.benchmarks if b.status != "not_run"]
    return [(point(b, commit, results.time), b.place.facts) for b in ran]

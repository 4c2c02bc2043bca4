"""Points from other programs' benchmarks. A single run has one sample and no interval."""

from __future__ import annotations

from pathlib import Path

from cfdmark.foreign.results import Benchmark, Results
from cfdmark.records.records import BadInput
from cfdmark.stats.statistics import summary_of

from .point import SCHEMA, facts_id


def measured(samples: tuple[float, ...]) -> dict:
    return {"status": "ok", "samples": len(samples), **summary_of(samples)}


def facts_of(benchmark: Benchmark) -> dict[str, str]:
    return {**benchmark.place.facts, **benchmark.facts}


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
        "facts": facts_id(facts_of(benchmark)),
        **(measured(benchmark.samples) if benchmark.status == "ok" else {"status": benchmark.status, "reason": benchmark.reason}),
    }


def points(path: Path, results: Results, commit: str | None, warnings: list[str]) -> list[tuple[dict, dict]]:
    """Returns a point for each benchmark that ran, with its facts. Aggregates are ignored: the repetitions
    have all they say."""
    warnings += results.warnings
    commit = commit or results.commit
    if not commit:
        raise BadInput(f"{path}: the file does not know its commit: {results.how_to_name_commit}")
    if not results.time:
        raise BadInput(results.why_no_time)
    wrong = [b for b in results.benchmarks if b.status == "error"]
    warnings += [f"{path}: {b.case} is stored without a time: {b.reason}" for b in wrong]
    ran = [b for b in results.benchmarks if b.status != "not_run"]
    return [(point(b, commit, results.time), facts_of(b)) for b in ran]

"""Points of others' benchmarks: what Google Benchmark writes with --benchmark_out_format=json.

Each repetition is a sample. A benchmark that was run once has one sample and no interval.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from cfdmark_report.machine import digest
from cfdmark_report.record_check import finite
from cfdmark_report.records import BadInput, read_text
from cfdmark_report.statistics import FEWEST_FOR_INTERVAL, sample_interval

from .point import SCHEMA, facts_id

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
FACTS = {"library_build_type": "build of the library", "library_version": "Google Benchmark", "mhz_per_cpu": "clock"}


def read(path: Path) -> dict | None:
    """The file's content if it is one of Google Benchmark's; None of anything else."""
    text = read_text(path)
    if not text.lstrip().startswith("{"):
        return None
    try:
        whole = json.loads(text)
    except ValueError:
        return None  # records are one object a line
    return whole if isinstance(whole, dict) and isinstance(whole.get("benchmarks"), list) else None


def utc(path: Path, context: dict) -> str:
    try:
        return datetime.fromisoformat(context["date"]).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}: `date` of its context is missing or no time") from error


def of_every_point(path: Path, context: dict, commit: str | None, machine: str | None) -> tuple[dict, dict]:
    commit = commit or context.get("commit")
    if not commit:
        raise BadInput(
            f"{path}: a file of Google Benchmark does not know its commit: name it with --commit, or run the benchmarks"
            " with --benchmark_context=commit=HASH"
        )
    facts = {name: str(context[key]) for key, name in FACTS.items() if context.get(key) not in (None, "")}
    name = machine or digest([context.get("host_name")])
    device = f"{machine or 'host ' + name[:6]}, {context.get('num_cpus', '?')} cores"
    common = {"device": device, "machine": name, "commit": commit, "dirty": False}
    return {**common, "time": utc(path, context), "facts": facts_id(facts)}, facts


def seconds(path: Path, run: dict) -> float:
    unit, value = run.get("time_unit", "ns"), run.get("real_time")
    if unit not in UNITS or not finite(value) or value <= 0:
        raise BadInput(f"{path}: {run.get('name')}: `real_time` {value} {unit} is no time")
    return value * UNITS[unit]


def measured(samples: list[float]) -> dict:
    found = sample_interval(tuple(samples))
    point = {"status": "ok", "median": found.value, "samples": len(samples)}
    if len(samples) >= FEWEST_FOR_INTERVAL:
        point |= {"ci_low": found.low, "ci_high": found.high}
    return point


def points(path: Path, whole: dict, commit: str | None, machine: str | None) -> list[tuple[dict, dict]]:
    """Of each benchmark a point, each with its facts; aggregates say nothing that the repetitions do not."""
    context, runs = whole.get("context"), whole["benchmarks"]
    if not isinstance(context, dict) or not all(isinstance(run, dict) for run in runs):
        raise BadInput(f"{path}: `context` is no object, or one of `benchmarks` is none")
    common, facts = of_every_point(path, context, commit, machine)
    samples: dict[str, list[float]] = {}
    wrong: dict[str, str] = {}
    for run in runs:
        name = str(run.get("run_name") or run.get("name"))
        if run.get("error_occurred"):
            wrong[name] = str(run.get("error_message") or "it says no more")
        elif run.get("run_type", "iteration") == "iteration":
            samples.setdefault(name, []).append(seconds(path, run))
    if runs and not samples and not wrong:
        raise BadInput(f"{path}: it has aggregates alone: run without --benchmark_report_aggregates_only")
    ended = {name: measured(mine) for name, mine in samples.items() if name not in wrong}
    ended |= {name: {"status": "error", "reason": reason} for name, reason in wrong.items()}
    head = {"type": "point", "schema": SCHEMA}
    return [({**head, "case": name, **common, **ending}, facts) for name, ending in ended.items()]

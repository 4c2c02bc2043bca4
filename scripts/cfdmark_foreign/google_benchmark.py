"""What Google Benchmark writes with --benchmark_out_format=json. Each repetition is a sample."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

from cfdmark_report.machine import digest
from cfdmark_report.records import BadInput

from .results import Benchmark, Place, Reader, Results

SCHEMA = 1  # of files that name it
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
FACTS = {"library_build_type": "build of the library", "library_version": "Google Benchmark", "mhz_per_cpu": "clock"}
HOW_TO_NAME_COMMIT = "name it with --commit, or run the benchmarks with --benchmark_context=commit=HASH"


def is_one(whole: dict) -> bool:
    return isinstance(whole.get("context"), dict)


def utc(reader: Reader, context: dict) -> str:
    try:
        return datetime.fromisoformat(context["date"]).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (KeyError, TypeError, ValueError):
        reader.refuse("context.date", "is missing or no time")


def place_of(context: dict, machine: str | None) -> Place:
    name, cores = digest([context.get("host_name")]), context.get("num_cpus")
    host = {"name_hash": name[:8], **({"cores": cores} if isinstance(cores, int) else {})}
    library = ", ".join(str(context[key]) for key in ("library_version", "library_build_type") if context.get(key))
    return Place(
        f"{machine or 'host ' + name[:6]}, {cores if isinstance(cores, int) else '?'} cores",
        machine or name,
        {"host": host, **({"libraries": {"Google Benchmark": library}} if library else {})},
        {name: str(context[key]) for key, name in FACTS.items() if context.get(key) not in (None, "")},
    )


def seconds(reader: Reader, run: dict) -> float:
    unit, value = run.get("time_unit", "ns"), run.get("real_time")
    if not isinstance(unit, str) or unit not in UNITS:
        reader.refuse(f"time_unit of {run.get('name')}", f"is {unit}: expected one of {', '.join(UNITS)}")
    return reader.seconds(value, f"real_time of {run.get('name')}") * UNITS[unit]


def read(path: Path, whole: dict, machine: str | None) -> Results:
    reader = Reader(path)
    context = reader.member(whole, "context", dict, "")
    if "json_schema_version" in context:
        reader.version(context["json_schema_version"], SCHEMA, "context.json_schema_version")
    samples: dict[str, list[float]] = {}
    wrong: dict[str, tuple[str, str]] = {}
    runs = reader.objects(whole, "benchmarks", "")
    for run in runs:
        name = str(run.get("run_name") or run.get("name"))
        if run.get("error_occurred"):
            wrong[name] = "error", str(run.get("error_message") or "it says no more")
        elif run.get("skipped"):
            wrong[name] = "not_run", str(run.get("skip_message") or "it was skipped and says no more")
        elif run.get("run_type", "iteration") == "iteration":
            samples.setdefault(name, []).append(seconds(reader, run))
    if runs and not samples and not wrong:
        raise BadInput(f"{path}: it has aggregates alone: run without --benchmark_report_aggregates_only")
    place = place_of(context, machine)
    found = [Benchmark(name, place, tuple(mine)) for name, mine in samples.items() if name not in wrong]
    found += [Benchmark(name, place, (), status, reason) for name, (status, reason) in wrong.items()]
    commit = context.get("commit")
    return Results(utc(reader, context), found, str(commit) if commit else None, HOW_TO_NAME_COMMIT)

"""Reads the JSON of Google Benchmark (--benchmark_out_format=json), version 1.5 of 2019 and later. Each
repetition is a sample.

User counters are members of an entry and may have the names of its fields. The field comes first, and
json_text.py keeps the first. A counter is a number: never a text or a flag.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

from cfdmark.records.machine import digest
from cfdmark.records.records import BadInput

from .json_text import json_text
from .results import Benchmark, Names, Odd, Place, Reader, Results, seconds

SCHEMA = 1  # version in files that have one
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
ON_THE_WALL = {"real_time", "manual_time"}  # parts of a benchmark's name that select another time than CPU time


def is_one(whole: dict) -> bool:
    return isinstance(whole.get("context"), dict)


def utc(context: dict) -> str | None:
    """Returns the date in UTC; one without a time zone is local time."""
    try:
        return datetime.fromisoformat(context["date"]).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def place_of(context: dict, machine: str | None) -> Place:
    name, cores = digest([context.get("host_name")]), context.get("num_cpus")
    host = {"name_hash": name[:8], **({"cores": cores} if isinstance(cores, int) else {})}
    library = ", ".join(str(context[key]) for key in ("library_version", "library_build_type") if context.get(key))
    called = machine or (f"host {name[:6]}" if context.get("host_name") else "unknown host")
    libraries = {"libraries": {"Google Benchmark": library}} if library else {}
    return Place(
        f"{called}, {cores if isinstance(cores, int) else '?'} cores",
        machine or name,
        {"host": host, **libraries, "google_benchmark": json_text(context)},
    )


def clock_of(name: str, entry: dict, wanted: str) -> str:
    """Returns the field with the time that counts. `auto` is CPU time, as Google Benchmark itself uses,
    unless the name shows that the benchmark was registered for real or manual time."""
    if wanted != "auto":
        return f"{wanted}_time"
    on_the_wall = ON_THE_WALL & set(name.split("/"))
    return "real_time" if on_the_wall or "cpu_time" not in entry else "cpu_time"


def time_of(entry: dict, clock: str) -> float:
    unit = entry.get("time_unit")
    if not isinstance(unit, str) or unit not in UNITS:
        raise Odd(f"`time_unit` is {unit}: expected one of {', '.join(UNITS)}")
    return seconds(entry.get(clock), clock) * UNITS[unit]


def groups_of(reader: Reader, entries: list[dict]) -> tuple[list[tuple], dict[str, dict[str, dict]]]:
    """Returns name and repetitions of each benchmark, and the aggregates by name and kind. Benchmarks of one
    name differ in family and instance, or have the same repetition."""
    groups: dict[tuple, list[dict]] = {}
    aggregates: dict[str, dict[str, dict]] = {}
    seen: Counter = Counter()
    for n, entry in enumerate(entries):
        name = reader.member(entry, "run_name" if "run_name" in entry else "name", str, f"benchmarks[{n}].")
        if entry.get("run_type") == "aggregate":
            aggregates.setdefault(name, {})[str(entry.get("aggregate_name"))] = entry
            continue
        if entry.get("run_type") != "iteration":
            reader.refuse(f"benchmarks[{n}].run_type", "is neither iteration nor aggregate, as since version 1.5")
        identity = (name, str(entry.get("family_index")), str(entry.get("per_family_instance_index")))
        repetition = (*identity, str(entry["repetition_index"])) if "repetition_index" in entry else None
        groups.setdefault((*identity, seen[repetition]), []).append(entry)
        seen[repetition] += repetition is not None
    return [(name, group) for (name, *_), group in groups.items()], aggregates


def verdict(entries: list[dict]) -> tuple[str, str]:
    """Returns status and reason. One failed repetition fails the benchmark."""
    for entry in entries:
        if entry.get("error_occurred") is True:
            return "error", str(entry.get("error_message") or "no message")
    for entry in entries:
        if entry.get("skipped") is True:
            return "not_run", str(entry.get("skip_message") or "it was skipped without a message")
    return "ok", ""


def benchmark_of(name: str, entries: list[dict], case: str, place: Place, wanted: str) -> Benchmark:
    status, reason = verdict(entries)
    samples: tuple[float, ...] = ()
    clock = clock_of(name, entries[0], wanted)
    if status == "ok":
        try:
            samples = tuple(time_of(entry, clock) for entry in entries)
        except Odd as problem:
            status, reason = "error", str(problem)
    passed_on = tuple(map(json_text, entries))
    return Benchmark(case, place, samples, status, reason, {"time": clock.removesuffix("_time")}, passed_on)


def read(path: Path, whole: dict, machine: str | None, wanted: str) -> Results:
    reader, context = Reader(path), whole["context"]
    if "json_schema_version" in context:
        reader.version(context["json_schema_version"], SCHEMA, "context.json_schema_version")
    groups, aggregates = groups_of(reader, reader.objects(whole, "benchmarks", ""))
    if aggregates and not groups:
        raise BadInput(f"{path}: it has aggregates alone: run without --benchmark_report_aggregates_only")
    place, names = place_of(context, machine), Names()
    found = [benchmark_of(name, entries, names.own(name), place, wanted) for name, entries in groups]
    middles = ((name, of.get("median") or of.get("mean")) for name, of in aggregates.items())
    alone = {name: middle for name, middle in middles if middle and name not in names.counts}
    found += [benchmark_of(name, [middle], name, place, wanted) for name, middle in alone.items()]
    commit = context.get("commit")
    warnings = names.warnings(path)
    if alone:
        which = f"of {len(alone)} benchmarks it has aggregates alone, the first {next(iter(alone))}"
        warnings.append(f"{path}: {which}: their medians count as one sample each")
    return Results(found, utc(context), commit if isinstance(commit, str) else None, warnings)

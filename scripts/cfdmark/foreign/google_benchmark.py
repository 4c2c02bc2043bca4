"""Reads the JSON of Google Benchmark (--benchmark_out_format=json), every version since 1.0. Each repetition
is a sample."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from cfdmark.records.machine import digest
from cfdmark.records.records import BadInput

from . import google_entries
from .google_entries import Entry
from .json_text import json_text
from .results import Benchmark, Names, Odd, Place, Reader, Results, seconds

SCHEMA = 1  # version in files that have one
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# The first form is the current one; before 1.6 the date had no time zone and one of the other forms.
DATES = ("%Y-%m-%d %H:%M:%S", "%m/%d/%y %H:%M:%S", "%Y/%m/%d-%H:%M:%S")
FACTS = {"library_build_type": "build of the library", "library_version": "Google Benchmark", "mhz_per_cpu": "clock"}
HOW_TO_NAME_COMMIT = "name it with --commit, or run the benchmarks with --benchmark_context=commit=HASH"
ON_THE_WALL = {"real_time", "manual_time"}  # parts of a benchmark's name that select another time than CPU time


def is_one(whole: dict) -> bool:
    return isinstance(whole.get("context"), dict)


def date_of(text) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        for form in DATES:
            try:
                return datetime.strptime(text.strip(), form)
            except ValueError:
                continue
        raise


def utc(context: dict) -> str | None:
    """Returns the date in UTC; one without a time zone is local time."""
    try:
        return date_of(context["date"]).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
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
        {name: str(context[key]) for key, name in FACTS.items() if context.get(key) not in (None, "")},
    )


def clock_of(name: str, entry: Entry, wanted: str) -> str:
    """Returns the field with the time that counts. `auto` is CPU time, as Google Benchmark itself uses,
    unless the name shows that the benchmark was registered for real or manual time."""
    if wanted != "auto":
        return f"{wanted}_time"
    on_the_wall = ON_THE_WALL & set(name.split("/"))
    return "real_time" if on_the_wall or "cpu_time" not in entry.raw else "cpu_time"


def time_of(entry: Entry, clock: str) -> float:
    unit = entry.raw.get("time_unit", "ns")  # 1.0 has nanoseconds alone
    if not isinstance(unit, str) or unit not in UNITS:
        raise Odd(f"`time_unit` is {unit}: expected one of {', '.join(UNITS)}")
    return seconds(entry.raw.get(clock), clock) * UNITS[unit]


@dataclass
class Group:
    """Entries of one benchmark. Two benchmarks may have the same name."""

    name: str
    identity: tuple[int, int] | None = None  # family and instance, if the version writes them
    repetitions: set[int] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)

    def takes(self, entry: Entry) -> bool:
        return self.identity == entry.identity and (entry.repetition is None or entry.repetition not in self.repetitions)

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        if entry.repetition is not None:
            self.repetitions.add(entry.repetition)


def groups_of(entries: list[Entry]) -> list[Group]:
    """Groups entries by name, family and instance, such that no group has a repetition twice."""
    found: dict[str, list[Group]] = {}
    for entry in entries:
        mine = found.setdefault(entry.name, [])
        group = next((group for group in reversed(mine) if group.takes(entry)), None)
        if group is None:
            group = Group(entry.name, entry.identity)
            mine.append(group)
        group.add(entry)
    return [group for groups in found.values() for group in groups]


def verdict(entries: list[Entry]) -> tuple[str, str]:
    """Returns status and reason. One failed repetition fails the benchmark."""
    for entry in entries:
        if entry.raw.get("error_occurred") is True:  # a counter of that name is a number
            return "error", str(entry.raw.get("error_message") or "no message")
    for entry in entries:
        if entry.raw.get("skipped") is True:
            return "not_run", str(entry.raw.get("skip_message") or "it was skipped without a message")
    return "ok", ""


def benchmark_of(group: Group, case: str, place: Place, wanted: str) -> Benchmark:
    status, reason = verdict(group.entries)
    samples: tuple[float, ...] = ()
    clock = clock_of(group.name, group.entries[0], wanted)
    if status == "ok":
        try:
            samples = tuple(time_of(entry, clock) for entry in group.entries)
        except Odd as problem:
            status, reason = "error", str(problem)
    entries = tuple(json_text(entry.raw) for entry in group.entries)
    return Benchmark(case, place, samples, status, reason, {"time": clock.removesuffix("_time")}, entries)


def from_aggregates(aggregates: dict[str, Entry], name: str, place: Place, wanted: str) -> Benchmark | None:
    """Returns a benchmark without repetitions in the file: its median, or its mean, is one sample."""
    entry = aggregates.get("median") or aggregates.get("mean")
    if entry is None:
        return None
    return benchmark_of(Group(name, entries=[entry]), name, place, wanted)


def read(path: Path, whole: dict, machine: str | None, wanted: str) -> Results:
    reader = Reader(path)
    context = reader.member(whole, "context", dict, "")
    if "json_schema_version" in context:
        reader.version(context["json_schema_version"], SCHEMA, "context.json_schema_version")
    runs, aggregates = google_entries.sorted_out(reader.objects(whole, "benchmarks", ""))
    if aggregates and not runs:
        raise BadInput(f"{path}: it has aggregates alone: run without --benchmark_report_aggregates_only")
    place, names = place_of(context, machine), Names()
    found = [benchmark_of(group, names.own(group.name), place, wanted) for group in groups_of(runs)]
    alone = [from_aggregates(of, name, place, wanted) for name, of in aggregates.items() if name not in names.counts]
    alone = [benchmark for benchmark in alone if benchmark]
    commit = context.get("commit")
    results = Results([*found, *alone], utc(context), f"{path}: `context.date` is missing or not a date")
    results.commit = commit if isinstance(commit, str) and commit else None
    results.how_to_name_commit = HOW_TO_NAME_COMMIT
    results.warnings = names.warnings(path)
    if alone:
        results.warnings.append(
            f"{path}: of {len(alone)} benchmarks it has aggregates alone, the first {alone[0].case}: their medians count as"
            " one sample each"
        )
    return results

"""Reads the JSON of nvbench (--json or --jsonbin). With --jsonbin each sample counts; --json has only their
mean, which counts as one sample.

Files before 2022 have no version. Their axis values, states and summaries are objects by name, or lists with
`values`,
and the summaries have other names.
"""

from __future__ import annotations

import math
from datetime import datetime, timezone
from pathlib import Path

from cfdmark.records.machine import digest

from . import sample_file
from .results import Benchmark, Names, Odd, Place, Reader, Results, seconds

MAJOR = 1  # version of the file format
# Tags of summaries; the first that a state has counts: isolated launches on the device, or runs on the host only.
SAMPLES = ("nv/json/bin:nv/cold/sample_times", "nv/json/bin:nv/cpu_only/sample_times")
MEANS = ("nv/cold/time/gpu/mean", "nv/cpu_only/time/cpu/mean", "Average GPU Time (Cold)")


def is_one(whole: dict) -> bool:
    """True for nvbench. Files without a version have `devices` and no `meta`."""
    return isinstance(whole.get("meta"), dict) or "devices" in whole


def check_version(reader: Reader, whole: dict) -> str:
    """Returns nvbench's own version, if the file has it."""
    if "meta" not in whole:
        return ""
    at = whole
    for key in ("meta", "version", "json", "major"):
        at = at.get(key) if isinstance(at, dict) else None
    reader.version(at, MAJOR, "meta.version.json.major")
    own = whole["meta"]["version"].get("nvbench")
    return str(own.get("string", "")) if isinstance(own, dict) else ""


def place_of(device: dict, version: str, machine: str | None) -> Place:
    name, sm = str(device["name"]), device.get("sm_version")
    gpu = {"name": name}
    if isinstance(sm, int):  # 900 is 9.0
        gpu["compute_capability"] = f"{sm // 100}.{sm % 100 // 10}"
    if isinstance(device.get("number_of_sms"), int):
        gpu["multiprocessors"] = device["number_of_sms"]
    facts = {"GPU": name, **({"nvbench": version} if version else {})}
    return Place(
        name,
        machine or digest([name, device.get("global_memory_size")]),
        {"gpu": gpu, **({"libraries": {"nvbench": version}} if version else {})},
        facts,
    )


def named(listed) -> list[tuple[str, dict]]:
    """Returns items with their names: items of a list by `tag` or `name`, members of an object by key; none
    for null."""
    if isinstance(listed, dict):
        return [(name, thing) for name, thing in listed.items() if isinstance(thing, dict)]
    things = [thing for thing in listed if isinstance(thing, dict)] if isinstance(listed, list) else []
    return [(str(thing.get("tag") or thing.get("name")), thing) for thing in things]


def values_of(summary: dict) -> dict[str, object]:
    """Returns values by name. Numbers are texts, so that no reader rounds them."""
    inside = summary.get("data", summary.get("values", summary))
    return {name: item.get("value") for name, item in named(inside)}


def number(text, field_name: str, kind: type):
    try:
        return kind(text)
    except (TypeError, ValueError, OverflowError):
        raise Odd(f"`{field_name}` is {text!r}: expected a number") from None


def device_of(state: dict) -> int | None:
    """Returns the device's number; None for a run on the host only."""
    device = state.get("device")
    return device if isinstance(device, int) else None


def case_of(name: str, state: dict, several_devices: bool) -> str:
    parts = [f"{axis}={item.get('value')}" for axis, item in named(state.get("axis_values"))]
    if several_devices:
        parts.append(f"device={device_of(state)}")
    return "/".join([name, *parts])


def counters_of(summaries: dict[str, dict]) -> dict[str, float]:
    """Returns every summary that is a single number."""
    found = {}
    for tag, summary in summaries.items():
        try:
            value = float(values_of(summary)["value"])
        except (KeyError, TypeError, ValueError):
            continue
        if math.isfinite(value):
            found[tag] = value
    return found


class Samples:
    """Samples of a state, from its file of samples or from its mean."""

    def __init__(self, path: Path):
        self.path = path
        self.lost: list[str] = []  # cases whose file of samples is missing

    def of_file_beside(self, summary: dict, case: str) -> tuple[float, ...] | None:
        values = values_of(summary)
        name = values.get("filename")
        samples = None
        if isinstance(name, str) and name:  # a file that could not be written has no name
            samples = sample_file.samples_of(self.path, name, number(values.get("size"), "size", int))
        if samples is None:
            self.lost.append(f"{name} of {case}" if name else f"that of {case}, which nvbench could not write")
        return samples

    def of(self, summaries: dict[str, dict], case: str) -> tuple[float, ...]:
        for tag in SAMPLES:
            if tag in summaries and (samples := self.of_file_beside(summaries[tag], case)):
                return tuple(seconds(sample, f"a sample of {tag}") for sample in samples)
        for tag in MEANS:
            if tag in summaries:
                return (seconds(number(values_of(summaries[tag]).get("value"), tag, float), tag),)
        raise Odd(f"its summaries have none of {', '.join([*SAMPLES, *MEANS])}")

    def warnings(self) -> list[str]:
        if not self.lost:
            return []
        return [
            f"{self.path}: {len(self.lost)} files of samples are missing next to it, the first {self.lost[0]}: their means count"
            " as one sample each"
        ]


def benchmark_of(state: dict, case: str, place: Place, samples: Samples) -> Benchmark:
    if state.get("is_skipped"):
        return Benchmark(case, place, (), "not_run", str(state.get("skip_reason") or "it was skipped without a message"))
    summaries = dict(named(state.get("summaries")))
    try:
        return Benchmark(case, place, samples.of(summaries, case), counters=counters_of(summaries))
    except Odd as problem:
        return Benchmark(case, place, (), "error", str(problem))


def places_of(reader: Reader, whole: dict, version: str, machine: str | None) -> dict[int, Place]:
    places = {}
    for n, device in enumerate(reader.objects(whole, "devices", "")):
        reader.member(device, "name", str, "devices[].")
        places[device["id"] if isinstance(device.get("id"), int) else n] = place_of(device, version, machine)
    return places


def read(path: Path, whole: dict, machine: str | None, _: str) -> Results:
    reader = Reader(path)
    places = places_of(reader, whole, check_version(reader, whole), machine)
    on_host = Place(machine or "unknown processor", machine or "unknown", {}, {})  # the format has no facts of the host
    samples, names, found = Samples(path), Names(), []
    for n, benchmark in enumerate(reader.objects(whole, "benchmarks", "")):
        name = reader.member(benchmark, "name", str, f"benchmarks[{n}].")
        if not isinstance(benchmark.get("states"), (dict, list, type(None))):
            reader.refuse(f"benchmarks[{name}].states", "is not a list")
        states = [state for _, state in named(benchmark.get("states"))]
        several = len({device_of(state) for state in states}) > 1
        for state in states:
            case = names.own(case_of(name, state, several))
            found.append(benchmark_of(state, case, places.get(device_of(state), on_host), samples))
    # The format has no date; the file's own date is the best approximation.
    time = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Results(found, time, warnings=[*names.warnings(path), *samples.warnings()])

"""Reads the JSON of nvbench (--json or --jsonbin). With --jsonbin each sample counts; --json has only their
mean, which counts as one sample."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from pathlib import Path

from cfdmark.records.machine import digest, part

from . import sample_file
from .results import Benchmark, Names, Odd, Place, Reader, Results, seconds

MAJOR = 1  # version of the file format
# Tags of summaries; the first that a state has counts: isolated launches on the device, or runs on the host only.
SAMPLES = ("nv/json/bin:nv/cold/sample_times", "nv/json/bin:nv/cpu_only/sample_times")
MEANS = ("nv/cold/time/gpu/mean", "nv/cpu_only/time/cpu/mean")


def is_one(whole: dict) -> bool:
    return isinstance(whole.get("meta"), dict)


def check_version(reader: Reader, whole: dict) -> str:
    """Returns nvbench's own version, if the file has it."""
    reader.version(part(part(whole["meta"], "version"), "json").get("major"), MAJOR, "meta.version.json.major")
    return str(part(part(whole["meta"], "version"), "nvbench").get("string", ""))


def place_of(device: dict, version: str, machine: str | None) -> Place:
    name, sm = str(device["name"]), device.get("sm_version")
    gpu = {"name": name}
    if isinstance(sm, int):  # 900 is 9.0
        gpu["compute_capability"] = f"{sm // 100}.{sm % 100 // 10}"
    if isinstance(device.get("number_of_sms"), int):
        gpu["multiprocessors"] = device["number_of_sms"]
    environment = {"gpu": gpu, **({"libraries": {"nvbench": version}} if version else {})}
    return Place(name, machine or digest([name, device.get("global_memory_size")]), environment)


def objects(listed) -> list[dict]:
    """Returns the objects of a list; none for null, as nvbench writes an empty one."""
    return [thing for thing in listed if isinstance(thing, dict)] if isinstance(listed, list) else []


def values_of(summary: dict) -> dict[str, object]:
    """Returns values by name. Numbers are texts, so that no reader rounds them."""
    return {str(item.get("name")): item.get("value") for item in objects(summary.get("data"))}


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
    parts = [f"{axis.get('name')}={axis.get('value')}" for axis in objects(state.get("axis_values"))]
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


def from_file(path: Path, summary: dict, case: str, lost: list[str]) -> tuple[float, ...] | None:
    """Returns the samples in the file that a summary names. If there is none, adds its name to `lost`."""
    values = values_of(summary)
    name = values.get("filename")
    samples = None
    if isinstance(name, str) and name:  # a file that could not be written has no name
        samples = sample_file.samples_of(path, name, number(values.get("size"), "size", int))
    if samples is None:
        lost.append(f"{name} of {case}" if name else f"that of {case}, which nvbench could not write")
    return samples


def samples_of(path: Path, summaries: dict[str, dict], case: str, lost: list[str]) -> tuple[float, ...]:
    for tag in SAMPLES:
        if tag in summaries and (samples := from_file(path, summaries[tag], case, lost)):
            return tuple(seconds(sample, f"a sample of {tag}") for sample in samples)
    for tag in MEANS:
        if tag in summaries:
            return (seconds(number(values_of(summaries[tag]).get("value"), tag, float), tag),)
    raise Odd(f"its summaries have none of {', '.join([*SAMPLES, *MEANS])}")


def benchmark_of(path: Path, state: dict, case: str, place: Place, lost: list[str]) -> Benchmark:
    if state.get("is_skipped"):
        return Benchmark(case, place, (), "not_run", str(state.get("skip_reason") or "it was skipped without a message"))
    summaries = {str(summary.get("tag")): summary for summary in objects(state.get("summaries"))}
    try:
        samples = samples_of(path, summaries, case, lost)
        return Benchmark(case, place, samples, counters=counters_of(summaries))
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
    on_host = Place(machine or "unknown processor", machine or "unknown", {})  # the format does not describe it
    lost, names, found = [], Names(), []
    for n, benchmark in enumerate(reader.objects(whole, "benchmarks", "")):
        name = reader.member(benchmark, "name", str, f"benchmarks[{n}].")
        states = reader.objects(benchmark, "states", f"benchmarks[{name}].")
        several = len({device_of(state) for state in states}) > 1
        for state in states:
            case = names.own(case_of(name, state, several))
            found.append(benchmark_of(path, state, case, places.get(device_of(state), on_host), lost))
    # The format has no date; the file's own date is the best approximation.
    time = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    warnings = names.warnings(path)
    if lost:
        which = f"{len(lost)} files of samples are missing next to it, the first {lost[0]}"
        warnings.append(f"{path}: {which}: their means count as one sample each")
    return Results(found, time, warnings=warnings)

"""What nvbench writes with --json or --jsonbin. With --jsonbin each sample is one; --json alone keeps their mean, which
is one sample."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

from cfdmark_report.machine import digest
from cfdmark_report.records import BadInput

from .results import Benchmark, Place, Reader, Results, floats_of

MAJOR = 1  # version of the file format
# Summaries by tag, the first that a state has: of isolated launches on the device, or of what runs on the host only.
SAMPLES = ("nv/json/bin:nv/cold/sample_times", "nv/json/bin:nv/cpu_only/sample_times")
MEANS = ("nv/cold/time/gpu/mean", "nv/cpu_only/time/cpu/mean")


def is_one(whole: dict) -> bool:
    """Files from before the format had a version have `devices` and no `meta`."""
    return isinstance(whole.get("meta"), dict) or isinstance(whole.get("devices"), list)


def check_version(reader: Reader, whole: dict) -> str:
    """Returns nvbench's own version, if the file says it."""
    at = whole
    for key in ("meta", "version", "json", "major"):
        at = at.get(key) if isinstance(at, dict) else None
    if at is None:
        reader.refuse("meta.version.json.major", "is missing: nvbench's files from before they had a version are not read")
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


def values_of(reader: Reader, summary: dict) -> dict[str, object]:
    """Numbers stand in text, so that no reader rounds them."""
    data = reader.objects(summary, "data", "summaries[].", may_be_null=True)
    return {reader.member(item, "name", str, "data[]."): item.get("value") for item in data}


def number(reader: Reader, text, field_name: str, kind: type):
    try:
        return kind(text)
    except (TypeError, ValueError):
        reader.refuse(field_name, f"is {text!r}: expected a number")


def device_of(reader: Reader, state: dict) -> int | None:
    """Its number; None of what runs on the host only."""
    return None if state.get("device") is None else reader.member(state, "device", int, "states[].")


def case_of(reader: Reader, name: str, state: dict, several_devices: bool) -> str:
    axes = reader.objects(state, "axis_values", f"states of {name}.", may_be_null=True)
    parts = [f"{axis.get('name')}={axis.get('value')}" for axis in axes]
    if several_devices:
        parts.append(f"device={device_of(reader, state)}")
    return "/".join([name, *parts])


class Samples:
    """The samples of a state, from the file beside or from its mean."""

    def __init__(self, reader: Reader):
        self.reader = reader
        self.lost: list[str] = []  # files beside that are not there

    def of_file_beside(self, summary: dict, where: str) -> tuple[float, ...] | None:
        values = values_of(self.reader, summary)
        size = number(self.reader, values.get("size"), f"{where} size", int)
        name = Path(str(values.get("filename")))
        folder = self.reader.path.parent
        for path in (folder / name, folder.parent / name):  # older ones are relative to where the program ran
            if path.exists():
                samples = floats_of(path, size)
                return tuple(self.reader.seconds(sample, f"a sample in {path}") for sample in samples)
        self.lost.append(str(name))
        return None

    def of(self, state: dict, case: str) -> tuple[float, ...]:
        listed = self.reader.objects(state, "summaries", f"{case}.", may_be_null=True)
        summaries = {self.reader.member(s, "tag", str, f"summaries of {case}[]."): s for s in listed}
        for tag in SAMPLES:
            if tag in summaries and (samples := self.of_file_beside(summaries[tag], f"{case}: {tag}")):
                return samples
        for tag in MEANS:
            if tag in summaries:
                value = number(self.reader, values_of(self.reader, summaries[tag]).get("value"), f"{case}: {tag}", float)
                return (self.reader.seconds(value, f"{case}: {tag}"),)
        self.reader.refuse(f"summaries of {case}", f"has none of {', '.join([*SAMPLES, *MEANS])}")


def read(path: Path, whole: dict, machine: str | None) -> Results:
    reader = Reader(path)
    version = check_version(reader, whole)
    places = {}
    for device in reader.objects(whole, "devices", "", may_be_null=True):
        reader.member(device, "name", str, "devices[].")
        places[reader.member(device, "id", int, "devices[].")] = place_of(device, version, machine)
    on_host = Place(machine or "unknown processor", machine or "unknown", {}, {})  # no file says more of it
    samples, found = Samples(reader), {}
    for benchmark in reader.objects(whole, "benchmarks", ""):
        name = reader.member(benchmark, "name", str, "benchmarks[].")
        states = reader.objects(benchmark, "states", f"benchmarks[{name}].")
        several = len({device_of(reader, state) for state in states}) > 1
        for state in states:
            case, place = case_of(reader, name, state, several), places.get(device_of(reader, state), on_host)
            if case in found:
                raise BadInput(f"{path}: {case} stands in it twice")
            if state.get("is_skipped"):
                reason = str(state.get("skip_reason") or "it was skipped and says no more")
                found[case] = Benchmark(case, place, (), "not_run", reason)
            else:
                found[case] = Benchmark(case, place, samples.of(state, case))
    # The format holds no date: that of the file is the nearest.
    time = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    results = Results(time, list(found.values()))
    if samples.lost:
        results.warnings.append(
            f"{path}: {len(samples.lost)} files of samples are not beside it, the first {samples.lost[0]}: their means count"
            " as one sample each"
        )
    return results

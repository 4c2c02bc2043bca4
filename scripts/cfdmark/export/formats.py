"""Recorded spaces in the formats that autotuners share: T1 describes a space, T4 its results.

A space has its `name`, the `environment` line, the `default` among its candidates, the `kernel_file` of its
device code,
and `candidates`: the records, each with `ended`, its outcome in the terms of a search.
"""

from __future__ import annotations

import os
from pathlib import Path

from cfdmark.places import ROOT
from cfdmark.records.records import BadInput

INVALIDITY = {
    "ok": "correct",
    "constraint": "constraints",
    "compile_error": "compile",
    "wrong_result": "correctness",
    "timeout": "timeout",
}


def parameters_of(space: dict) -> dict:
    """Returns the parameters of all methods in order of occurrence, with the value for methods that lack
    them: 0, or an empty text."""
    found: dict = {}
    for candidate in space["candidates"]:
        for name, value in candidate["config"].items():
            found.setdefault(name, "" if isinstance(value, str) else 0)
    return found


def configuration(candidate: dict, parameters: dict) -> dict:
    return {"method": candidate["method"], **parameters, **candidate["config"]}


def type_of(values: set) -> str:
    if any(isinstance(value, str) for value in values):
        return "string"
    return "float" if any(isinstance(value, float) for value in values) else "int"


def values_of(configurations: list[dict]) -> dict[str, list]:
    """Returns values by parameter, numbers before texts."""
    found = {name: {c[name] for c in configurations} for name in configurations[0]}
    return {name: sorted(values, key=lambda value: (isinstance(value, str), value)) for name, values in found.items()}


def tuning_parameters(space: dict, configurations: list[dict]) -> list[dict]:
    default = configurations[space["default"]]
    return [
        {"Name": name, "Type": type_of(set(values)), "Values": str(values), "Default": default[name]}
        for name, values in values_of(configurations).items()
    ]


def condition(configurations: list[dict]) -> dict:
    """Returns a condition by membership: our constraints are functions, not expressions."""

    def listed(words) -> str:
        return "(" + " ".join(f"{word}," for word in words) + ")"

    names = list(configurations[0])
    members = ", ".join(listed(repr(value) for value in c.values()) for c in configurations)
    return {"Parameters": names, "Expression": f"{listed(names)} in [{members}]"}


def device_name(space: dict) -> str:
    environment = space["environment"] or {}
    if space["candidates"][0]["backend"] == "cuda":
        return environment.get("gpu", {}).get("name", "unknown")
    return environment.get("host", {}).get("cpu", "unknown")


def kernel_file(space: dict, folder: Path) -> str:
    """Returns the path of the kernel's source relative to the T1 file, as Kernel Tuner requires; its name if
    the sources are missing."""
    source = ROOT / space["kernel_file"]
    return os.path.relpath(source, folder.resolve()) if source.is_file() else space["kernel_file"]


def t1(space: dict, folder: Path = Path(), cache: str | None = None) -> dict:
    """Returns the description of a space. `folder` is that of the T1 file; `cache` names a file with the
    times in Kernel Tuner's format.

    `Arguments` is empty: the kernels are templates of this project, which other tuners can replay but not
    compile.
    """
    record = space["candidates"][0]
    if record["backend"] != "cuda":
        why = "it knows CUDA, OpenCL and Vulkan only; T4 and --cache can"
        raise BadInput(f"{space['name']} cannot be written as T1: {why}")
    if "grid" not in record:
        raise BadInput(f"{space['name']} cannot be written as T1: its problem sizes are those of grids; T4 and --cache can")
    parameters = parameters_of(space)
    configurations = [configuration(c, parameters) for c in space["candidates"]]
    sides = list(record["grid"])
    blocks = [f"block_{axis}" if f"block_{axis}" in parameters else "1" for axis in "xyz"]
    return {
        "General": {"FormatVersion": 1, "TimeUnit": "Seconds", "OutputFormat": "JSON"},
        "ConfigurationSpace": {
            "TuningParameters": tuning_parameters(space, configurations),
            "Conditions": [condition(configurations)],
        },
        "Search": {"Name": "brute_force"},
        "KernelSpecification": {
            "Language": "CUDA",
            "KernelName": record["name"],
            "KernelFile": kernel_file(space, folder),
            "Device": {"Name": device_name(space)},
            "ProblemSize": sides,
            "Arguments": [],
            "GlobalSizeType": "OpenCL",  # counted in points, not in blocks
            "GlobalSize": dict(zip("XYZ", [*map(str, sides), "1", "1"])),
            "LocalSize": dict(zip("XYZ", blocks)),
            **({"SimulationInput": cache} if cache else {}),
        },
    }


def result(candidate: dict, parameters: dict, environment: dict) -> dict:
    overhead = candidate.get("overhead", {})
    ok = candidate["ended"] == "ok"
    samples = candidate["time"]["samples"] if ok else []
    made = {
        "configuration": configuration(candidate, parameters),
        "objectives": ["time"],
        "times": {
            "compilation_time": overhead.get("prepare", 0.0),
            "runtimes": samples,
            "framework": overhead.get("warm_up", 0.0),
            "search_algorithm": 0.0,
            "validation": overhead.get("verify", 0.0),
        },
        "invalidity": INVALIDITY.get(candidate["ended"], "runtime"),
        "correctness": int(ok),
        "measurements": [{"name": "time", "value": candidate["time"]["median"], "unit": "s"}] if samples else [],
    }
    return {**made, "timestamp": environment["time"]} if "time" in environment else made


def t4(space: dict) -> dict:
    environment = space["environment"] or {}
    metadata = {"autotuner": "cfdmark", "autotuner_version": space["version"], "timeunit": "seconds"}
    if space["candidates"][0]["backend"] == "cuda":
        metadata["compute_api"] = "CUDA"
    metadata["device"] = device_name(space)
    if "time" in environment:
        metadata["timestamp"] = environment["time"]
    parameters = parameters_of(space)
    results = [result(c, parameters, environment) for c in space["candidates"]]
    return {"schema_version": "1.1.0", "metadata": metadata, "results": results}

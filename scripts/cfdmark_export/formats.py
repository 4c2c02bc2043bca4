"""Recorded spaces in the formats that autotuners share: T1 describes a space, T4 its results.

A space has its `name`, the `environment` line, the `default` among its candidates, the `kernel_file` of its
device code, and `candidates`: the records, each with `ended`, how it ended in the words of a search.
"""

from __future__ import annotations

from statistics import median

from cfdmark_report.records import BadInput

INVALIDITY = {
    "ok": "correct",
    "constraint": "constraints",
    "compile_error": "compile",
    "wrong_result": "correctness",
    "timeout": "timeout",
}


def parameters_of(space: dict) -> dict:
    """Of all methods, each once, in the order in which they occur, with what stands where a method lacks it:
    0, or no word."""
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


def tuning_parameters(space: dict, configurations: list[dict]) -> list[dict]:
    default = configurations[space["default"]]
    values = {name: {c[name] for c in configurations} for name in default}
    return [
        {
            "Name": name,
            "Type": type_of(values[name]),
            "Values": str(sorted(values[name], key=lambda value: (isinstance(value, str), value))),
            "Default": default[name],
        }
        for name in default
    ]


def condition(configurations: list[dict]) -> dict:
    """Membership, since our constraints are functions and not expressions: exact, whatever they are."""

    def listed(words) -> str:
        return "(" + " ".join(f"{word}," for word in words) + ")"

    names = list(configurations[0])
    members = ", ".join(listed(repr(value) for value in c.values()) for c in configurations)
    return {"Parameters": names, "Expression": f"{listed(names)} in [{members}]"}


def t1(space: dict) -> dict:
    record = space["candidates"][0]
    if record["backend"] != "cuda":
        raise BadInput(
            f"{space['name']} cannot be written as T1: it knows CUDA, OpenCL and Vulkan only; T4 can"
        )
    parameters = parameters_of(space)
    configurations = [configuration(c, parameters) for c in space["candidates"]]
    sides = [str(n) for n in record["grid"]] + ["1"] * (3 - len(record["grid"]))
    blocks = [f"block_{axis}" if f"block_{axis}" in parameters else "1" for axis in "xyz"]
    return {
        "General": {"FormatVersion": 1, "TimeUnit": "Seconds", "OutputFormat": "JSON"},
        "ConfigurationSpace": {
            "TuningParameters": tuning_parameters(space, configurations),
            "Conditions": [condition(configurations)],
        },
        "KernelSpecification": {
            "Language": "CUDA",
            "KernelName": record["name"],
            "KernelFile": space["kernel_file"],
            "GlobalSizeType": "OpenCL",  # counted in points, not in blocks
            "GlobalSize": dict(zip("XYZ", sides)),
            "LocalSize": dict(zip("XYZ", blocks)),
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
        "measurements": [{"name": "time", "value": median(samples), "unit": "s"}] if samples else [],
    }
    return {**made, "timestamp": environment["time"]} if "time" in environment else made


def t4(space: dict) -> dict:
    environment = space["environment"] or {}
    metadata = {"autotuner": "cfdmark", "autotuner_version": space["version"], "timeunit": "seconds"}
    if space["candidates"][0]["backend"] == "cuda":
        metadata["compute_api"] = "CUDA"
        metadata["device"] = environment.get("gpu", {}).get("name", "unknown")
    else:
        metadata["device"] = environment.get("host", {}).get("cpu", "unknown")
    if "time" in environment:
        metadata["timestamp"] = environment["time"]
    parameters = parameters_of(space)
    results = [result(c, parameters, environment) for c in space["candidates"]]
    return {"schema_version": "1.1.0", "metadata": metadata, "results": results}

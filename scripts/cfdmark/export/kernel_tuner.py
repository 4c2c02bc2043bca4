"""Recorded spaces as Kernel Tuner's cache files, which its strategies replay in simulation mode without a
device.

The file is enough for `tune_cache("cache.json", strategy="...")`; with a T1 file `tune_kernel_T1` does the
same.
"""

from __future__ import annotations

from .formats import configuration, device_name, parameters_of, values_of

ERRORS = {"constraint": "InvalidConfig", "compile_error": "CompilationFailedConfig"}
OTHER_ERROR = "RuntimeFailedConfig"


def entry(candidate: dict, chosen: dict, time: str) -> dict:
    """Returns one configuration with its times in milliseconds; a failed one has the error's name instead."""
    overhead = candidate.get("overhead", {})
    samples = candidate["time"]["samples"] if candidate["ended"] == "ok" else []
    if samples:
        found = {"time": 1e3 * candidate["time"]["median"], "times": [1e3 * s for s in samples]}
    else:
        error = ERRORS.get(candidate["ended"], OTHER_ERROR)
        found = {"time": error, "__error__": error}
    return {
        **chosen,
        **found,
        "compile_time": 1e3 * overhead.get("prepare", 0.0),
        "verification_time": 1e3 * overhead.get("verify", 0.0),
        "benchmark_time": 1e3 * (overhead.get("warm_up", 0.0) + sum(samples)),
        "strategy_time": 0,
        "framework_time": 0,
        "timestamp": time,
    }


def cache(space: dict) -> dict:
    parameters = parameters_of(space)
    chosen = [configuration(candidate, parameters) for candidate in space["candidates"]]
    time = (space["environment"] or {}).get("time", "")
    return {
        "device_name": device_name(space),
        "kernel_name": space["candidates"][0]["name"],
        "problem_size": list(space["candidates"][0]["grid"]),
        "tune_params_keys": list(chosen[0]),
        "tune_params": values_of(chosen),
        "objective": "time",
        "cache": {
            ",".join(map(str, c.values())): entry(candidate, c, time) for candidate, c in zip(space["candidates"], chosen)
        },
    }

"""One measured case at one commit, as a history keeps it. results/README.md defines the lines."""

from __future__ import annotations

import re
import zlib

from cfdmark_report.records import Record

SCHEMA = 2
# Figures that do not drift: a change of one of them is a fact and needs no statistics.
EXACT = ("registers", "local_bytes", "shared_bytes", "occupancy", "iterations", "field_bytes")


def part(raw: dict, key: str) -> dict:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def on_gpu(record: Record, environment: dict) -> bool:
    kokkos = record.backend == "kokkos" and part(environment, "libraries").get("Kokkos device") == "Cuda"
    return record.raw["backend"] == "cuda" or kokkos


def device_of(record: Record, environment: dict) -> str:
    """What the case ran on: points of one device are comparable. `AMD EPYC, 2 cores` or `NVIDIA H200`."""
    host, gpu = part(environment, "host"), part(environment, "gpu")
    if on_gpu(record, environment):
        if record.device > 0:
            gpu = next((g for g in environment.get("gpus", []) if g.get("index") == record.device), {})
        return str(gpu.get("name") or "unknown GPU")
    return f"{host.get('cpu') or 'unknown processor'}, {host.get('cores', '?')} cores"


def slug(device: str) -> str:
    """The device as the name of a file."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def facts_of(environment: dict) -> dict:
    """What else may explain a change than the commit: the rest of the environment, flat, as texts."""
    program, host, gpu = part(environment, "program"), part(environment, "host"), part(environment, "gpu")
    openmp, libraries = part(environment, "openmp"), part(environment, "libraries")
    found = {
        **{key: program.get(key) for key in ("compiler", "flags", "build_type", "instruction_set")},
        "processor": host.get("cpu"),
        "host": host.get("name_hash"),
        "system": host.get("os"),
        "system's kernel": host.get("kernel"),
        "GPU": gpu.get("name"),
        "driver": gpu.get("driver"),
        "CUDA": gpu.get("cuda"),
        **{f"OpenMP {key}": value for key, value in openmp.items()},
        **libraries,
    }
    return {key: str(value) for key, value in sorted(found.items()) if value not in (None, "")}


def facts_id(facts: dict) -> str:
    return f"{zlib.crc32(repr(sorted(facts.items())).encode()):08x}"


def kernel_figures(record: Record) -> dict:
    """Of several device functions the figure that limits: most registers, least occupancy."""
    kernels = record.section("resources").get("kernels")
    kernels = [k for k in kernels if isinstance(k, dict)] if isinstance(kernels, list) else []
    figures = {}
    for key, worst in (("registers", max), ("local_bytes", max), ("shared_bytes", max), ("occupancy", min)):
        values = [k[key] for k in kernels if isinstance(k.get(key), (int, float))]
        if values:
            figures[key] = worst(values)
    return figures


def point_of(record: Record, environment: dict) -> dict:
    program, time = part(environment, "program"), record.section("time")
    point = {
        "type": "point",
        "schema": SCHEMA,
        "case": record.case,
        **({"label": record.label} if record.label != record.case else {}),
        "device": device_of(record, environment),
        "commit": program.get("commit"),
        "dirty": program.get("dirty") is True,
        "time": environment.get("time"),
        "status": record.status,
        "facts": facts_id(facts_of(environment)),
    }
    if not record.ok:
        return {**point, "reason": record.reason}
    point["median"], point["samples"] = time["median"], len(record.samples)
    figures = {
        "ci_low": record.number("time", "ci_low"),
        "ci_high": record.number("time", "ci_high"),
        **kernel_figures(record),
        "iterations": record.number("solver", "iterations"),
        "field_bytes": record.number("memory", "field_bytes"),
    }
    return {**point, **{key: value for key, value in figures.items() if value is not None}}

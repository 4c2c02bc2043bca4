"""One measured case at one commit, as a history keeps it. results/README.md defines the lines."""

from __future__ import annotations

import re
import zlib

from cfdmark.records.machine import gpu_of, machine_of, on_gpu, part
from cfdmark.records.records import Record

SCHEMA = 2
# Figures that do not drift: a change needs no statistics.
EXACT = ("registers", "local_bytes", "shared_bytes", "occupancy", "iterations", "field_bytes")


def device_of(record: Record, environment: dict) -> str:
    """Returns the device for people: `AMD EPYC, 2 cores` or `NVIDIA H200`. Machines of one name share a file.
    """
    if on_gpu(record.raw, environment):
        return str(gpu_of(record.raw, environment).get("name") or "unknown GPU")
    host = part(environment, "host")
    return f"{host.get('cpu') or 'unknown processor'}, {host.get('cores', '?')} cores"


def slug(device: str) -> str:
    """Returns the device as a file name."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def facts_of(environment: dict) -> dict:
    """Returns facts besides the commit that may explain a change: the rest of the environment, flat, as
    texts."""
    program, host, gpu = part(environment, "program"), part(environment, "host"), part(environment, "gpu")
    openmp, libraries = part(environment, "openmp"), part(environment, "libraries")
    found = {
        **{key: program.get(key) for key in ("compiler", "flags", "build_type", "instruction_set")},
        "processor": host.get("cpu"),
        "host": host.get("name_hash"),
        "system": host.get("os"),
        "system's kernel": host.get("kernel"),
        "NUMA nodes": host.get("numa_nodes"),
        "several threads a core": host.get("smt"),
        "clock governor": host.get("governor"),
        "GPU": gpu.get("name"),
        "driver": gpu.get("driver"),
        "CUDA": gpu.get("cuda"),
        "device compiler": gpu.get("compiler"),
        "device compiler's options": gpu.get("compiler_options"),
        **{f"OpenMP {key}": value for key, value in openmp.items()},
        **libraries,
    }
    return {key: str(value) for key, value in sorted(found.items()) if value not in (None, "")}


def facts_id(facts: dict) -> str:
    return f"{zlib.crc32(repr(sorted(facts.items())).encode()):08x}"


def kernel_figures(record: Record) -> dict:
    """Returns the limiting figure over several device functions: most registers, least occupancy."""
    kernels = record.section("resources").get("kernels", [])
    figures = {}
    for key, worst in (("registers", max), ("local_bytes", max), ("shared_bytes", max), ("occupancy", min)):
        values = [k[key] for k in kernels if key in k]
        if values:
            figures[key] = worst(values)
    return figures


def point_of(record: Record, environment: dict, machine: str | None = None) -> dict:
    """Returns the point of a record. `machine` names a pool whose machines count as one."""
    program, time = part(environment, "program"), record.section("time")
    point = {
        "type": "point",
        "schema": SCHEMA,
        "case": record.case,
        **({"label": record.label} if record.label != record.case else {}),
        "device": device_of(record, environment),
        "machine": machine or machine_of(record.raw, environment),
        **({"program": program["fingerprint"]} if program.get("fingerprint") else {}),
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
        "ci_low": record.time.low,
        "ci_high": record.time.high,
        **kernel_figures(record),
        "iterations": record.number("solver", "iterations"),
        "field_bytes": record.number("memory", "field_bytes"),
    }
    return {**point, **{key: value for key, value in figures.items() if value is not None}}

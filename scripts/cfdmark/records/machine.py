"""Machine of a record, as results/README.md describes under "Machines". The program writes the keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

OF_HOST = ("cpu", "processor", "cores", "caches", "board", "name_hash")


def part(raw: dict, key: str) -> dict:
    return raw.get(key, {})


def digest(facts) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]


def nominal_memory(value: int | None) -> int:
    """Returns the installed memory from what the kernel reports: rounded up to an eighth of the next lower
    power of two."""
    if not value:
        return 0
    step = max(1, (1 << (value.bit_length() - 1)) // 8)
    return -(-value // step) * step


def host_key(environment: dict) -> str:
    """Empty where the host does not say."""
    return part(environment, "host").get("machine", "")


def gpu_key(gpu: dict) -> str:
    """Returns the GPU's key; empty without a GPU."""
    return gpu.get("identity", "")


def gpus(environment: dict) -> list[dict]:
    return [gpu for gpu in environment.get("gpus", [part(environment, "gpu")]) if "name" in gpu]


def on_gpu(raw: dict, environment: dict) -> bool:
    backend = raw.get("backend")
    return backend == "cuda" or (
        backend == "kokkos" and part(environment, "libraries").get("Kokkos device") == "Cuda"
    )


def gpu_of(raw: dict, environment: dict) -> dict:
    """Returns the facts of the GPU that a record's case ran on; empty if they were not recorded."""
    index, found = part(raw, "device").get("index", 0), gpus(environment)
    return found[index] if index < len(found) else {}


def machine_of(raw: dict, environment: dict) -> str:
    """Returns the machine of a record's case: the host and, for a case on a GPU, that GPU. The machine of a
    CPU case does not depend on which GPUs are visible."""
    host = host_key(environment)
    return f"{host}+{gpu_key(gpu_of(raw, environment))}" if on_gpu(raw, environment) else host


def machine_ids(environments: Iterable[dict]) -> list[str]:
    """Returns the machine that each environment describes, including its GPUs. A run that saw no GPU counts
    to its host's machine, unless runs on that host saw different GPUs."""
    keys = [(host_key(e), "+".join(map(gpu_key, gpus(e)))) for e in environments]
    seen: dict[str, set] = {}
    for host, found in keys:
        seen.setdefault(host, set()).update({found} - {""})
    return [f"{host}+{found}" if len(seen[host]) > 1 else host for host, found in keys]

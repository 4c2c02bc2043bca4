"""Which machine a number comes from, as results/README.md says under "Machines". The program writes the keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

OF_HOST = ("cpu", "processor", "cores", "caches", "board", "name_hash")


def part(raw: dict, key: str) -> dict:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def digest(facts) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]


def nominal_memory(value) -> int:
    """What is built in, from what a kernel leaves of it: rounded up to an eighth of the power of two below."""
    if not isinstance(value, int) or value <= 0:
        return 0
    step = max(1, (1 << (value.bit_length() - 1)) // 8)
    return -(-value // step) * step


def host_key(environment: dict) -> str:
    """Empty where the host does not say."""
    key = part(environment, "host").get("machine")
    return key if isinstance(key, str) else ""


def gpu_key(gpu: dict) -> str:
    """Empty for none."""
    key = gpu.get("identity")
    return key if isinstance(key, str) else ""


def gpus(environment: dict) -> list[dict]:
    several = environment.get("gpus")
    found = several if isinstance(several, list) else [part(environment, "gpu")]
    return [gpu for gpu in found if isinstance(gpu, dict) and "name" in gpu]


def on_gpu(raw: dict, environment: dict) -> bool:
    backend = raw.get("backend")
    return backend == "cuda" or (
        backend == "kokkos" and part(environment, "libraries").get("Kokkos device") == "Cuda"
    )


def gpu_of(raw: dict, environment: dict) -> dict:
    """The facts of the GPU that a record's case ran on; empty where they are not told."""
    index = part(raw, "device").get("index") or 0
    found = gpus(environment)
    return found[index] if isinstance(index, int) and index < len(found) else {}


def machine_of(raw: dict, environment: dict) -> str:
    """What a record's case ran on: the host and, of a case on a GPU, that GPU. A case on the processors is the same
    with and without a GPU in sight."""
    host = host_key(environment)
    return f"{host}+{gpu_key(gpu_of(raw, environment))}" if on_gpu(raw, environment) else host


def machine_ids(environments: Iterable[dict]) -> list[str]:
    """Of each environment the box that it describes, its GPUs with it. A run that saw no GPU belongs to the box of its
    host, unless runs on that host saw different ones."""
    keys = [(host_key(e), "+".join(map(gpu_key, gpus(e)))) for e in environments]
    seen: dict[str, set] = {}
    for host, found in keys:
        seen.setdefault(host, set()).update({found} - {""})
    return [f"{host}+{found}" if len(seen[host]) > 1 else host for host, found in keys]

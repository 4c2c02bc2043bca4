"""What the tests of the exports share."""

import json
import math
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))


def choice(method: str, median: float, **config) -> dict:
    return {"method": method, "config": config, "median": median}


def layout(device, architecture, precision, grid, block_x, **changes) -> dict:
    cells = math.prod(grid)
    made = {
        "device": device,
        "architecture": architecture,
        "current": False,
        "holds": {"least_cells": cells / 1.25, "most_cells": cells * 1.25},
        "kind": "kernel",
        "name": "jacobi",
        "backend": "cuda",
        "precision": precision,
        "scope": "all",
        "grid": grid,
        "winner": {
            "method": "column",
            "config": {"block_x": block_x, "block_y": 2, "cells": 8},
            "median": 1.5e-4,
            "ci_low": 1.4e-4,
            "ci_high": 1.6e-4,
            "samples": 20,
        },
        "default": {"method": "plain", "config": {"block_x": 64}, "median": 3e-4},
        "gain": {"value": 2.0, "low": 1.9, "high": 2.1},
        "rule": 'the "fastest", by far',
        "ties": {f"vector:block_x={x}": 3e-4 for x in (32, 64)},
        "source_hash": "0",
        "time": "2026-01-01T00:00:00Z",
        **changes,
    }
    for size in made.get("range", {}).get("sizes", []):
        size["winner"] = size["winner"] or made["winner"]
    return made


def of_range(least: float, most: float, gains: dict[int, float], regret: float) -> dict:
    """Returns what a layout for a range of squares has in addition to one of a single size; `gains` by side."""
    sizes = [{"grid": [side, side], "winner": {}, "gain": {"value": gain}} for side, gain in gains.items()]
    cells = {"least_cells": least, "most_cells": most}
    return {"holds": cells, "range": {**cells, "regime": "cache", "regret": regret, "sizes": sizes}}


def kept_layouts(*tables: str) -> list[dict]:
    """The layouts of kept tables, as `cfdmark tune layouts` hands them on."""
    found = []
    for table in (json.loads((ROOT / "results/tuned" / name).read_text(encoding="utf-8")) for name in tables):
        device = {"device": table["device"]["name"], "architecture": table["device"]["architecture"]}
        for entry in table["entries"]:
            holds = {key: entry["range"][key] for key in ("least_cells", "most_cells")}
            found.append({**device, "current": True, "holds": holds, **entry})
    return found


def two_devices() -> list[dict]:
    guided = {"block_x": 128, "schedule": "guided", "omega": 1.5}
    h200, cpu = ("NVIDIA H200", "compute capability 9.0"), ("A CPU, 2 cores", "x86-64-v3")
    return [
        layout(*h200, "fp64", [512, 512], 16, **of_range(200 * 200, 1e6, {256: 1.5, 512: 2.0}, 1.0125)),
        layout(*h200, "fp64", [4096, 4096], 32, **of_range(1e6, 2e7, {2048: 1.25, 4096: 1.125}, 1)),
        layout(*h200, "fp64", [64, 64, 64], 48),
        layout(*cpu, "fp32", [512, 512], 128, winner={"method": "chunked", "config": guided}),
    ]


def candidate(method, config, ended, samples=(), backend="cuda") -> dict:
    made = {
        "kind": "kernel",
        "name": "jacobi",
        "backend": backend,
        "grid": [64, 32],
        "method": method,
        "config": config,
        "ended": ended,
        "overhead": {"prepare": 0.5, "verify": 0.25, "warm_up": 0.125},
    }
    return {**made, "time": {"samples": list(samples), "median": median(samples)}} if samples else made


def space(backend="cuda") -> dict:
    return {
        "name": f"jacobi/{backend}/fp64@64x32",
        "version": "1.2.3",
        "environment": {"time": "2026-01-01T00:00:00Z", "gpu": {"name": "NVIDIA H200"}},
        "default": 2,
        "kernel_file": "kernels/jacobi/jacobi.cu",
        "candidates": [
            candidate("column", {"block_x": 64, "cells": 4}, "ok", [2.0, 3.0, 4.0], backend),
            candidate("plain", {"block_x": 32}, "compile_error", backend=backend),
            candidate("plain", {"block_x": 64}, "ok", [1.0, 1.0, 1.0], backend),
            candidate("plain", {"block_x": 128}, "timeout", backend=backend),
        ],
    }

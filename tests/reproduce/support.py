"""What the tests of `reproduce` share: invented records. No number in them was measured."""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.places import PUBLISHED  # noqa: E402
from cfdmark.records.records import Dataset, Record  # noqa: E402
from cfdmark.reproduce import command, documents  # noqa: E402
from cfdmark.reproduce.comparison import Comparison  # noqa: E402
from cfdmark.reproduce.measured import Measured  # noqa: E402
from cfdmark.stats.quantity import Quantity  # noqa: E402

SWEEPS = ROOT / "sweeps" / "reproduce"
DOCUMENTS = documents.read_all(PUBLISHED)
EXPERIMENTS = [name for name, document in DOCUMENTS.items() if document.plan]
ENVIRONMENT = {"type": "environment", "id": "e", "host": {"machine": "h", "cpu": "Synthetic CPU"}}
WITH_OPERATOR = ("apply", "residual", "jacobi", "gauss_seidel", "red_black_sor", "cg_direction", "cg_update")
JITTER = [
    0,
    -0.004,
    0.004,
    -0.002,
    0.002,
    -0.003,
    0.003,
    -0.001,
    0.001,
]  # of nine samples around their median


def kernel(
    name: str, row: str, side: int, seconds: float, dims: int = 2, config: dict | None = None, **more
) -> dict:
    """A record of `name` on `row`, such as "cuda/fp32/plain": `seconds` a step, known to half a percent. Of a kernel
    with coefficients in arrays `name` ends in ;operator=arrays."""
    name, _, operator = name.partition(";operator=")
    operator = operator or "constant" * (name in WITH_OPERATOR)
    backend, precision, method = row.split("/")
    grid, config = [side] * dims, config or {}
    samples = [seconds * (1 + share) for share in JITTER]
    nodes = math.prod(grid)
    found = {
        "type": "record",
        "schema": 2,
        "case": f"{name}/{row}@{'x'.join(map(str, grid))}:{config}",
        "kind": "kernel",
        "name": name,
        "backend": backend,
        "precision": precision,
        "method": method,
        "grid": grid,
        "nodes": nodes,
        "config": config,
        "status": "ok",
        "time": {"samples": samples, "median": seconds, "ci_low": samples[1], "ci_high": samples[2]},
        "cost": {"bytes": 12.0 * nodes},
        "rate": {"bytes_per_second": 12.0 * nodes / seconds},
        "environment": "e",
        **more,
    }
    if operator:
        found |= {"workload": {"operator": operator}, "label": found["case"] + ";operator=arrays" * (operator == "arrays")}
        found["case"] += f";operator={operator}"
    return found


def mesh_kernel(name: str, row: str, mesh: str, seconds: float, numbering: str = "lattice", **more) -> dict:
    """A record of `name` on a generated mesh: triangles-AxB or tetrahedra-AxBxC, without further nodes in cells unless +N."""
    kind, _, said = mesh.partition("-")
    sides, _, extra = said.partition("+")
    a, b, *c = map(int, sides.split("x"))
    cells, faces = 2 * a * b + 2 * int(extra or 0), 3 * a * b + a + b + 3 * int(extra or 0)
    entities = {"cells": cells, "faces": faces, "nodes": (a + 1) * (b + 1) + int(extra or 0), "boundary_faces": 2 * (a + b)}
    if c:
        surface = 4 * (a * b + b * c[0] + c[0] * a)
        cells = 6 * a * b * c[0] + 3 * int(extra or 0)
        nodes = (a + 1) * (b + 1) * (c[0] + 1) + int(extra or 0)
        faces = 2 * cells + surface // 2
        entities = {"cells": cells, "faces": faces, "nodes": nodes, "boundary_faces": surface}
        entities["edges"] = nodes + faces - cells - 1
    found = kernel(name, row, 1, seconds, **more)
    del found["grid"]
    said = f"{name}/{row}@{mesh}"
    facts = {"dims": 3 if c else 2, **entities, "requested_bytes": 20.0 * faces, "seconds_to_make": 0.4,
             "seconds_to_number": 0.0 if numbering == "lattice" else 0.5, "seconds_to_connect": 0.7,
             "mean_distance": cells / 3 if "random" in numbering else 40.0, "most_distance": cells - 1,
             "same_line_share": 0.01 if "random" in numbering else 0.6, "least_angle": 20.0,
             "least_area_over_distance": 0.4, "most_area_over_distance": 3.0, "most_non_orthogonality": 50.0}
    return {**found, "mesh": mesh, "nodes": cells, "case": f"{said}:{found['config']};numbering={numbering}",
            "label": said + (f";numbering={numbering}" if numbering != "lattice" else ""),
            "workload": {"numbering": numbering}, "mesh_facts": facts, "cost": {"bytes": 14.0 * faces},
            "rate": {"bytes_per_second": 14.0 * faces / seconds, "lups": faces / seconds}}


def solver(name: str, row: str, side: int, seconds: float, iterations: int = 40, **more) -> dict:
    """A solve of `iterations` in `seconds`; `facts` are added to what it reports."""
    facts = more.pop("facts", {})
    record = kernel(name, row, side, seconds, **more)
    record["kind"] = "solver"
    record["solver"] = {
        "iterations": iterations,
        "time_per_iteration": seconds / iterations,
        "converged": True,
        **facts,
    }
    return record


def mesh_solver(name: str, row: str, mesh: str, seconds: float, iterations: int = 40, problem: str = "", **facts) -> dict:
    """A solve of `iterations` in `seconds` on a generated mesh; `facts` are added to what it reports."""
    record = mesh_kernel(name, row, mesh, seconds)
    solved = {"iterations": iterations, "time_per_iteration": seconds / iterations, "converged": True, **facts}
    return {**record, "kind": "solver", "workload": {**record["workload"], "problem": problem}, "solver": solved}


def absent(record: dict, reason: str = "no NVIDIA driver on this machine") -> dict:
    """The same case as it is recorded where it cannot run."""
    kept = {k: v for k, v in record.items() if k not in ("time", "rate", "solver")}
    return {**kept, "status": "not_run", "reason": reason}


def without_gpu(records: list[dict]) -> list[dict]:
    return [absent(r) if r["backend"] == "cuda" else r for r in records]


def measured(*records: dict) -> Measured:
    return Measured(Dataset(records=[Record(r) for r in records], environments={"e": ENVIRONMENT}))


def compared(name: str, records: list[dict]) -> Comparison:
    return command.compared(DOCUMENTS[name], measured(*records))


@contextlib.contextmanager
def folder_with(name: str, *lines):
    """A folder with the records of an experiment; a line that is a str stands as it is."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        text = "".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        yield folder


def run(*words) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = command.main([str(word) for word in words])
        except SystemExit as stop:  # argparse
            status = stop.code
    out.flush()
    return status, out.buffer.getvalue().decode("utf-8"), err.getvalue()


def exact(value: float) -> Quantity:
    return Quantity(value)

"""Cases of an experiment's sweep without a record: a run that ended early leaves no trace of them."""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

from cfdmark.records.records import LATTICE, Dataset, Record
from cfdmark.records.select import grouped


def listed(value) -> list:
    return value if isinstance(value, list) else [value]


def domains_of(block: dict) -> set[tuple]:
    """Returns the grids, meshes or matrices of a block."""
    return grids_of(block.get("meshes") or block.get("matrices") or block["grids"])


def grids_of(said) -> set[tuple]:
    """Returns grids as in sweeps/README.md: 512x512, series of squares or cubes, and meshes by their text."""
    found = set()
    for item in listed(said):
        if isinstance(item, str):
            found.add(tuple(map(int, item.split("x"))) if re.fullmatch(r"\d+(x\d+)*", item) else (item,))
            continue
        if "powers_of_two" in item:
            low, high = item["powers_of_two"]
            sides = [2**n for n in range(low.bit_length() - 1, high.bit_length())]
        else:
            low, high, step = item["range"]
            sides = list(range(low, high + 1, step))
        found |= {(side + item.get("plus", 0),) * item.get("dims", 2) for side in sides}
    return found


def is_of(block: dict, record: Record) -> bool:
    """True if the block contains the record's row, on any grid."""
    if record.name not in listed(block.get(f"{record.kind}s", [])):
        return False
    operator = record.text("workload", "operator")
    if operator and operator not in listed(block.get("operator", "constant")):
        return False
    if record.mesh and not {record.numbering, "all"} & set(listed(block.get("numbering", LATTICE))):
        return False
    wanted = {"backends": record.backend, "precisions": record.precision, "methods": record.method}
    named = {key: listed(block.get(key, "all")) for key in wanted}
    return all(named[key][0] in ("all", "default") or value in named[key] for key, value in wanted.items())


def blocks_of(path: Path) -> list[dict]:
    """Returns the blocks of a sweep, including those that `include` adds."""
    blocks = YAML(typ="safe").load(path)["blocks"] if path.exists() else []
    more = [{**block, **given} for block in blocks for given in listed(block.get("include", []))]
    return blocks + more


def row_key(r: Record) -> tuple:
    operator = r.text("workload", "operator")
    return r.kind, r.name, operator, r.dims if r.mesh else 0, r.numbering, r.backend, r.precision, r.method


def without_record(dataset: Dataset, path: Path) -> list[str]:
    """Returns rows on grids of the sweep without a record: axpy on serial/fp32/plain at 4096×4096. Only rows
    with some record count."""
    blocks, missing = blocks_of(path), []
    for records in grouped(dataset.records, row_key).values():
        first, there = records[0], {r.grid for r in records}
        wanted = set().union(*(domains_of(b) for b in blocks if is_of(b, first)), set())
        if first.mesh:
            wanted = {mesh for mesh in wanted if str(mesh[0]).startswith(first.mesh_kind)}
        for grid in sorted(wanted - there, reverse=True):
            sides = "×".join(map(str, grid)) + (f", {first.numbering}" if first.mesh else "")
            missing.append(f"{first.name} on {first.backend}/{first.precision}/{first.method} at {sides}")
    return missing

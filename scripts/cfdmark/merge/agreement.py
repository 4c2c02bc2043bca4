"""Checks that runs may share a file: the same sweep, by the same program, on machines of one kind."""

from __future__ import annotations

from collections.abc import Callable

from cfdmark.records.machine import OF_HOST, machine_ids, nominal_memory, part
from cfdmark.records.records import shown

from .blocks import Block


def flat(environment: dict) -> dict[str, str]:
    """Returns facts that must agree, as texts by `section.key`. Nodes of one kind may differ in name, GPU
    identity, load, system version and slightly in memory; the fingerprint identifies a program."""
    program, host, gpu = (dict(part(environment, key)) for key in ("program", "host", "gpu"))
    if program.get("fingerprint"):
        program = {key: value for key, value in program.items() if key not in ("version", "commit", "dirty")}
    for its_own in ("identity", "load"):
        gpu.pop(its_own, None)
    kind = {key: host.get(key, "absent") for key in OF_HOST if key != "name_hash"}
    kind["memory_bytes, rounded up"] = nominal_memory(host.get("memory_bytes"))
    kind["cpu_quota"] = host.get("cpu_quota", "absent")
    sections = {"program": program, "host": kind, "gpu": gpu}
    sections |= {name: part(environment, name) for name in ("openmp", "kokkos", "libraries")}
    return {f"{section}.{key}": str(value) for section, facts in sections.items() for key, value in facts.items()}


def names(block: Block) -> str:
    return ", ".join(sorted(map(shown, block.files)))


def differing(fact: str, value_of: Callable[[Block], str], blocks: list[Block]) -> list[str]:
    """Returns: gpu.name: NVIDIA H200 (a.jsonl), NVIDIA A100 (b.jsonl). Empty if all have the same."""
    files: dict[str, str] = {}
    for block in blocks:
        files.setdefault(value_of(block), names(block))
    values = ", ".join(f"{value} ({where})" for value, where in files.items())
    return [f"{fact}: {values}"] if len(files) > 1 else []


def differences(blocks: list[Block]) -> list[str]:
    facts = {block.head: flat(block.environment) for block in blocks}
    named = [block for block in blocks if block.sweep]
    found = differing("sweep", lambda b: f"{b.sweep.get('id')} of {b.sweep.get('cases')} cases", named)
    for key in sorted({key for of_block in facts.values() for key in of_block}):
        found += differing(key, lambda block, key=key: facts[block.head].get(key, "absent"), blocks)
    return found


def measured_twice(blocks: list[Block]) -> list[str]:
    """Returns warnings for cases with different records in files without a common run: the later record
    counts."""
    ids = dict(zip(map(id, blocks), machine_ids(b.environment for b in blocks)))
    owners: dict[str, list[Block]] = {}
    for block in blocks:
        for raw in block.records.values():
            if block not in owners.setdefault(raw["case"], []):
                owners[raw["case"]].append(block)
    found = []
    for case, several in owners.items():
        if any(not (a.files & b.files) for a in several for b in several):
            where = ", ".join(sorted({names(b) for b in several}))
            on = ", on different machines" if len({ids[id(b)] for b in several}) > 1 else ""
            found.append(f"{case}: measured more than once{on} ({where}); the later record counts, all are kept")
    return found

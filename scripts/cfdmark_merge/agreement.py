"""Whether runs may stand in one file: the same sweep, by the same program, on machines of one kind."""

from __future__ import annotations

from .blocks import Block

# Nodes of one kind may differ in the rest: name, memory, version of the system.
SAME = {"program": None, "host": ("cpu", "cores"), "openmp": None, "gpu": None, "libraries": None}


def flat(environment: dict) -> dict[str, str]:
    """What must be the same, as texts by `section.key`."""
    found = {}
    for section, keys in SAME.items():
        values = environment.get(section)
        values = values if isinstance(values, dict) else {}
        for key in values if keys is None else keys:
            found[f"{section}.{key}"] = str(values.get(key, "absent"))
    return found


def names(block: Block) -> str:
    return ", ".join(sorted(str(path) for path in block.files))


def environment_differences(blocks: list[Block]) -> list[str]:
    """gpu.name: NVIDIA H200 (a.jsonl), NVIDIA A100 (b.jsonl)"""
    told = []
    known = [(flat(block.environment), block) for block in blocks]
    for key in sorted({key for facts, _ in known for key in facts}):
        values: dict[str, str] = {}
        for facts, block in known:
            values.setdefault(facts.get(key, "absent"), names(block))
        if len(values) > 1:
            told.append(f"{key}: " + ", ".join(f"{value} ({where})" for value, where in values.items()))
    return told


def sweep_differences(blocks: list[Block]) -> list[str]:
    sweeps: dict[str, str] = {}
    for block in blocks:
        if block.sweep:
            sweeps.setdefault(f"{block.sweep.get('id')} of {block.sweep.get('cases')} cases", names(block))
    if len(sweeps) < 2:
        return []
    return ["sweep: " + ", ".join(f"{sweep} ({where})" for sweep, where in sweeps.items())]


def differences(blocks: list[Block]) -> list[str]:
    return sweep_differences(blocks) + environment_differences(blocks)


def measured_twice(blocks: list[Block]) -> list[str]:
    """Cases with different records from files that have no run in common: of these the later one counts."""
    owners: dict[str, list[Block]] = {}
    for block in blocks:
        for raw in block.records.values():
            if block not in owners.setdefault(raw["case"], []):
                owners[raw["case"]].append(block)
    found = []
    for case, several in owners.items():
        if any(not (a.files & b.files) for a in several for b in several):
            where = ", ".join(sorted({names(b) for b in several}))
            found.append(f"{case}: measured more than once ({where}); the later record counts, all are kept")
    return found

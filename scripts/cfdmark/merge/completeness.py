"""Checks that the merged file has the whole sweep, and which shard lacks cases."""

from __future__ import annotations

from .blocks import Block, latest_records


def missing_of_shard(blocks: list[Block], index: int, count: int) -> str:
    mine = [b for b in blocks if (b.shard["index"], b.shard["count"]) == (index, count)]
    if not mine:
        return f"shard {index}/{count} is not among the files"
    wanted = mine[-1].shard.get("cases")
    have = len(latest_records(mine))
    if wanted is None or have >= wanted:
        return ""
    part = f"shard {index}/{count}" if count > 1 else "the run"
    return f"{part} has records of {have} of its {wanted} cases; the same `cfdmark run` measures the others"


def missing(blocks: list[Block]) -> list[str]:
    """Returns a sentence for each gap; empty if the sweep is complete."""
    sweeps = [b.sweep for b in blocks if b.sweep]
    if not sweeps:
        return ["the files do not say what sweep they belong to, so whether all of it is there is not known"]
    wanted, have = sweeps[0].get("cases"), len(latest_records(blocks))
    if wanted is None or have >= wanted:
        return []
    counts = sorted({b.shard["count"] for b in blocks if b.sweep})
    summary = [f"{wanted - have} of the sweep's {wanted} cases have no record"]
    # Shards of several partitions overlap, so gaps of single shards are not reported.
    if len(counts) == 1:
        parts = (missing_of_shard(blocks, n, counts[0]) for n in range(1, counts[0] + 1))
        summary += [part for part in parts if part]
    return summary

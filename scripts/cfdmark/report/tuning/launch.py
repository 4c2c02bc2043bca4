"""Waves of blocks on a GPU, and the idle tail of the last one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cfdmark.records.records import Record

from ..sections.occupancy import functions


@dataclass(frozen=True)
class Launch:
    """Resources of a case's widest device function: the one with most registers a thread."""

    registers: float | None = None
    shared: float | None = None
    local: float | None = None
    occupancy: float | None = None
    waves: float | None = None
    idle_tail: float | None = None  # share of the launch in which multiprocessors wait for the last wave


def waves(blocks: float | None, resident: float | None, multiprocessors: float | None) -> float | None:
    """Returns the number of waves; a wave is as many blocks as the device holds at once. The last one may be
    partial."""
    if not blocks or not resident or not multiprocessors:
        return None
    return blocks / (resident * multiprocessors)


def idle_tail(of_waves: float | None) -> float | None:
    """Returns the idle share if all blocks take equally long: 2.25 waves take the time of 3, and a quarter is
    idle."""
    return None if of_waves is None else 1 - of_waves / math.ceil(of_waves)


def launch_of(record: Record, environment: dict) -> Launch:
    found = functions(record)
    if not found:
        return Launch()
    widest = max(found, key=lambda kernel: kernel.get("registers", 0))
    processors = environment.get("gpu", {}).get("multiprocessors")
    count = waves(widest.get("blocks"), widest.get("resident_blocks"), processors)
    names = ("registers", "shared_bytes", "local_bytes", "occupancy")
    return Launch(*(widest.get(key) for key in names), count, idle_tail(count))

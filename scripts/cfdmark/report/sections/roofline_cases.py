"""Cases of the roofline: the bound of each, its speedup over plain, and the traffic that it saves."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, subject

from ..baseline import TEXTBOOK, Baselines, Selector
from ..bounds import Bound, bound_of, drawable, flops_rate
from ..limits import Limits
from .context import Context


class Rooflines:
    """Data that the section derives from a dataset, computed once."""

    def __init__(self, context: Context):
        self.context = context
        self.limits = Limits(context.dataset)
        rated = [r for r in context.dataset.ok() if r.number("rate", "bytes_per_second") or flops_rate(r)]
        self.records = best_configs(context.dataset, rated)
        self.bounds = {id(r): bound_of(r, self.limits) for r in self.records}
        self.over_plain = Baselines(context.dataset, Selector({"method": TEXTBOOK}))
        one_pass = [r for r in context.dataset.ok("kernel") if not sweeps_at_most(r) and bytes_a_cell(r)]
        self.one_pass = {key: min(map(bytes_a_cell, group)) for key, group in grouped(one_pass, traffic_key).items()}

    def bound(self, record: Record) -> Bound:
        return self.bounds[id(record)]

    def saved(self, record: Record) -> float | None:
        """Returns how many times less a kernel moves than one sweep a pass must; None if it makes one sweep a
        pass."""
        least, own = self.one_pass.get(traffic_key(record)), bytes_a_cell(record)
        several = record.kind == "kernel" and sweeps_at_most(record) and least and own
        return least / own if several and least > own * 1.01 and drawable(least / own) else None

    def useful_bandwidth(self, record: Record) -> float | None:
        saved, bandwidth = self.saved(record), record.number("rate", "bytes_per_second")
        return bandwidth * saved if saved and bandwidth and drawable(bandwidth * saved) else None


def sweeps_at_most(record: Record) -> bool:
    """True if its method may make several sweeps in one pass over memory."""
    depth = record.config.get("depth")
    return isinstance(depth, (int, float)) and depth > 1


def bytes_a_cell(record: Record) -> float | None:
    moved, cells = record.number("cost", "bytes"), record.number("cost", "cells")
    return moved / cells if moved and cells and moved > 0 and cells > 0 else None


def traffic_key(record: Record) -> tuple:
    return (subject(record), record.precision)

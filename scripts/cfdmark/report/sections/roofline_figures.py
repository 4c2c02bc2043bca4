"""Roofline figures: every method below the measured ceilings of its device, a panel for each backend and
precision."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import grouped, precision_rank, subject
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import quantity_with_unit, with_unit

from ..bounds import drawable, flops_rate
from ..limits import FUSED, SEPARATE
from ..model import Figure, Roof, RooflinePanel, RoofPoint
from .roofline_cases import Rooflines

OPERATIONS_OF = {
    "fused": "multiply-adds with one rounding, as the stencils here have them",
    "separate": "a multiplication and an addition each, since compilers may not join them",
}
READING = (
    "Lines: what this device gave to triad and to chains of multiply-adds, bands their measured spread. A method cannot be above"
    " the line of where its fields lie, but for one reason: it makes several sweeps in one pass and so moves less than one sweep"
    " a pass has to. Its point stands at that useful traffic; the broken line leads to what it does move, which is under the"
    " roof. Of each row one point for each thing that bounds it, on the largest grid where it does. Colours: what bounds it."
)


def intensity(lines: Rooflines, record: Record) -> float | None:
    """Returns operations a byte of useful traffic."""
    flops, moved = record.number("cost", "flops"), record.number("cost", "bytes")
    if not flops or not moved or moved < 0:
        return None
    at = flops / moved / (lines.saved(record) or 1)
    return at if drawable(at) else None


def point(lines: Rooflines, record: Record) -> RoofPoint:
    bound, at, rate = lines.bound(record), intensity(lines, record), flops_rate(record)
    saved = lines.saved(record)
    summary = (
        f"{lines.context.case(record)}: {quantity_with_unit(rate, 'flops_per_second')} at {at:.2g} operations"
        f" a byte; bound by {bound.word}. {bound.sentence}"
    )
    if saved:
        summary += f" Moves {saved:.2g} times less than one sweep a pass."
    declared = at * saved if saved else None
    return RoofPoint(at, rate, f"bound:{bound.word}", record.method, record.name, summary, declared)


def roof(name: str, value: Quantity, kind: str, by: str) -> Roof:
    shown = quantity_with_unit(value, kind)
    return Roof(f"{name} {with_unit(value.value, kind)}: {shown}, by {by}", value)


def roofs(lines: Rooflines, record: Record) -> tuple[list[Roof], list[Roof]]:
    """Returns the slopes and ceilings of a record's device, lowest first."""
    limits, place, precision = lines.limits, lines.limits.place(record), record.precision
    slopes, ceilings = [], []
    for name, limit in (("memory", limits.memory(place, precision)), ("cache", limits.cache(place, precision))):
        if limit:
            slopes.append(roof(name, limit.value, "bytes_per_second", limit.by))
    for name, kernel in (("separate", SEPARATE), ("fused", FUSED)):
        if limit := limits.arithmetic(place, precision, kernel):
            ceilings.append(roof(name, limit.value, "flops_per_second", OPERATIONS_OF[name]))
    by_height = [sorted(found, key=lambda r: r.value.value) for found in (slopes, ceilings)]
    return by_height[0], by_height[1]


def drawn(lines: Rooflines, records: list[Record]) -> list[Record]:
    """Returns for each row and each bound the largest grid."""
    groups = grouped(records, lambda r: (subject(r), r.method, lines.bound(r).word)).values()
    return [max(group, key=lambda r: (r.nodes, -r.iteration_time.value)) for group in groups]


def panel(lines: Rooflines, records: list[Record]) -> RooflinePanel | None:
    """Returns a panel of one device and precision; None if no ceiling or no operation was measured. With
    several numbers of threads it shows the ceilings of the largest number that has any."""
    counting = [r for r in records if intensity(lines, r) and flops_rate(r)]
    by_threads = sorted(counting, key=lambda r: -(lines.limits.place(r).threads or 0))
    found = next((both for r in by_threads if any(both := roofs(lines, r))), None)
    if not found:
        return None
    title = f"{records[0].backend}, {records[0].precision}"
    points = [point(lines, r) for r in drawn(lines, counting)]
    return RooflinePanel(title, *found, points)


def figures(lines: Rooflines) -> list[Figure]:
    """Returns a figure for each device, with a panel for each backend and precision."""
    devices = grouped(lines.records, lambda r: lines.limits.place(r).hardware)
    made = []
    for number, (hardware, records) in enumerate(sorted(devices.items(), key=lambda d: -len(d[1]))):
        rows = grouped(sorted(records, key=precision_rank), lambda r: (r.backend, r.precision)).values()
        panels = [p for p in (panel(lines, group) for group in rows) if p]
        if panels:
            made.append(Figure(f"roofline-{number}", f"Methods under the roofs of {hardware}", panels, READING))
    return made

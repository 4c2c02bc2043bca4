"""How near a device's flows are to published values, on the finest grid of each."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import grouped
from cfdmark.report.model import COUNT, Column, Table
from cfdmark.report.sections.flows import Value, published_values, solved_flows, what
from cfdmark.text.wording import grid_text

from .found import Device


def finest(device: Device) -> list[list[Value]]:
    """Returns the values of each flow by each solver on its finest grid, in the order of their deviations."""
    values = published_values(solved_flows(device.context))
    flows = grouped(values, lambda v: (what(v.record), v.record.name)).values()
    on_finest = [[v for v in flow if v.record.nodes == max(w.record.nodes for w in flow)] for flow in flows]
    return [sorted(flow, key=lambda v: v.deviation) for flow in on_finest]


def value_text(value: Value) -> str:
    return f"{value.name} {100 * value.deviation:.2g} %"


def table(device: Device) -> Table:
    def record(flow: list[Value]) -> Record:
        return flow[0].record

    columns = [
        Column("what", "flow", of=lambda flow: what(record(flow))),
        Column("by", "by", of=lambda flow: record(flow).name),
        Column("grid", "finest grid", of=lambda flow: grid_text(record(flow))),
        Column("values", "values", COUNT, of=len),
        Column("least", "differs least by", of=lambda flow: value_text(flow[0])),
        Column("most", "differs most by", of=lambda flow: value_text(flow[-1])),
        Column("source", "published by", of=lambda flow: flow[-1].source),
    ]
    return Table.of("accuracy", "Flows against published values", columns, finest(device))

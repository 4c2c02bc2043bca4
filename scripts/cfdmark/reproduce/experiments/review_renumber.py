"""The review, section 11.3: time per unknown by numbering, and what each numbering costs and gains."""

from __future__ import annotations

from cfdmark.report.baseline import Baselines, parse_selector
from cfdmark.report.sections.context import Context
from cfdmark.report.sections.mesh_numbering import comparisons, costs_table, gains_table
from cfdmark.report.sections.meshes import numbering_figure

from ..comparison import Comparison


def add(comparison: Comparison) -> None:
    dataset = comparison.measured.dataset
    context = Context(dataset, Baselines(dataset, parse_selector(None, dataset)))
    found = comparisons(context)
    if found:
        comparison.figures += numbering_figure(context, found)
        comparison.tables += [gains_table(context, found), costs_table(context)]

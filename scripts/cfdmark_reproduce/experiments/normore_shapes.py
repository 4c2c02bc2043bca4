"""Normore 2010, table 8.1: the shapes, what they drag, and how long each takes."""

from __future__ import annotations

from cfdmark_report.model import COUNT, Column, Table
from cfdmark_report.records import Record

from ..comparison import Comparison, or_none
from ..measures import SIDES

COLUMNS = [
    Column("side", "on"),
    Column("exponent", "exponent", "plain"),
    Column("aspect", "length / height", "plain"),
    Column("drag", "drag coefficient", "plain"),
    Column("iterations", "iterations", COUNT),
    Column("time", "time of an evaluation", "seconds", "three_digits"),
]


def line(record: Record) -> list:
    asked = record.section("question")
    return [
        SIDES[record.backend],
        asked["exponent"],
        asked["aspect"],
        record.number("solver", "drag_coefficient"),
        record.number("solver", "iterations"),
        record.time,
    ]


def add(comparison: Comparison) -> None:
    shapes = []
    for side in SIDES:
        rows = comparison.rows.on(side)
        largest = or_none(lambda: rows.largest("population").grid)
        found = rows.at(largest).all("population") if largest else []
        shapes += sorted((line(r) for r in found), key=lambda cells: cells[1:3])
    if shapes:
        comparison.tables.append(Table("shapes", "The shapes, each backend on its largest grid", COLUMNS, shapes))

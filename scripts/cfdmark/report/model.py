"""Contents of a section of the report: plain data, without formatting or drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from cfdmark.stats.quantity import Quantity

# Kinds of columns that are not in numbers.LADDERS.
TEXT, COUNT, ERROR = "text", "count", "error"


@dataclass(frozen=True)
class Link:
    """A cell that leads to another page; only HTML shows the target."""

    text: str
    target: str  # relative to the page

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class LabelledNumber:
    """A cell with a number in words; a page sorts it by the number."""

    text: str
    value: float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Column:
    key: str  # name in CSV files
    head: str  # heading; the unit is added
    kind: str = TEXT
    interval: str = ""  # "", "plus_minus", "brackets" or "three_digits"
    optional: bool = False  # omitted on a terminal that is too narrow
    keep_end: bool = False  # cut at the front if it is too long: cases differ at their ends
    of: Callable | str = ""  # for Table.of: a function of the item that returns its cell, or its attribute

    def cell(self, item):
        return getattr(item, self.of) if isinstance(self.of, str) else self.of(item)


@dataclass
class Table:
    key: str
    title: str
    columns: list[Column]
    rows: list[list[Any]]  # cells: str, int, float, Quantity, LabelledNumber, Link or None
    collapsed: bool = False  # long detail: folded in HTML, omitted on the terminal
    folded: bool = False  # folded in HTML only
    in_every_row: str = ""  # values that are the same in every row, shown once below the title

    @classmethod
    def of(cls, key: str, title: str, columns: list[Column], items: Iterable, **options) -> Table:
        """Returns a table with a row for each item."""
        rows = [[column.cell(item) for column in columns] for item in items]
        return cls(key, title, [replace(column, of="") for column in columns], rows, **options)


@dataclass(frozen=True)
class Axis:
    label: str
    kind: str = "plain"  # nodes, iterations, seconds, bytes, ratio, fraction, error, plain
    log: bool = True


@dataclass(frozen=True)
class Point:
    x: float
    y: Quantity
    note: str = ""  # tooltip


@dataclass
class Series:
    label: str
    colour: str  # "backend:cuda" or "solver:cg"
    points: list[Point]
    style: str = "solid"
    markers: bool = True


@dataclass
class LinePanel:
    title: str
    x: Axis
    y: Axis
    series: list[Series]
    y_range: tuple[float, float] | None = None
    reference: float | None = None  # a horizontal line


@dataclass(frozen=True)
class Dot:
    x: Quantity
    colour: str
    marker: str = "plain"
    filled: bool = True
    note: str = ""


@dataclass
class StripPanel:
    """Compares many rows on one axis: a line of dots for each row."""

    title: str
    x: Axis
    rows: list[tuple[str, list[Dot]]]
    reference: float | None = None


@dataclass(frozen=True)
class Roof:
    """A ceiling: a bandwidth, which is a slope, or a rate of operations."""

    label: str
    value: Quantity  # bytes or operations a second, with the measured spread


@dataclass(frozen=True)
class RoofPoint:
    """A case in a roofline."""

    intensity: float  # operations a byte of useful traffic
    flops: Quantity  # a second
    colour: str
    marker: str
    name: str  # label, drawn if there is room
    note: str
    declared: float | None = None  # operations a declared byte, if that differs from the useful traffic


@dataclass
class RooflinePanel:
    """Operations a second against operations a byte."""

    title: str
    slopes: list[Roof]  # bytes a second, the lowest first
    ceilings: list[Roof]  # operations a second, the lowest first
    points: list[RoofPoint]


@dataclass(frozen=True)
class Part:
    """Part of a bar."""

    label: str
    share: float  # of the whole bar
    colour: str
    note: str = ""


@dataclass
class BarPanel:
    """Bars of equal length, each divided into parts."""

    title: str
    x_label: str
    bars: list[tuple[str, list[Part], str]]  # label, parts, text of the whole


@dataclass
class HeatPanel:
    title: str
    x_label: str
    y_label: str
    cells: dict[tuple[int, int], float]  # (x, y) -> time relative to the best
    best: tuple[int, int]
    notes: dict[tuple[int, int], str] = field(default_factory=dict)  # times, for tooltips
    heading: str = ""  # heading of all tooltips, if not the title


@dataclass(frozen=True)
class Mark:
    """A change of level on a timeline."""

    x: float
    text: str
    worse: bool  # slower


@dataclass
class TimelinePanel:
    """One quantity over time: measured points, their levels, and where the levels jump."""

    title: str
    y: Axis
    points: list[Point]
    levels: list[tuple[list[float], list[float]]]  # pieces of a line: x, y
    marks: list[Mark]
    ticks: list[tuple[float, str]]


@dataclass
class Figure:
    key: str
    caption: str
    panels: list
    note: str = ""  # explains how to read the figure
    collapsed: bool = False
    share_y: bool = False  # the same range in every panel


# Text of a badge by verdict: of a contest, or of a comparison with a published experiment.
VERDICT_WORDS = {
    "faster": "clear",
    "tied": "tie",
    "unsure": "too few samples",
    "alone": "no rival",
    "agrees": "agrees",
    "same_direction": "same direction",
    "differs": "differs",
    "not_comparable": "not comparable",
    "not_measured": "not measured",
    "not_built": "not yet built",
    "out_of_reach": "out of reach",
}


@dataclass(frozen=True)
class Card:
    """A headline: the fastest row, its lead, and how certain that is."""

    title: str
    winner: str
    colour: str
    number: str
    detail: str
    verdict: str  # of VERDICT_WORDS
    others: str = ""  # the best of each other backend
    wide: bool = False
    link: str = ""  # page of the winner, relative to this page


@dataclass
class Section:
    key: str
    title: str
    finding: str = ""  # one plain sentence, computed
    text: list[str] = field(default_factory=list)  # further paragraphs
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    note: str = ""  # explains how the numbers are computed
    empty: str = ""  # reason for an empty section; then there are no tables or figures
    summed_up: bool = False  # the terminal shows only the finding, unless --rows is 0

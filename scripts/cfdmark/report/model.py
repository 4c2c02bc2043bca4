"""What a section of the report is made of: plain data, no formatting and no drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cfdmark.stats.quantity import Quantity

# Kinds of a column that are not in numbers.LADDERS.
TEXT, COUNT, ERROR = "text", "count", "error"


@dataclass(frozen=True)
class Link:
    """A cell that leads to another page; only HTML shows where to."""

    text: str
    target: str  # relative to the page

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class LabelledNumber:
    """A cell that says a number in words; a page sorts it by the number."""

    text: str
    value: float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Column:
    key: str  # name in CSV files
    head: str  # for people; the unit is added
    kind: str = TEXT
    interval: str = ""  # "", "plus_minus", "brackets" or "three_digits"
    optional: bool = False  # left out on a terminal where the table would not fit
    keep_end: bool = False  # cut at its front where there is no room: a case, whose end tells it apart


@dataclass
class Table:
    key: str
    title: str
    columns: list[Column]
    rows: list[list[Any]]  # cells: str, int, float, Quantity, LabelledNumber, Link or None
    collapsed: bool = False  # long detail: folded in HTML, left out on the terminal
    folded: bool = False  # folded in HTML only
    in_every_row: str = ""  # what would be the same in every line of a column, said once below the title


@dataclass(frozen=True)
class Axis:
    label: str
    kind: str = "plain"  # nodes, iterations, seconds, bytes, ratio, fraction, error, plain
    log: bool = True


@dataclass(frozen=True)
class Point:
    x: float
    y: Quantity
    note: str = ""  # shown when the pointer rests on it


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
    reference_label: str = ""


@dataclass(frozen=True)
class Dot:
    x: Quantity
    colour: str
    marker: str = "plain"
    filled: bool = True
    note: str = ""


@dataclass
class StripPanel:
    """One line of dots a row: compares many rows on one axis."""

    title: str
    x: Axis
    rows: list[tuple[str, list[Dot]]]
    reference: float | None = None
    reference_label: str = ""


@dataclass(frozen=True)
class Roof:
    """A line that no point should pass: a bandwidth, which is a slope, or a rate of operations."""

    label: str
    value: Quantity  # bytes or operations a second, with the measured spread


@dataclass(frozen=True)
class RoofPoint:
    """A case against the roofs."""

    intensity: float  # operations a byte of useful traffic
    flops: Quantity  # a second
    colour: str
    marker: str
    name: str  # written beside it where there is room
    note: str
    declared: float | None = None  # operations a byte that is moved, where that is not the useful traffic


@dataclass
class RooflinePanel:
    """Operations a second against operations a byte."""

    title: str
    slopes: list[Roof]  # bytes a second, the lowest first
    ceilings: list[Roof]  # operations a second, the lowest first
    points: list[RoofPoint]


@dataclass(frozen=True)
class Part:
    """Of a bar."""

    label: str
    share: float  # of the whole bar
    colour: str
    note: str = ""


@dataclass
class BarPanel:
    """Bars of one length, each made of parts: what a whole consists of."""

    title: str
    x_label: str
    bars: list[tuple[str, list[Part], str]]  # what it is of, its parts, what the whole is


@dataclass
class HeatPanel:
    title: str
    x_label: str
    y_label: str
    cells: dict[tuple[int, int], float]  # (x, y) -> time relative to the best
    best: tuple[int, int]
    notes: dict[tuple[int, int], str] = field(default_factory=dict)  # its time, for the pointer
    heading: str = ""  # what the pointer is told of every cell, where the title is not enough


@dataclass(frozen=True)
class Mark:
    """A place on a timeline that is to be seen: a level that changed."""

    x: float
    text: str
    worse: bool  # slower


@dataclass
class TimelinePanel:
    """One quantity over time, a point a measurement: points, the levels they lie around, and where these
    jump."""

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
    note: str = ""  # how to read it
    collapsed: bool = False
    share_y: bool = False  # the same range in every panel


# What a badge says, by the verdict: of a contest here, or of a comparison with a published experiment.
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
    """A headline: who is fastest, by how much, how sure."""

    title: str
    winner: str
    colour: str
    number: str
    detail: str
    verdict: str  # of VERDICT_WORDS
    others: str = ""  # the best of each other backend
    wide: bool = False
    link: str = ""  # of the winner, relative to the page


@dataclass
class Section:
    key: str
    title: str
    finding: str = ""  # one plain sentence, computed
    text: list[str] = field(default_factory=list)  # paragraphs that follow it
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    note: str = ""  # how the numbers are made
    empty: str = ""  # why there is nothing; set means no tables and figures
    summed_up: bool = False  # the terminal shows the finding only, unless all is asked for

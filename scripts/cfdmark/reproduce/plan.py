"""Plan of a comparison: the contents of `here`, as plan_schema.py reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from cfdmark.stats.quantity import Quantity

from .measures import Measure
from .rows import Row


@dataclass(frozen=True)
class Condition:
    measure: Measure
    above: bool
    bound: float


@dataclass(frozen=True)
class Finding:
    what: str
    here: Measure | None
    order: dict[str, Measure]  # each is smaller than the next
    fair: Measure | None
    published: Quantity | None
    test: str
    factor: float
    obstacle: str
    unit: str
    each: list[str]  # backends that it is repeated for; "" means once


@dataclass(frozen=True)
class Sentence:
    text: str
    measures: dict[str, Measure]  # by placeholder
    condition: Condition | None
    each: list[str]


@dataclass(frozen=True)
class Curve:
    label: str
    colour: str
    of: Measure


@dataclass(frozen=True)
class Level:
    """A published value: a line over all sizes, or a point at its own size."""

    label: str
    colour: str
    at: float
    nodes: float | None
    note: str


@dataclass(frozen=True)
class Panel:
    title: str
    y: str
    curves: list[Curve]
    levels: list[Level]
    reference: float | None
    each: list[str]


@dataclass(frozen=True)
class Drawing:
    name: str
    caption: str
    note: str
    panels: list[Panel]


@dataclass(frozen=True)
class Tabulation:
    """A table with a row for each grid of the row `grids`, or for each record of `records` on its largest
    grid."""

    name: str
    title: str
    grids: str
    records: list[str]
    columns: list[tuple[str, Measure]]
    each: list[str]


@dataclass(frozen=True)
class Plan:
    protocol: list[str]
    rows: dict[str, Row]
    findings: list[Finding]
    why: list[Sentence] = field(default_factory=list)
    tables: list[Tabulation] = field(default_factory=list)
    figures: list[Drawing] = field(default_factory=list)
    transfers: str = ""
    operations: float | None = None
    reduction: float | None = None
    grid: tuple[int, ...] = ()  # the document's own
    code: str = ""  # module of experiments/ with further code
    measured_with: tuple[str, ...] = ()  # experiments whose records it uses, instead of its own

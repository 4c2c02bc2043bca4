"""Plan of a comparison: the contents of `here`, as plan_schema.py reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from cfdmark.stats.quantity import Quantity

from .measures import Measure
from .rows import Row
from .verdict import SAME_SIZE

NO_TRANSFERS = (
    "Times here are those of the work alone: the data stay in the memory of the device, and transfers "
    "between host and device are not in them."
)


@dataclass(frozen=True)
class Condition:
    measure: Measure
    above: bool
    bound: float


@dataclass(frozen=True)
class Finding:
    what: str
    here: Measure | None = None
    order: dict[str, Measure] = field(default_factory=dict)  # each is smaller than the next
    fair: Measure | None = None
    published: Quantity | None = None
    test: str = ""
    factor: float = SAME_SIZE
    obstacle: str = ""
    unit: str = ""
    each: list[str] = field(default_factory=lambda: [""])  # backends that it is repeated for; "" means once


@dataclass(frozen=True)
class Sentence:
    say: str
    condition: Condition | None = None
    each: list[str] = field(default_factory=lambda: [""])
    measures: dict[str, Measure] = field(default_factory=dict)  # by placeholder


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
    nodes: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Panel:
    title: str
    y: str
    lines: list[Curve]
    published: list[Level] = field(default_factory=list)
    reference: float | None = None
    each: list[str] = field(default_factory=lambda: [""])


@dataclass(frozen=True)
class Drawing:
    name: str
    caption: str
    panels: list[Panel]
    note: str = ""


@dataclass(frozen=True)
class Tabulation:
    """A table with a row for each grid of the row `grids`, or for each record of `records` on its largest
    grid."""

    name: str
    title: str
    columns: list[Head]
    grids: str = ""
    records: list[str] = field(default_factory=list)
    each: list[str] = field(default_factory=lambda: [""])


@dataclass(frozen=True)
class Head:
    """A column of a table."""

    head: str
    of: Measure


@dataclass(frozen=True)
class Plan:
    protocol: list[str]
    rows: dict[str, Row]
    findings: list[Finding]
    why: list[Sentence] = field(default_factory=list)
    tables: list[Tabulation] = field(default_factory=list)
    figures: list[Drawing] = field(default_factory=list)
    transfers: str = NO_TRANSFERS  # sentence on the transfers that the times contain
    operations: float | None = None
    reduction: float | None = None
    grid: tuple[int, ...] = ()  # the document's own
    code: str = ""  # module of experiments/ with further code
    measured_with: tuple[str, ...] = ()  # experiments whose records it uses, instead of its own

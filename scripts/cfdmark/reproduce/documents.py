"""Published data for the pages: contents of cfdmark.published as quantities and tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cfdmark.published.load import load_all
from cfdmark.published.model import Experiment
from cfdmark.published.model import Table as PublishedTable
from cfdmark.published.nodes import BadFile
from cfdmark.records.records import BadInput
from cfdmark.report.model import Column, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import capital, listed

from .plan import Plan
from .plan_schema import read_plan
from .verdict import span

TRANSFERS = {
    "included": "The document counts transfers between host and device in its times.",
    "excluded": "The document leaves transfers between host and device out of its times.",
    "not stated": "The document does not say whether its times hold transfers between host and device.",
    "none": "Nothing was transferred.",
}
CLAIMS = [
    Column("name", "value", of=lambda claim: claim.name.replace("_", " ")),
    Column("value", "published", "plain", of=lambda claim: "about " * claim.approximate + claim.value.text),
    Column("unit", "unit", of=lambda claim: unit_text(claim.unit)),
    Column("text", "in words", of="text"),
    Column("place", "where", of="place"),
]
HARDWARE = [
    Column("role", "role", of="role"),
    Column("name", "hardware", of="name"),
    Column("note", "note", of="note"),
]


def shown(published: Quantity | None) -> str | None:
    """Returns 22, or 1.18 to 1.25: the published digits and no more."""
    return None if published is None else span(published)


@dataclass(frozen=True)
class Document:
    """One experiment as its document describes it."""

    data: Experiment
    plan: Plan | None = None  # plan of the comparison; None if there is none

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def measured_with(self) -> tuple[str, ...]:
        """The experiments whose records it uses: usually its own."""
        return (self.plan and self.plan.measured_with) or (self.id,)

    @property
    def title(self) -> str:
        return self.data.title

    @cached_property
    def source(self) -> str:
        """For example: Jason Normore (2010), table 6.3."""
        author, year, title, place = (self.data.source[key] for key in ("author", "year", "title", "place"))
        if author == "not stated":
            return f"{capital(title)}, {place}"
        return f"{author} ({year if year.isdigit() else 'undated'}), {place}"

    @property
    def citation(self) -> str:
        source = self.data.source
        return ", ".join(
            source[key] for key in ("author", "title", "year", "place") if source[key] != "not stated"
        )

    @property
    def setting(self) -> list[str]:
        """Paragraphs on the method of the document."""
        return [
            f"Method: {self.data.method}",
            f"Varied: {listed(self.data.varied)}. Recorded: {listed(self.data.recorded)}.",
            f"Baseline: {self.data.baseline}. {TRANSFERS[self.data.transfers]}".replace("..", "."),
        ]

    @property
    def remarks(self) -> list[str]:
        """Paragraphs: notes on the document, its contradictions, and what it does not state."""
        against = [f"Contradiction between {listed(c.between)}: {c.text}" for c in self.data.contradictions]
        return [*self.data.notes, *against] + ([self.data.unavailable] if self.data.unavailable else [])

    def tables(self) -> list[Table]:
        return [
            *map(published_table, self.data.tables),
            Table.of("claims", "Values stated in the text", CLAIMS, self.data.claims),
            Table.of("hardware", "Hardware of that time", HARDWARE, self.data.hardware),
        ]


def unit_text(unit: str | None) -> str:
    return "" if unit in (None, "1") else unit


def published_table(table: PublishedTable) -> Table:
    """Returns the table as printed: every number with its digits."""
    columns = [
        Column(
            c.name,
            heading(c.text or c.name.replace("_", " "), unit_text(c.unit)),
            "plain" if c.unit else "text",
        )
        for c in table.columns
    ]
    rows = [[getattr(cell, "text", cell) for cell in row] for row in table.rows]
    about = ", approximate" if table.approximate else ""
    said = table.place or ("" if table.name == "main" else table.name.replace("_", " "))
    return Table(f"published-{table.name}", f"Published{': ' if said else ''}{said}{about}", columns, rows)


def heading(said: str, unit: str) -> str:
    return f"{said} ({unit})" if unit else said


def with_plan(data: Experiment) -> Document:
    """Raises BadFile."""
    return Document(data, read_plan(data.here, data) if data.here else None)


def read_documents(paths: list[Path]) -> tuple[dict[str, Document], list[str]]:
    """Returns documents by id, and the errors of the others: file, line and fix."""
    experiments, wrong = load_all(paths)
    documents = {}
    for data in experiments:
        try:
            documents[data.id] = with_plan(data)
        except BadFile as problem:
            wrong.append(str(problem))
    return documents, wrong


def read_all(folder: Path) -> dict[str, Document]:
    """Returns documents by id. Raises BadInput naming file and line of every error."""
    documents, wrong = read_documents(sorted(folder.glob("*.yaml")))
    if wrong:
        raise BadInput("\n".join(wrong))
    if not documents:
        raise BadInput(f"no published data in {folder}")
    return documents

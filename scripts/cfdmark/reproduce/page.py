"""One experiment as sections: the verdict, the problem, what was published, what is measured now, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cfdmark.places import REPRODUCE_SWEEPS
from cfdmark.records.records import Dataset
from cfdmark.report.baseline import Baselines, parse_selector
from cfdmark.report.model import VERDICT_WORDS, Card, Column, Section, Table
from cfdmark.report.renderers.cells import with_columns
from cfdmark.report.sections import cases, environment, not_run
from cfdmark.report.sections.context import Context
from cfdmark.text.numbers import three_digits
from cfdmark.text.wording import capital, grid_text, listed

from .missing import without_record
from .comparison import Comparison, Line
from .documents import Document, shown
from .verdict import AGREES, DIFFERS, SAME_DIRECTION, Verdict

HUES = {word: f"verdict:{word}" for word in (AGREES, SAME_DIRECTION, DIFFERS)}
COLUMNS = [
    Column("what", "finding", of="what"),
    Column("unit", "unit", of="unit"),
    Column("published", "published", "plain", of=lambda line: shown(line.published)),
    Column("here", "measured here", "plain", "three_digits", of="here"),
    Column("fair", "fair today", "plain", "three_digits", of="fair"),
    Column("ratio", "here / published", "ratio", of=lambda line: line.ratio.value if line.ratio else None),
    Column("verdict", "verdict", of=lambda line: VERDICT_WORDS[line.verdict.word]),
    Column("reason", "test, or obstacle", of=lambda line: line.verdict.reason),
]
ROWS = [
    Column("what", "finding", of="what"),
    Column("here", "rows compared", of="rows"),
    Column("fair", "fair today", of="fair_rows"),
]
READING = (
    "Measured here: by the rules of the document. Fair today: the best row of the one side against the "
    "best of the other, all cores of the CPU at work. Brackets hold 95 % intervals, or the number of samples "
    "where a process has fewer than six; the ratio to a published range is that to its middle."
)
MOST_NAMED = 12  # cases in a sentence


def hue(verdict: Verdict) -> str:
    return HUES.get(verdict.word, "verdict:open")


def headline(lines: list[Line]) -> str:
    """Returns the main finding in numbers, as far as there are any."""
    main = lines[0]
    summary = [f"published {shown(main.published)}"] if main.published else []
    summary += [f"here {three_digits(main.here)}"] if main.here else []
    return f"{main.what}: {', '.join(summary)} {main.unit}" if summary else ""


def card(document: Document, verdict: Verdict, number: str, link: str = "", wide: bool = True) -> Card:
    return Card(
        f"{document.id} · {document.source}",
        document.title,
        hue(verdict),
        number,
        verdict.reason,
        verdict.word,
        wide=wide,
        link=link,
    )


def in_short(document: Document, comparison: Comparison) -> Section:
    verdict = comparison.verdict()
    summary = f"Verdict: {VERDICT_WORDS[verdict.word]}. {capital(verdict.reason)}."
    section = Section("verdict", "In short", summary)
    section.cards = [card(document, verdict, headline(comparison.lines))]
    section.tables = [Table.of("comparison", "Published and measured here", COLUMNS, comparison.lines)]
    if with_rows := [line for line in comparison.lines if line.rows or line.fair_rows]:
        section.tables.append(Table.of("rows", "Which rows were compared", ROWS, with_rows, collapsed=True))
    section.note = READING
    return section


def for_terminal(section: Section) -> Section:
    """Moves the reasons from the table, which has no room for them, into a list."""
    if section.key != "verdict" or not section.tables:
        return section
    table = section.tables[0]
    kept = [i for i, column in enumerate(table.columns) if column.key != "reason"]
    reasons = [f"{n}. {cells[0]}: {cells[-1]}." for n, cells in enumerate(table.rows, 1)]
    rows = [[f"{n}. {cells[0]}", *cells[1:]] for n, cells in enumerate(table.rows, 1)]
    return replace(section, text=reasons, tables=[with_columns(replace(table, rows=rows), kept)])


def question(document: Document) -> Section:
    """Returns background for a reader who has not seen the document."""
    return Section("question", "The problem and the method", document.data.problem, document.setting)


def found_then(document: Document) -> Section:
    section = Section("then", "What was found then", document.data.found, document.remarks)
    section.tables = [t for t in document.tables() if t.rows]
    section.note = f"Source: {document.citation}."
    return section


def found_now(comparison: Comparison) -> Section:
    section = Section("now", "What is found now, and why")
    measured = comparison.tables or any(line.here for line in comparison.lines)
    nothing = "Nothing that can be compared has been measured on this machine."
    said = comparison.why or ["What was measured stands in the first table of this page." if measured else nothing]
    section.finding, section.text = said[0], said[1:]
    section.figures, section.tables = comparison.figures, comparison.tables
    return section


def protocol(comparison: Comparison) -> Section:
    dataset = comparison.measured.dataset
    sweeps = [REPRODUCE_SWEEPS / f"{name}.yaml" for name in comparison.document.measured_with]
    left_out = too_large(dataset) + not_reached(dataset, sweeps)
    plan = comparison.plan
    return Section("protocol", "How it is measured here", plan.transfers, plan.protocol + left_out)


def too_large(dataset: Dataset) -> list[str]:
    """Returns a sentence on sizes that exceed this machine's memory; none if there are none."""
    refused = [r for r in dataset.records if not r.ok and "too large" in r.reason]
    if not refused:
        return []
    sizes = sorted({(r.nodes, grid_text(r), r.backend) for r in refused})
    named = listed([f"{grid} on {backend}" for _, grid, backend in sizes])
    return [f"Too large for this machine, so that the largest size that fits is compared instead: {named}."]


def not_reached(dataset: Dataset, sweeps: list[Path]) -> list[str]:
    """Returns a sentence on cases of the sweeps that have no record; none if there are none."""
    missing = [case for sweep in sweeps for case in without_record(dataset, sweep)]
    if not missing:
        return []
    return [f"Not measured, as the run ended before or was without them: {listed(missing, limit=MOST_NAMED)}."]


def sections_of(document: Document, comparison: Comparison) -> list[Section]:
    dataset = comparison.measured.dataset
    context = Context(dataset, Baselines(dataset, parse_selector(None, dataset)))
    made = [
        in_short(document, comparison),
        question(document),
        found_then(document),
        found_now(comparison),
        protocol(comparison),
    ]
    more = [not_run, cases, environment] if dataset.records else []
    return made + [module.build(context) for module in more]


def sections_of_unmeasured(document: Document) -> list[Section]:
    """Returns the sections of an experiment that cannot be run, or not yet."""
    data = document.data
    why = f"Not yet built: needs {data.lacks}." if data.lacks else f"Out of reach. {data.out_of_reach}"
    short = Section("verdict", "In short", f"{why} What was published is below.")
    return [short, question(document), found_then(document)]

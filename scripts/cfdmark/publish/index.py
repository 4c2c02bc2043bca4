"""Index of the site: problems, devices, experiments across them, layouts, spaces and history."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark.records.records import Dataset
from cfdmark.report.model import COUNT, VERDICT_WORDS, Column, Link, Section, Table
from cfdmark.report.renderers.html import summary
from cfdmark.reproduce.index import obstacle
from cfdmark.text.wording import plural

from . import side_by_side
from .found import Device, Entry, Found

FILES = [
    Column("file", "records"),
    Column("measured", "cases measured", COUNT),
    Column("without", "without a time", COUNT),
    Column("date", "date"),
    Column("commit", "commit"),
    Column("holds", "holds"),
]
UNREAD = "could not be read"


@dataclass(frozen=True)
class OtherPage:
    """A page that belongs to no device."""

    name: str
    page: str
    holds: str


PAGES = [
    Column("page", "page", of=lambda other: Link(other.name, other.page)),
    Column("holds", "holds", of="holds"),
]
UNMEASURED = [
    Column("id", "experiment", of="id"),
    Column("title", "title", of=lambda document: f"{document.title} ({document.source})"),
    Column("found", "published", of=lambda document: document.data.found),
    Column("needs", "needs", of=lambda made: obstacle(made) or f"a run: cfdmark reproduce {made.id}"),
]


def file_row(entry: Entry, device: Device) -> list:
    name = entry.path.relative_to(device.folder).as_posix()
    if not entry.dataset:
        return [name, None, None, "", "", UNREAD]
    holds = entry.result.document.title if entry.result else "a run: every section of the report"
    counts = [entry.measured, entry.without_time]
    return [Link(name, entry.page), *counts, entry.dates, entry.commits, holds]


def roofline_row(device: Device) -> list:
    runs = plural(len(device.runs), "run")
    measured = sum(e.measured for e in device.runs)
    holds = f"the roofline of {runs}: what bounds each case, launches, cache, memory or arithmetic"
    return [Link("roofline", device.roofline), measured, sum(e.without_time for e in device.runs), "", "", holds]


def device_section(device: Device) -> Section:
    everything = Dataset()
    for entry in device.entries:
        if entry.dataset:
            everything.records += entry.dataset.records
            everything.environments |= entry.dataset.environments
    key = f"device-{device.name}"
    section = Section(key, device.name, summary(everything) or "None of its records can be read.")
    rows = [roofline_row(device)] if device.runs else []
    rows += [file_row(e, device) for e in device.entries]
    section.tables = [Table(f"pages-{device.name}", "Records, and a page of each", FILES, rows)]
    return section


def verdict_cell(device: Device, name: str):
    entry = next((e for e in device.experiments if e.result.document.id == name), None)
    if entry is None:
        return "–"
    summary = [VERDICT_WORDS[entry.result.verdict.word], entry.result.number]
    return Link(". ".join(filter(None, summary)), entry.page)


def verdicts_text(device: Device) -> str:
    """Returns: nvidia-h200: 12 agrees, 3 differs."""
    words = [VERDICT_WORDS[entry.result.verdict.word] for entry in device.experiments]
    counts = [f"{words.count(word)} {word}" for word in VERDICT_WORDS.values() if word in words]
    return f"{device.name}: {', '.join(counts)}."


def experiments_section(found: Found) -> Section:
    section = Section("experiments", "Published experiments, measured again")
    measured = {e.result.document.id for d in found.devices for e in d.experiments}
    shown = [d for d in found.devices if d.experiments]
    columns = [Column("what", "experiment"), Column("found", "published"), *(Column(d.name, d.name) for d in shown)]
    rows = [
        [f"{document.title} ({document.source})", document.data.found, *(verdict_cell(d, name) for d in shown)]
        for name, document in found.documents.items()
        if name in measured
    ]
    others = [document for name, document in found.documents.items() if name not in measured]
    section.finding = f"{plural(len(rows), 'experiment')} measured, {len(others)} published and not measured yet."
    section.text = [verdicts_text(device) for device in sorted(shown, key=lambda d: -len(d.experiments))]
    if rows:
        section.tables.append(Table("experiments", "Verdicts by device", columns, rows))
    if others:
        section.tables.append(Table.of("unbuilt", "Published, and not measured here yet", UNMEASURED, others, folded=True))
    return section


def others_section(pages: list[OtherPage]) -> Section:
    section = Section("others", "Layouts, tuning spaces, history and words")
    section.tables = [Table.of("pages-others", "Pages", PAGES, pages)]
    return section


def problems_section(problems: list[str]) -> Section:
    section = Section("problems", "Could not be read", f"{plural(len(problems), 'problem')} in the files.")
    rows = [[f"{UNREAD}: {problem}"] for problem in problems]
    title = "The rest of such a file is shown, if there is any"
    section.tables = [Table("problems", title, [Column("what", "what")], rows)]
    return section


def sections_of(found: Found, pages: list[OtherPage]) -> list[Section]:
    made = [problems_section(found.problems)] if found.problems else []
    if found.documents:
        made.append(experiments_section(found))
    if len(found.devices) > 1:
        made.append(side_by_side.section_of(found))
    made += [device_section(d) for d in found.devices]
    return made + ([others_section(pages)] if pages else [])


def subtitle(found: Found) -> str:
    files = sum(len(d.entries) for d in found.devices)
    return f"{plural(len(found.devices), 'device')} · {plural(files, 'records file')}"

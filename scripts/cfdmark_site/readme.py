"""The tables and the picture in a device's README, made from its records between two marks."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from cfdmark_report.drawing import draw
from cfdmark_report.model import VERDICT_WORDS, COUNT, Column, LinePanel, Table
from cfdmark_report.output import write_whole
from cfdmark_report.palette import Palette
from cfdmark_report.records import BadInput, read_text, shown
from cfdmark_report.renderers.markdown import render_table
from cfdmark_report.sections import headline, time
from cfdmark_report.sections.environment import ROOF_COLUMNS, roof_rows
from cfdmark_reproduce.verdict import Verdict

from .found import Device, Entry

BEGIN = "<!-- tables of the records, made by ./scripts/site --readmes: change nothing down to the end mark -->"
END = "<!-- end of the tables of the records -->"
PICTURE = "picture.svg"
FILES = [
    Column("file", "records"),
    Column("measured", "cases measured", COUNT),
    Column("without", "without a time", COUNT),
    Column("date", "date"),
    Column("commit", "commit"),
]
EXPERIMENTS = [Column("id", "experiment"), Column("verdict", "verdict"), Column("number", "main finding")]


def files_table(device: Device) -> Table:
    rows = [
        [e.path.relative_to(device.folder).as_posix(), e.measured, e.without_time, e.dates, e.commits]
        for e in device.entries
        if e.dataset
    ]
    return Table("files", "Records (a + after a commit: with uncommitted changes)", FILES, rows)


def run_tables(entry: Entry) -> list[Table]:
    made = headline.build(entry.context).tables
    for table in made:
        table.title = f"{entry.path.name}: {table.title[:1].lower()}{table.title[1:]}"
    roofs = [row[1:] for row in roof_rows(entry.environments[:1])]
    if roofs:
        made.append(Table("roofs", f"{entry.path.name}: roofs of the first start", ROOF_COLUMNS[1:], roofs))
    return made


def word_of(verdict: Verdict) -> str:
    """differs, by one sample"""
    word = VERDICT_WORDS[verdict.word]
    return f"{word}, {verdict.by}" if verdict.by else word


def experiments_table(device: Device) -> Table:
    results = [e.result for e in device.experiments]
    rows = [[r.document.id, word_of(r.verdict), r.number] for r in results]
    return Table("experiments", "Published experiments, measured again", EXPERIMENTS, rows)


def picture_of(device: Device) -> str:
    """The lines with most points of the runs' times, as a picture that stands alone; empty without any."""
    figures = [(e, p) for e in device.runs for f in time.build(e.context).figures for p in f.panels]
    lines = [(e, p) for e, p in figures if isinstance(p, LinePanel)]
    if not lines:
        return ""
    entry, panel = max(lines, key=lambda pair: sum(len(s.points) for s in pair[1].series))
    svg = draw(panel, Palette(entry.dataset), "picture")
    # What a page gives its pictures: a name space, and paper under dark ink.
    named = '<svg xmlns="http://www.w3.org/2000/svg" style="background:#ffffff" font-family="sans-serif"'
    return svg.replace("<svg", named, 1) + f"\n{drawn_from(entry.path)}\n"


def drawn_from(path: Path) -> str:
    """The line of a picture that says what it shows, so that records which have changed since are noticed."""
    return f"<!-- drawn from {path.name}, sha256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]} -->"


def tables_text(device: Device) -> str:
    tables = [files_table(device), *(t for e in device.runs for t in run_tables(e))]
    if device.experiments:
        tables.append(experiments_table(device))
    return "\n\n".join(render_table(t) for t in tables)


def made_part(device: Device, has_picture: bool) -> str:
    picture = f"![times of {device.name}]({PICTURE})\n\n" if has_picture else ""
    return f"{BEGIN}\n\n{picture}{tables_text(device)}\n\n{END}"


def with_tables(text: str, made: str, path: Path) -> str:
    """The README with what stands between the marks replaced; at its end where it has no marks yet."""
    if text.count(BEGIN) != text.count(END) or text.count(BEGIN) > 1:
        wanted = f"there must be one of each: {BEGIN} {END}"
        raise BadInput(f"{path}: the marks around its tables are damaged; {wanted}")
    if BEGIN not in text:
        return f"{text.rstrip()}\n\n{made}\n".lstrip()
    return re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: made, text, flags=re.S)


def write_readme(device: Device) -> None:
    path = device.folder / "README.md"
    text = read_text(path) if path.exists() else f"# {device.name}\n"
    picture = picture_of(device)
    whole = with_tables(text, made_part(device, bool(picture)), path)
    if picture:
        write_whole(device.folder / PICTURE, picture)
    write_whole(path, whole)
    print(f"site: {shown(path)}", flush=True)

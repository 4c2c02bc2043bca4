"""A device's README: headlines, tables and picture, made from its records between two marks."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.records.machine import gpu_of, on_gpu, part
from cfdmark.records.records import BadInput, Dataset, Record, read_text, shown
from cfdmark.report.drawing import draw
from cfdmark.report.model import COUNT, VERDICT_WORDS, Column, LinePanel, Table
from cfdmark.report.palette import Palette
from cfdmark.report.renderers.markdown import render_table
from cfdmark.report.sections import energy, time
from cfdmark.reproduce.verdict import Verdict
from cfdmark.text.wording import from_to, plural

from . import accuracy, by_size, headlines, tuned
from .certainty import certainty_text
from .found import Device

BEGIN = "<!-- tables of the records, made by ./scripts/site --readmes: change nothing down to the end mark -->"
END = "<!-- end of the tables of the records -->"
PICTURE = "picture.svg"
MACHINES = [
    Column("cpu", "processor"),
    Column("cores", "cores", COUNT),
    Column("built", "built for"),
    Column("compiler", "compiler"),
    Column("cases", "cases on it", COUNT),
]


def records_text(device: Device) -> str:
    """Returns: 63 files of records, 2,464 current cases, measured 2026-11-22 to 2026-11-29 on 31 GPUs, ..."""
    current = device.current.records
    days = from_to(sorted(r.written[:10] for r in current))
    found = {gpu_identity(e.dataset, r) for e in device.entries if e.dataset for r in e.dataset.ok()} - {""}
    seen = f" on {plural(len(found), 'GPU')}, distinguished by the numbers that their maker gave them" if found else ""
    files = plural(sum(bool(e.dataset) for e in device.entries), "file")
    when = f", measured {days}" if days else ""
    return f"{files} of records, {plural(len(current), 'current case')}{when}{seen}."


def gpu_identity(dataset: Dataset, record: Record) -> str:
    """Returns the identity of the GPU that a case ran on; empty for none, or if the record lacks it."""
    environment = dataset.environments.get(record.environment, {})
    return str(gpu_of(record.raw, environment).get("identity", "")) if on_gpu(record.raw, environment) else ""


def machines_table(device: Device) -> Table:
    """Returns the processors that cases ran on, and the program's instruction set there."""
    counts: Counter = Counter()
    for entry in device.entries:
        for record in entry.dataset.ok() if entry.dataset else []:
            if record.on_host:
                counts[processor_of(entry.dataset.environments.get(record.environment, {}))] += 1
    rows = [[*key, count] for key, count in counts.most_common()]
    return Table("machines", "Cases on processors (built for: the instruction set)", MACHINES, rows)


def processor_of(environment: dict) -> tuple:
    host, program = part(environment, "host"), part(environment, "program")
    return (host.get("cpu"), host.get("cores"), program.get("instruction_set"), program.get("compiler"))


def word_of(verdict: Verdict) -> str:
    """Returns: differs, by one sample."""
    word = VERDICT_WORDS[verdict.word]
    return f"{word}, {verdict.by}" if verdict.by else word


def first_sentence(text: str) -> str:
    """Returns the text up to its first full stop; a point within a number or a name is not a full stop."""
    return text.split(". ")[0].removesuffix(".")


EXPERIMENTS = [
    Column("id", "experiment", of=lambda entry: entry.result.document.id),
    Column("verdict", "verdict", of=lambda entry: word_of(entry.result.verdict)),
    Column("number", "main finding", of=lambda entry: entry.result.number),
    Column("reason", "reason", of=lambda entry: first_sentence((entry.result.why or [entry.result.verdict.reason])[0])),
]


def picture_of(device: Device) -> str:
    """Returns the panel with most points of the runs' times, as a standalone picture; empty without any."""
    figures = [(e, p) for e in device.runs for f in time.build(e.context).figures for p in f.panels]
    lines = [(e, p) for e, p in figures if isinstance(p, LinePanel)]
    if not lines:
        return ""
    entry, panel = max(lines, key=lambda pair: sum(len(s.points) for s in pair[1].series))
    svg = draw(panel, Palette(entry.dataset), "picture")
    # A page provides these for its pictures: the name space and a light background.
    named = '<svg xmlns="http://www.w3.org/2000/svg" style="background:#ffffff" font-family="sans-serif"'
    return svg.replace("<svg", named, 1) + f"\n{drawn_from(entry.path)}\n"


def drawn_from(path: Path) -> str:
    """Returns the line of a picture that identifies its records, so that changed records are noticed."""
    return f"<!-- drawn from {path.name}, sha256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]} -->"


def commits_text(device: Device) -> str:
    """Returns the number of commits whose programs measured the current records, or the one."""
    shas = {commit for e in device.entries if e.dataset for commit in e.commits.split(", ")} - {""}
    if len(shas) == 1:
        return f"All are of commit {shas.pop()}."
    return f"They are of {plural(len(shas), 'commit')}; `cfdmark campaign` measures again what has changed since."


def limits_text(device: Device) -> str:
    """Returns what the numbers do not say, as a list."""
    failed = [r for e in device.entries if e.dataset for r in e.dataset.records if not r.ok and r.status != "not_run"]
    points = [
        "An interval of two processes holds the median of a third in about two of three cases: a lead is clear only"
        " beyond the spread between processes.",
        energy.withheld(device.current.records),
        f"{plural(len(failed), 'case')} failed and {'has' if len(failed) == 1 else 'have'} no time." if failed else "",
    ]
    return "\n".join(f"- {point}" for point in points if point)


def tables_text(device: Device) -> str:
    """Returns the page of a device from what its records say; parts without contents are absent."""
    title = "Published experiments, measured again"
    experiments = Table.of("experiments", title, EXPERIMENTS, device.experiments)
    found, ties = by_size.split(by_size.contests(device.current.records))
    layouts = tuned.entries_of(device.folder.parent / "tuned" / device.name)
    best = headlines.headlines(device.context_of_current)
    parts = [
        " ".join([records_text(device), commits_text(device), certainty_text(device.current.records)]),
        "\n".join(["**Headlines**", "", *(f"- {text}" for text in best)]) if best else "",
        *tables([by_size.table(device, found)]),
        by_size.ties_text(device, ties),
        *tables([experiments, accuracy.table(device)]),
        tuned.finding(layouts) if layouts else "",
        *tables([tuned.table(layouts), machines_table(device)]),
        "\n".join(["**Limits**", "", limits_text(device)]),
    ]
    return "\n\n".join(part for part in parts if part)


def tables(made: list[Table]) -> list[str]:
    return [render_table(table) for table in made if table.rows]


def made_part(device: Device, has_picture: bool) -> str:
    picture = f"![times of {device.name}]({PICTURE})\n\n" if has_picture else ""
    return f"{BEGIN}\n\n{picture}{tables_text(device)}\n\n{END}"


def with_tables(text: str, made: str, path: Path) -> str:
    """Returns the README with the text between the marks replaced; appends it if there are no marks."""
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

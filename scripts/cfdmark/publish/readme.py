"""Tables and picture of a device's README, made from its records between two marks."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.records.machine import gpu_of, on_gpu, part
from cfdmark.records.records import BadInput, Dataset, Record, read_text, shown
from cfdmark.records.select import contest_of, fastest, grouped, main_precision, name_rank
from cfdmark.report.current import workload_key
from cfdmark.report.drawing import draw
from cfdmark.report.model import COUNT, VERDICT_WORDS, Column, LinePanel, Table
from cfdmark.report.palette import Palette
from cfdmark.report.renderers.markdown import render_table
from cfdmark.report.sections import time
from cfdmark.reproduce.verdict import Verdict
from cfdmark.text.wording import from_to, grid_text, plural, row_text

from .found import Device

BEGIN = "<!-- tables of the records, made by ./scripts/site --readmes: change nothing down to the end mark -->"
END = "<!-- end of the tables of the records -->"
PICTURE = "picture.svg"
LARGE = 4  # a grid with at least a quarter of the cells of the largest counts as large
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


def fastest_pairs(device: Device) -> list[list[Record]]:
    """Returns the two fastest current records of each kernel and solver, on the large grid with most rows."""
    made = []
    for group in grouped(device.current.records, contest_of).values():
        precision = main_precision(group)
        by_workload = grouped([r for r in group if r.precision == precision], workload_key).values()
        contests = [best for g in by_workload if len(best := best_of_rows(g)) > 1]
        if contests:
            large = max(best[0].nodes for best in contests) / LARGE
            contests = [best for best in contests if best[0].nodes >= large]
            made.append(max(contests, key=lambda best: (len(best), best[0].nodes, best[0].written)))
    return sorted((best[:2] for best in made), key=lambda best: name_rank(best[0]))


def best_of_rows(records: list[Record]) -> list[Record]:
    rows = grouped(records, lambda r: (r.backend, r.method)).values()
    return sorted(map(fastest, rows), key=lambda r: r.iteration_time.value)


def fastest_table(device: Device) -> Table:
    """Returns a table with a row for each pair of the fastest record and the next."""

    def what(pair: list[Record]) -> str:
        first = pair[0]
        kind = " solver" if first.kind == "solver" and first.name in device.context.shared_names else ""
        problem = f", {first.problem}" if first.problem else ""
        return f"{first.name}{kind}{problem}{'' if first.dims == 2 else ' 3-D'}"

    columns = [
        Column("what", "kernel or solver", of=what),
        Column("precision", "precision", of=lambda pair: pair[0].precision),
        Column("grid", "grid", of=lambda pair: grid_text(pair[0])),
        Column("row", "fastest", of=lambda pair: row_text(pair[0])),
        Column("time", "time per iteration", "seconds", "plus_minus", of=lambda pair: pair[0].iteration_time),
        Column("next", "next best", of=lambda pair: row_text(pair[1])),
        Column("next_time", "its time", "seconds", "plus_minus", of=lambda pair: pair[1].iteration_time),
        Column("records", "records", of=lambda pair: pair[0].file.name),
        Column("date", "date", of=lambda pair: pair[0].written[:10]),
    ]
    title = "Fastest today, by the newest clean record of each case; of the large grids that with most rows"
    return Table.of("fastest", title, columns, fastest_pairs(device))


def word_of(verdict: Verdict) -> str:
    """Returns: differs, by one sample."""
    word = VERDICT_WORDS[verdict.word]
    return f"{word}, {verdict.by}" if verdict.by else word


EXPERIMENTS = [
    Column("id", "experiment", of=lambda entry: entry.result.document.id),
    Column("verdict", "verdict", of=lambda entry: word_of(entry.result.verdict)),
    Column("number", "main finding", of=lambda entry: entry.result.number),
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


def tables_text(device: Device) -> str:
    title = "Published experiments, measured again"
    experiments = Table.of("experiments", title, EXPERIMENTS, device.experiments)
    tables = [fastest_table(device), machines_table(device), experiments]
    return "\n\n".join([records_text(device), *(render_table(t) for t in tables if t.rows)])


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

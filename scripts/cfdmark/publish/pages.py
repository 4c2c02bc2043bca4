"""Writes the site: a page for each records file, the layouts, the history, and the index of all."""

from __future__ import annotations

from pathlib import Path

from cfdmark.history.change_points import SMALLEST_EFFECT
from cfdmark.history.page import render as render_history
from cfdmark.history.store import read_folder
from cfdmark.history.tables import story_of
from cfdmark.history.timeline import order_of, timelines
from cfdmark.output import write_whole
from cfdmark.records.records import Dataset, read_files, shown
from cfdmark.report.renderers import html
from cfdmark.report.sections import build_all, roofline
from cfdmark.report.tuning.command import sections_of as space_sections
from cfdmark.reproduce.command import subtitle_of
from cfdmark.text.wording import plural

from . import across_devices, index, layouts, words_page
from .found import Entry, Found
from .index import OtherPage


def home_of(page: str) -> str:
    return "../" * page.count("/") + "index.html"


def write(output: Path, page: str, text: str) -> None:
    write_whole(output / page, text)
    print(f"site: {shown(output / page)}", flush=True)


def entry_text(entry: Entry, device: str) -> str:
    home = home_of(entry.page)
    if entry.result:
        result = entry.result
        title = f"{result.document.title}, on {device}"
        return html.render(result.sections, title, entry.dataset, subtitle_of(result), home)
    return html.render(build_all(entry.context), f"{device}: {entry.path.stem}", entry.dataset, "", home)


def write_entries(found: Found, output: Path) -> None:
    for device in found.devices:
        for entry in [*device.entries, *device.without_own]:
            if entry.dataset:
                write(output, entry.page, entry_text(entry, device.name))


def write_rooflines(found: Found, output: Path) -> None:
    """Writes the roofline of each device over all its runs: a ceiling that one file lacks may be in another.
    """
    for device in found.devices:
        if device.runs:
            context = device.context
            section = roofline.build(context)
            text = html.render([section], f"{device.name}: roofline", context.dataset, "", home_of(device.roofline))
            write(output, device.roofline, text)


def write_layouts(found: Found, results: Path, output: Path) -> list[OtherPage]:
    tables, paths = [], []
    for key, files in layouts.files_of(results / "tuned"):
        read = [table for path in files if (table := found.attempt(lambda: layouts.read_table(path)))]
        if read:
            device, architecture, _ = read[0]
            tables.append((key, device, architecture, [entry for _, _, entries in read for entry in entries]))
            paths += files
    if not tables:
        return []
    every = [{"device": device, **entry} for _, device, _, entries in tables for entry in entries]
    spaces = sorted((results / "tuned" / "spaces").glob("*.jsonl"))
    sections = [s] if (s := found.attempt(lambda: across_devices.section_of(every, spaces))) else []
    sections += [layouts.section_of_entries(*table) for table in tables]
    devices = plural(len(tables), "device")
    holds = f"the layout to use for each kernel and precision, with its evidence, and devices side by side: {devices}"
    text = html.render(sections, "Layouts", Dataset(files=paths), "What tuning found best", "index.html")
    write(output, "layouts.html", text)
    return [OtherPage("layouts", "layouts.html", holds)]


def write_spaces(found: Found, results: Path, output: Path) -> list[OtherPage]:
    made = []
    for path in sorted((results / "tuned" / "spaces").glob("*.jsonl")):
        page = path.relative_to(results).with_suffix(".html").as_posix()
        dataset = found.attempt(lambda: read_files([path]))
        if dataset:
            found.problems += dataset.warnings
            sections, title = space_sections(dataset, {}), f"Tuning space: {path.stem}"
            write(output, page, html.render(sections, title, dataset, "", home_of(page)))
            holds = f"a recorded space: {plural(len(dataset.records), 'config')}"
            made.append(OtherPage(path.stem, page, holds))
    return made


def write_history(found: Found, folder: Path, output: Path) -> list[OtherPage]:
    lines = found.attempt(lambda: read_folder(folder))
    if lines is None:
        return []
    found.problems += lines.warnings
    if not lines.points:
        return []
    order = order_of(folder, lines)
    stories = [story_of(t, lines.facts, SMALLEST_EFFECT) for t in timelines(lines, order)]
    text = render_history(stories, "History", SMALLEST_EFFECT, lines.warnings, order.note, "index.html")
    write(output, "history.html", text)
    holds = f"what each commit measured: {plural(len(stories), 'case')}"
    return [OtherPage("history", "history.html", holds)]


def write_site(found: Found, results: Path, history: Path, output: Path) -> None:
    write_entries(found, output)
    write_rooflines(found, output)
    pages = [
        *write_layouts(found, results, output),
        *write_history(found, history, output),
        *write_spaces(found, results, output),
        words_page.HOLDS,
    ]
    write(output, html.WORDS_PAGE, words_page.render())
    sections = index.sections_of(found, pages)
    write(output, "index.html", html.render(sections, "cfdmark results", Dataset(), index.subtitle(found)))

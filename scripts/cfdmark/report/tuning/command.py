"""Command line of the page of tuning spaces."""

from __future__ import annotations

import argparse
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.program import run_program
from cfdmark.records.records import Dataset, read_files, read_json
from cfdmark.records.select import grouped
from cfdmark.text.printable import printable

from ..model import Section
from . import space, strategies

NUMBER = {"title": "a number", "type": "number"}
POINT = {"title": "[samples, best so far over the best]", "type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER}
REPLAYS = {"type": "array", "items": {"type": "array", "items": POINT}}
TRACES = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": REPLAYS}}
# space -> strategy -> replays of points


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python3 -m cfdmark space-page",
        description=(
            "Makes one self-contained HTML page of recorded tuning spaces. `cfdmark tune space RECORDS --page"
            " FILE` calls this with the strategies' traces."
        ),
    )
    made.add_argument("records", type=Path, metavar="RECORDS", help="a file that cfdmark tune has written")
    made.add_argument("--traces", type=Path, metavar="FILE", help="JSON: space -> strategy -> replays")
    made.add_argument("--output", type=Path, required=True, metavar="FILE", help="the page")
    made.add_argument("--title", help="default: from the file name")
    return made


def read_traces(path: Path | None) -> dict:
    if path is None:
        return {}
    return read_json(path, TRACES)


def sections_of(dataset: Dataset, traces: dict) -> list[Section]:
    """Returns a section for each space in the records."""
    sections = []
    for index, (name, records) in enumerate(grouped(dataset.records, space.space_name).items()):
        section = space.build(f"space{index}", name, records, dataset)
        if any(map(any, traces.get(name, {}).values())):
            section.figures.append(strategies.figure(section.key, traces[name]))
        sections.append(section)
    return sections


def make_page(arguments) -> None:
    from ..renderers import html  # matplotlib takes a second to load

    dataset = read_files([arguments.records])
    sections = sections_of(dataset, read_traces(arguments.traces))
    title = printable(arguments.title or f"cfdmark tuning: {arguments.records.stem}")
    write_whole(arguments.output, html.render(sections, title, dataset))


def main(words: list[str] | None = None) -> int:
    return run_program("space-page", lambda: make_page(parser().parse_args(words)))

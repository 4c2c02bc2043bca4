"""The command line of the page."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..model import Section
from ..output import write_whole
from ..program import run_program
from ..records import BadInput, Dataset, read_files, read_text
from ..select import grouped
from . import space, strategies


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="tuning_page.py",
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
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise BadInput(f"{path}: not JSON") from error


def sections_of(dataset: Dataset, traces: dict) -> list[Section]:
    """One for each space in the records."""
    sections = []
    for index, (name, records) in enumerate(grouped(dataset.records, space.space_name).items()):
        section = space.build(f"space{index}", name, records, dataset)
        if name in traces:
            section.figures.append(strategies.figure(section.key, traces[name]))
        sections.append(section)
    return sections


def make_page(arguments) -> None:
    from ..renderers import html  # matplotlib takes a second to load

    dataset = read_files([arguments.records])
    sections = sections_of(dataset, read_traces(arguments.traces))
    title = arguments.title or f"cfdmark tuning: {arguments.records.stem}"
    write_whole(arguments.output, html.render(sections, title, dataset))


def main(words: list[str] | None = None) -> int:
    return run_program("tuning_page", lambda: make_page(parser().parse_args(words)))

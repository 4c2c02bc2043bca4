"""Command line: checks files of published values and lists their contents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cfdmark.program import BAD_INPUT, in_colour, run_program
from cfdmark.report.model import COUNT, Column, Table
from cfdmark.report.renderers import terminal
from cfdmark.text.printable import printable

from .load import load_all, shipped
from .model import Experiment


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python3 -m cfdmark published",
        description="Checks files of published values (results/published/README.md) and lists what they hold.",
        epilog="exit status: 0 all files hold the schema; 2 some do not, each named with line and fix.",
    )
    made.add_argument(
        "files", nargs="*", type=Path, metavar="FILES", help="YAML files; default: those of results/published"
    )
    return made


def values(experiment: Experiment) -> int:
    cells = (cell for table in experiment.tables for row in table.rows for cell in row)
    return len(experiment.claims) + sum(isinstance(cell, float) for cell in cells)


COLUMNS = [
    Column("id", "id", of="id"),
    Column("values", "values", COUNT, of=values),
    Column("contradictions", "contradictions", COUNT, of=lambda experiment: len(experiment.contradictions)),
    Column("title", "title", of="title"),
]


def check(arguments: list[str] | None) -> int:
    files = parser().parse_args(arguments).files or shipped()
    experiments, wrong = load_all(files)
    if experiments:
        table = Table.of("published", "Published experiments", COLUMNS, experiments)
        print(terminal.render_table(table, in_colour()))
    for message in wrong:
        print(printable(message), file=sys.stderr)
    return BAD_INPUT if wrong else 0


def main(arguments: list[str] | None = None) -> int:
    return run_program("published", lambda: check(arguments))

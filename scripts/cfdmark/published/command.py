"""Command line: checks files of published values and lists their contents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cfdmark.program import BAD_INPUT, run_program
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


def listed(experiments: list[Experiment]) -> str:
    width = max((len(experiment.id) for experiment in experiments), default=2)
    lines = [f"{'id':{width}}  values  contradictions  title"]
    for made in experiments:
        lines.append(f"{made.id:{width}}  {values(made):6}  {len(made.contradictions):14}  {made.title}")
    return "\n".join(lines)


def check(arguments: list[str] | None) -> int:
    files = parser().parse_args(arguments).files or shipped()
    experiments, wrong = load_all(files)
    if experiments:
        print(listed(experiments))
    for message in wrong:
        print(printable(message), file=sys.stderr)
    return BAD_INPUT if wrong else 0


def main(arguments: list[str] | None = None) -> int:
    return run_program("published", lambda: check(arguments))

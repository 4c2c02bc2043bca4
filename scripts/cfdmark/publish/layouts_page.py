"""Page of `cfdmark tune layouts --page`: devices side by side, then the layouts of each."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import groupby
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.program import run_program
from cfdmark.records.records import BadInput, Dataset, shown

from . import across_devices, layouts


def make_page(output: Path) -> None:
    from cfdmark.report.renderers import html  # matplotlib takes a second to load

    found = json.load(sys.stdin)
    sections = [across_devices.section_of(found)]
    try:
        for n, ((device, architecture), group) in enumerate(groupby(found, lambda l: (l["device"], l["architecture"]))):
            sections.append(layouts.section_of_entries(str(n + 1), device, architecture, list(group)))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadInput(f"a tuned entry is not as results/README.md has it: {error!r}") from error
    write_whole(output, html.render(sections, "Layouts", Dataset(), "What tuning found best"))
    print(f"written: {shown(output)}")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark layouts-page", description="Writes a page of the tuned layouts on standard input.")
    parser.add_argument("output", type=Path, metavar="FILE")
    return run_program("cfdmark tune layouts", lambda: make_page(parser.parse_args(words).output))

"""Command line of the site."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cfdmark.places import RESULTS
from cfdmark.program import run_program
from cfdmark.text.printable import printable

from .found import find

SOME_UNREAD = 1
EXAMPLES = """\
examples:
  ./scripts/site                        all pages; then open out/site/index.html, no server is needed
  ./scripts/site --output /tmp/pages    elsewhere
  ./scripts/site --readmes              no pages: updates tables and picture in results/DEVICE/README.md, and the
                                        figures in the README next to results/, and results/README.md

A folder of results/ with records is a device: put the .jsonl files of a new one into results/NAME, then run both. Each
records file gets a page, each file of DEVICE/reproduce named like a published experiment the comparison with it. All
pages are made each time; pages of records that are gone are not removed.

exit status: 0 done; 1 done, but something could not be read: it is named here and on the index, the rest is made; 2 a
wrong option; 3 a file could not be written.
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="scripts/site",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Makes one static site of all results: devices, experiments, reports, layouts, history.",
        epilog=EXAMPLES,
    )
    made.add_argument(
        "--output", type=Path, default=Path("out/site"), metavar="DIR", help="folder of the pages (default: out/site)"
    )
    made.add_argument(
        "--results", type=Path, default=RESULTS, metavar="DIR", help="folder of the records (default: this project's)"
    )
    made.add_argument("--history", type=Path, metavar="DIR", help="folder of the history (default: history in the results)")
    made.add_argument(
        "--readmes", action="store_true", help="update the tables in the devices' READMEs; writes no page"
    )
    made.add_argument("--device", metavar="NAME", help="with --readmes: only the README of this folder of the results")
    return made


def make(arguments) -> int:
    found = find(arguments.results, arguments.device)
    if arguments.readmes:
        from .fields import write_fields
        from .figures import write_figures
        from .readme import write_readme

        for device in found.devices:
            found.attempt(lambda: write_readme(device))
        if (readme := arguments.results.resolve().parent / "README.md").is_file() and not arguments.device:
            found.attempt(lambda: write_figures(readme))
        if (readme_of_results := arguments.results / "README.md").is_file() and not arguments.device:
            found.attempt(lambda: write_fields(readme_of_results))
    else:
        from .pages import write_site

        history = arguments.history or arguments.results / "history"
        write_site(found, arguments.results, history, arguments.output)
    for problem in found.problems:
        print(f"site: could not be read: {printable(str(problem))}", file=sys.stderr)
    return SOME_UNREAD if found.problems else 0


def main(words: list[str] | None = None) -> int:
    return run_program("site", lambda: make(parser().parse_args(words)))

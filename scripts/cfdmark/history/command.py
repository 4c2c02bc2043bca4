"""Command line of the history."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from cfdmark.foreign.read import TIMES
from cfdmark.output import write_whole
from cfdmark.program import in_colour, run_program, warn
from cfdmark.records.records import BadInput, shown
from cfdmark.report.renderers import markdown, terminal
from cfdmark.text.printable import printable
from cfdmark.text.suggestion import did_you_mean
from cfdmark.text.wording import plural

from .change_points import SMALLEST_EFFECT
from .store import FOLDER, Added, add, read_folder
from .tables import changes_section, details, overview, story_of
from .timeline import order_of, timelines

DETAILED = 3  # largest number of cases shown point by point; more get a line each
PROGRAM = "cfdmark history"
EXAMPLES = """\
examples:
  cfdmark history add out/quick.jsonl           add a run; adding it again changes nothing
  cfdmark history show                          a line for each case
  cfdmark history show 'cg/openmp.*@513x513'    a case, commit by commit
  cfdmark history changes                       what became slower or faster, and the commits it began in
  cfdmark history report                        a page with every timeline, out/history.html
  cfdmark history bisect HEAD~20 -- --filter cg  which commit made it slower, by the gate between two of them

exit status: 0 done; 2 a wrong option or bad input; 3 a file could not be written. A change is not an error: use
`cfdmark gate` to fail on a regression.
"""


def positive_percent(text: str) -> float:
    value = float(text)
    if not 0 < value < 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a percentage between 0 and 100")
    return value / 100


def rows(text: str) -> int:
    if (value := int(text)) < 0:
        raise argparse.ArgumentTypeError("expected 0 or more")
    return value


class Parser(argparse.ArgumentParser):
    """Adds a suggestion to argparse's message for an unknown action."""

    def error(self, message: str):
        wrong = re.search(r"invalid choice: '([^']*)'", message)
        super().error(message + (did_you_mean(wrong[1], ACTIONS) if wrong else ""))


BISECT = """\
The gate compares GOOD with the last commit; then `git bisect run` halves the commits along first parents until
one remains. Each is built, kept and measured: minutes a step. The checkout stays as it is. What follows `--` is
for the gate:

  cfdmark history bisect HEAD~20 HEAD -- --filter 'cg/openmp' --budget 2m

A commit that the gate cannot judge (undecided, or it does not build) is skipped. --gate COMMAND is called with
--base GOOD --new COMMIT and what follows `--`, in the current folder, and ends as `cfdmark gate` does: 0 as good,
1 slower, 2 to 4 undecided.

Without --gate it builds the commits of the checkout that this program is from, and is started there.

exit status: 0 one commit is named; 1 nothing became slower; 2 a wrong option or bad input; 3 a file could not be
written; 4 the gate did not decide: the last commit could not be judged, or several commits remain; 130 interrupted.
"""


def parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    description = "Stores the cases of every commit and finds where they became slower or faster."
    made = Parser(prog=PROGRAM, description=description, formatter_class=raw, epilog=EXAMPLES)
    text = f"folder of the history; default: {FOLDER}"
    made.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=text)
    parts = made.add_subparsers(dest="action", metavar="ACTION", required=True)

    description = "Adds the cases of record files to the history."
    add = parts.add_parser("add", help="add the cases of record files", description=description)
    text = "files that cfdmark run wrote, or JSON of Google Benchmark or nvbench"
    add.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help=text)
    add.add_argument("--commit", metavar="HASH", help="commit of programs that were built outside git")
    text = "treat the machines of a pool, such as hosted runners, as one with this name"
    add.add_argument("--machine", metavar="NAME", help=text)
    text = "which of Google Benchmark's times counts (default: auto, its own choice)"
    add.add_argument("--time", choices=TIMES, default="auto", help=text)

    reading = argparse.ArgumentParser(add_help=False)
    reading.add_argument("case", nargs="?", metavar="CASE-REGEX", help="only cases whose name has a match")
    text, percent = "smallest change to report, in percent (default: 3)", {"type": positive_percent}
    reading.add_argument("--effect", **percent, default=SMALLEST_EFFECT, metavar="PERCENT", help=text)
    show, changes, report = (
        parts.add_parser(name, parents=[reading], help=text, description=description)
        for name, text, description in (
            ("show", "cases over time", "Shows cases over time, in the order of the commits."),
            ("changes", "what changed, and where it began", "Lists changes, the worst first."),
            ("report", "one HTML page", "Draws timelines on one HTML page that needs no server."),
        )
    )
    text = "newest points of a case (default: 30; 0: all)"
    show.add_argument("--rows", type=rows, default=30, metavar="N", help=text)
    changes.add_argument("--format", choices=["terminal", "markdown"], default="terminal")
    page = Path("out/history.html")
    report.add_argument("--output", type=Path, default=page, metavar="FILE", help=f"default: {page}")
    report.add_argument("--title", default="cfdmark history")

    texts = {"description": "Names the commit that made it slower.", "epilog": BISECT, "formatter_class": raw}
    bisect = parts.add_parser("bisect", help="which commit made it slower", **texts)
    bisect.add_argument("good", metavar="GOOD", help="a commit that is as fast as it should be")
    text = "a later one that is slower (default: HEAD)"
    bisect.add_argument("bad", nargs="?", default="HEAD", metavar="BAD", help=text)
    text = "command that compares two commits (default: this checkout's scripts/gate)"
    bisect.add_argument("--gate", metavar="COMMAND", help=text)
    step = parts.add_parser("bisect-step")  # what `git bisect run` calls; without help it is not listed
    step.add_argument("gate")
    step.add_argument("output", type=int)
    return made


def print_added(added: Added, folder: Path) -> None:
    for path, count in sorted(added.new.items()):
        print(f"{shown(path)}: {plural(count, 'point')} added")
    if added.known:
        print(f"{shown(folder)}: {plural(added.known, 'point')} known already")
    if added.dirty:
        of_dirty = f"{plural(added.dirty, 'point')} of a build with uncommitted changes"
        warn(f"{of_dirty}: shown with a +, and not part of the search for changes")


def warn_of(warnings: list[str]) -> None:
    for warning in warnings:
        warn(warning)


def stories_of(arguments) -> tuple[list, list[str], str]:
    """Returns the selected cases, the warnings of the files, and the note on the order."""
    lines = read_folder(arguments.folder)
    warn_of(lines.warnings)
    if not lines.points:
        raise BadInput(f"there is no history in {shown(arguments.folder)}; `{PROGRAM} add RECORDS...` begins one")
    order = order_of(arguments.folder, lines)
    if order.note:
        print(f"note: {order.note}", file=sys.stderr)
    found = timelines(lines, order, arguments.case)
    return [story_of(t, lines.facts, arguments.effect) for t in found], lines.warnings, order.note


def do_add(arguments) -> None:
    commit, machine = (text and printable(text) for text in (arguments.commit, arguments.machine))
    added = add(arguments.folder, arguments.records, commit, machine, arguments.time)
    warn_of(added.warnings)
    print_added(added, arguments.folder)


def do_show(arguments) -> None:
    stories, _, _ = stories_of(arguments)
    few = len(stories) <= DETAILED
    sections = [details(story, arguments.rows) for story in stories] if few else [overview(stories)]
    print("\n\n".join(terminal.render_section(section, in_colour(), 0) for section in sections))


def do_changes(arguments) -> None:
    section = changes_section(stories_of(arguments)[0], arguments.effect)
    if arguments.format == "markdown":
        print(markdown.render_section(section))
    else:
        print(terminal.render_section(section, in_colour(), 0))


def do_report(arguments) -> None:
    from .page import render  # matplotlib takes a second to load

    stories, warnings, note = stories_of(arguments)
    write_whole(arguments.output, render(stories, printable(arguments.title), arguments.effect, warnings, note))
    print(f"history: {shown(arguments.output)}")


def do_bisect(arguments) -> int:
    from .bisect import bisect

    return bisect(arguments.good, arguments.bad, arguments.gate, arguments.for_gate)


def do_bisect_step(arguments) -> int:
    from .bisect import step

    return step(arguments.gate, arguments.output)


ACTIONS = {
    "add": do_add,
    "show": do_show,
    "changes": do_changes,
    "report": do_report,
    "bisect": do_bisect,
    "bisect-step": do_bisect_step,
}


def act(words: list[str] | None) -> int | None:
    words = sys.argv[1:] if words is None else list(words)
    at = words.index("--") if "bisect" in words and "--" in words else len(words)
    arguments = parser().parse_args(words[:at])
    arguments.for_gate = words[at + 1 :]
    return ACTIONS[arguments.action](arguments)


def main(words: list[str] | None = None) -> int:
    return run_program(PROGRAM, lambda: act(words))

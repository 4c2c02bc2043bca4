"""The command line of the report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.program import in_colour, run_program, warn
from cfdmark.records.records import BadInput, Dataset, read_files, shown
from cfdmark.text.printable import printable
from cfdmark.text.wording import plural

from .baseline import HELP as BASELINE_HELP
from .baseline import Baselines, parse_selector
from .figure_files import add_option as add_figures
from .figure_files import paths_of, write_figures
from .renderers import csv, latex, markdown, terminal

FILE_FORMATS = {"markdown": "md", "latex": "tex", "html": "html"}
FORMATS = ["terminal", "markdown", "csv", "latex", "html", "all"]
EXAMPLES = """\
examples:
  cfdmark report run.jsonl                                tables here, run.html next to the records
  cfdmark report run.jsonl --format markdown --output -   Markdown to the standard output
  cfdmark report run.jsonl --format all --output out/     every format, as files in out/
  cfdmark report run.jsonl --baseline openmp              speedups over OpenMP, its fastest thread count
  cfdmark report run.jsonl --figures svg,pdf              also each figure as files, with its data, in run-figures/
  cfdmark report cpu.jsonl gpu.jsonl --title "Two machines"

exit status: 0 done; 2 nothing to report on, or a wrong option; 3 a file could not be written.
Lines of a record file that cannot be used are named on the standard error; the others are reported.
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="cfdmark report",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
        description=(
            "Makes tables and figures from the records of cfdmark run (JSON lines; see results/README.md)."
        ),
    )
    made.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help="record files, *.jsonl")
    made.add_argument(
        "--format", choices=FORMATS, help="output format (default: terminal tables and the HTML page)"
    )
    made.add_argument(
        "--output",
        metavar="DIR",
        help=(
            "folder of the files, made if missing; default: next to the first record file; "
            "- writes one format to the standard output"
        ),
    )
    made.add_argument(
        "--baseline",
        metavar="SELECTOR",
        help=(
            f"baseline of speedups: {BASELINE_HELP}. Unspecified fields are the same as in the compared row,"
            " backend is serial and method plain unless given. Default: serial, one thread, plain; where that"
            " did not run the host's fastest row; of a device alone its plain or textbook method"
        ),
    )
    add_figures(made, "NAME-figures")
    made.add_argument("--title", help="title of the report (default: from the file name)")
    made.add_argument(
        "--rows",
        type=int,
        default=15,
        metavar="N",
        help=(
            "rows of a table on the terminal (default: 15); "
            "0 shows all, and the tables of the sections that are otherwise summed up in a sentence"
        ),
    )
    return made


def default_title(paths: list[Path]) -> str:
    return f"cfdmark report: {', '.join(path.stem for path in paths)}"


def stem(paths: list[Path]) -> str:
    return paths[0].stem if len(paths) == 1 else "report"


def sections_of(dataset: Dataset, baseline: str | None) -> list:
    from .sections import build_all
    from .sections.context import Context

    return build_all(Context(dataset, Baselines(dataset, parse_selector(baseline, dataset))))


def text_of(name: str, sections: list, title: str, dataset: Dataset, rows: int, figures: dict) -> str:
    """Returns the report. `figures` are the files of pictures, for LaTeX."""
    if name == "html":
        from .renderers import html  # matplotlib takes a second to load, so tables alone do without it

        return html.render(sections, title, dataset)
    if name == "terminal":
        return terminal.render(sections, title, in_colour(), rows) + "\n"
    if name == "latex":
        return latex.render(sections, title, figures)
    return {"markdown": markdown, "csv": csv}[name].render(sections, title)


def report(arguments) -> None:
    dataset = read_files(arguments.records)
    for warning in dataset.warnings:
        warn(warning)
    title = printable(arguments.title or default_title(arguments.records))
    sections = sections_of(dataset, arguments.baseline)
    formats = {None: ["terminal", "html"], "all": FORMATS[:-1]}.get(arguments.format, [arguments.format])
    if arguments.output == "-" and len(formats) > 1:
        raise BadInput("--output - takes one format: add --format markdown, csv, latex, html or terminal")
    if arguments.output == "-" and arguments.figures:
        raise BadInput("--figures writes files: name their folder with --output DIR in place of -")
    folder = Path(arguments.output) if arguments.output else arguments.records[0].parent
    base = stem(arguments.records)
    figures = paths_of(sections, arguments.figures, f"{base}-figures")
    for name in formats:
        if name == "terminal" or arguments.output == "-":
            sys.stdout.write(text_of(name, sections, title, dataset, arguments.rows, figures))
            continue
        target = folder / (f"{base}-csv" if name == "csv" else f"{base}.{FILE_FORMATS[name]}")
        if name == "csv":
            for file, text in csv.render_files(sections).items():
                write_whole(target / file, text)
        else:
            write_whole(target, text_of(name, sections, title, dataset, arguments.rows, figures))
        print(f"report: {shown(target)}", flush=True)
    if arguments.figures:
        target = folder / f"{base}-figures"
        count = write_figures(sections, dataset, arguments.figures, target)
        print(f"report: {shown(target)}: {plural(count, 'figure')}" if count else "report: no figures: nothing to draw")


def main(words: list[str] | None = None) -> int:
    return run_program("report", lambda: report(parser().parse_args(words)))

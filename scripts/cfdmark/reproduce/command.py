"""Command line: compares the records in a folder with published values and writes the pages there."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.places import PUBLISHED, ROOT
from cfdmark.program import in_colour, run_program, warn
from cfdmark.records.records import BadInput, Dataset, keep_newest, read_file, shown
from cfdmark.report.figure_files import add_option as add_figures
from cfdmark.report.figure_files import paths_of, write_figures
from cfdmark.report.model import Section
from cfdmark.report.renderers import csv, latex, markdown, terminal

from . import documents, index, page, sources
from .comparison import Comparison
from .experiments import CODE
from .measured import Measured, newest_machine
from .verdict import NOT_MEASURED, Verdict

EXAMPLES = """\
An ID may be the beginning of several, such as normore or normore-table.
Reads FOLDER/ID.jsonl, which `cfdmark reproduce ID` measures, or those of the experiments that it is measured with,
and results/published/ID.yaml.
exit status: 0 done; 2 a wrong option, or a file that cannot be read; 3 a file could not be written.
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="cfdmark reproduce",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares records with published experiments.",
        epilog=EXAMPLES,
    )
    made.add_argument("ids", nargs="*", metavar="ID", help="experiments, or the work that they are of")
    made.add_argument("--list", action="store_true", help="list the experiments")
    made.add_argument("--records", type=Path, action="append", metavar="PATH", help="file of records, or folder of ID.jsonl, to compare instead of those in --folder")
    add_figures(made, "FOLDER/ID-figures")
    made.add_argument("--folder", type=Path, default=Path("out/reproduce"), help="folder of the records and pages (default: out/reproduce)")
    made.add_argument("--published", type=Path, default=PUBLISHED, help="folder of the published data")
    return made


@dataclass
class Result:
    """An experiment with the result of its comparison."""

    document: documents.Document
    verdict: Verdict
    sections: list[Section]
    dataset: Dataset
    number: str = ""
    why: list[str] = field(default_factory=list)  # sentences that explain the numbers


def records_in(paths: list[Path]) -> Dataset:
    """Returns the records in these files; none for a missing file, or a run that ended before its first
    record."""
    parts = []
    for path in (path for path in paths if path.exists()):
        part = Dataset()
        if read_file(path, part) > 0:
            part.files.append(path)
            part = newest_machine(part)
        parts.append(part)
    # The part measured last comes last. Each file keeps one machine; several files may have different ones.
    parts.sort(key=lambda part: max((str(e.get("time")) for e in part.environments.values()), default=""))
    dataset = Dataset()
    for part in parts:
        dataset.files += part.files
        dataset.warnings += part.warnings
        dataset.environments |= part.environments
        dataset.records += part.records
    keep_newest(dataset)
    if dataset.warnings and not dataset.records:
        tried = ", ".join(map(str, paths))
        raise BadInput(
            "\n".join([*dataset.warnings, f"nothing to report in {tried}: no line is a usable record"])
        )
    return dataset


def compared(document: documents.Document, measured: Measured) -> Comparison:
    comparison = Comparison(document, measured)
    comparison.carry_out()
    if document.plan.code:
        CODE[document.plan.code](comparison)
    return comparison


def examine(document: documents.Document, folder: Path, named: list[Path] | None = None) -> Result:
    """Returns the result of an experiment, by the records in a folder or in named files. Raises BadInput if
    the records cannot be used."""
    if document.plan is None:
        return Result(document, index.unmeasured(document), page.sections_of_unmeasured(document), Dataset())
    paths = [folder / f"{name}.jsonl" for name in document.measured_with]
    comparison = compared(document, Measured(records_in(sources.files_of(document, named) if named else paths)))
    return Result(
        document,
        comparison.verdict(),
        page.sections_of(document, comparison),
        comparison.measured.dataset,
        page.headline(comparison.lines),
        comparison.why,
    )


def examine_or_say(document: documents.Document, folder: Path) -> Result:
    """Returns the result for the index, where unusable records must not block the other experiments."""
    try:
        return examine(document, folder)
    except BadInput as problem:
        return Result(document, Verdict(NOT_MEASURED, str(problem).splitlines()[-1]), [], Dataset())


def write_page(result: Result, folder: Path, figures: list[str]) -> None:
    from cfdmark.report.renderers import html  # matplotlib takes a second to load

    base, title = result.document.id, result.document.title
    for name, text in csv.render_files(result.sections).items():
        write_whole(folder / f"{base}-csv" / name, text)
    write_whole(folder / f"{base}.md", markdown.render(result.sections, title))
    write_whole(folder / f"{base}.tex", latex.render(result.sections, title, paths_of(result.sections, figures, f"{base}-figures")))
    write_whole(
        folder / f"{base}.html", html.render(result.sections, title, result.dataset, subtitle_of(result))
    )
    if figures:
        write_figures(result.sections, result.dataset, figures, folder / f"{base}-figures")


def subtitle_of(result: Result) -> str:
    return "" if result.dataset.records else result.document.source


def write_index(results: list[Result], folder: Path) -> None:
    from cfdmark.report.renderers import html

    entries = [index.Entry(r.document, r.verdict, r.number, page_of(r.document, folder)) for r in results]
    everything = Dataset(files=list(dict.fromkeys(file for r in results for file in r.dataset.files)))
    subtitle = f"{len(entries)} published experiments"
    text = html.render(
        index.sections_of_index(entries), "Published experiments, measured again", everything, subtitle
    )
    write_whole(folder / "index.html", text)


def page_of(document: documents.Document, folder: Path) -> str:
    name = f"{document.id}.html"
    return name if (folder / name).exists() else ""


def print_result(result: Result) -> None:
    """Prints the comparison as a table and the reasons, for which it has no room, as a list."""
    if result.document.plan is None:
        return print(f"{result.document.id}: {result.sections[0].finding}")
    shown = [page.for_terminal(s) for s in result.sections if s.key in ("verdict", "now")]
    print(terminal.render(shown, f"{result.document.id}: {result.document.title}", in_colour(), most_rows=15))


def print_kept(result: Result) -> None:
    """Prints how to see the kept answer of a GPU, if these records have none."""
    if result.document.plan is None or sources.has_gpu_times(result.dataset):
        return
    for folder in sources.kept_on_gpu(result.document):
        name, where = result.document.id, folder.relative_to(ROOT)
        print(f"Measured on a GPU before: cfdmark reproduce {name} --records {where} shows the answer of {folder.parent.name}.")


def reproduce(arguments) -> None:
    known = documents.read_all(arguments.published)
    names = sources.chosen(arguments.ids, known)
    if arguments.list:
        return print(index.list_text([known[name] for name in names or known]))
    if arguments.records and len(names) > 1:
        names = sources.with_records([known[name] for name in names], arguments.records)
    results = {name: examine(known[name], arguments.folder, arguments.records) for name in names}
    for result in results.values():
        for warning in result.dataset.warnings:
            warn(warning)
        print_result(result)
        print_kept(result)
        write_page(result, arguments.folder, arguments.figures)
        print(f"reproduce: {shown(arguments.folder / result.document.id)}.html", flush=True)
    others = {n: examine_or_say(d, arguments.folder) for n, d in known.items() if n not in results}
    write_index([{**others, **results}[name] for name in known], arguments.folder)
    print(f"reproduce: {shown(arguments.folder / 'index.html')}", flush=True)


def main(words: list[str] | None = None) -> int:
    return run_program("reproduce", lambda: reproduce(parser().parse_args(words)))

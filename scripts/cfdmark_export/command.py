"""The command lines of the exports. cfdmark calls them with what it has read."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from cfdmark_report.output import write_whole
from cfdmark_report.program import run_program
from cfdmark_report.records import shown

from . import comparison, formats, header, layouts
from .gbench import gbench


def json_text(found) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


LAYOUT_FILES = {"header": header.header, "json": json_text, "csv": layouts.comma_separated}
SPACE_FILES = {"t1": formats.t1, "t4": formats.t4}
COMPARISON_FORMATS = {"markdown": comparison.markdown, "junit": comparison.junit, "github": comparison.github}


def arguments(words: list[str] | None, description: str, names) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    for name in names:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE")
    return parser.parse_args(words)


def write(path: Path, text: str) -> None:
    write_whole(path, text)
    print(f"written: {shown(path)}")


def export_layouts(wanted: argparse.Namespace) -> None:
    found = json.load(sys.stdin)
    print(layouts.table(found), end="")
    for name, text_of in LAYOUT_FILES.items():
        if path := getattr(wanted, name):
            write(path, text_of(found))


def numbered(path: Path, n: int) -> Path:
    """A format holds one space; of several each gets its number: space.json, space-2.json."""
    return path if n == 0 else path.with_name(f"{path.stem}-{n + 1}{path.suffix}")


def export_spaces(wanted: argparse.Namespace) -> None:
    spaces = json.load(sys.stdin)
    for name, json_of in SPACE_FILES.items():
        if path := getattr(wanted, name):
            for n, space in enumerate(spaces):
                write(numbered(path, n), json_text(json_of(space)))


def layouts_main(words: list[str] | None = None) -> int:
    text = "Shows the tuned layouts on standard input, and exports them."
    return run_program("cfdmark tune layouts", lambda: export_layouts(arguments(words, text, LAYOUT_FILES)))


def spaces_main(words: list[str] | None = None) -> int:
    text = "Writes the spaces on standard input in other tuners' formats."
    return run_program("cfdmark tune space", lambda: export_spaces(arguments(words, text, SPACE_FILES)))


def gbench_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes `lines` of records, of `cases`, on standard input.")
    parser.add_argument("output", type=Path, metavar="FILE")

    def act() -> None:
        write_whole(parser.parse_args(words).output, json_text(gbench(**json.load(sys.stdin))))

    return run_program("cfdmark", act)


def comparison_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prints the comparison on standard input.")
    parser.add_argument("format", choices=COMPARISON_FORMATS)

    def show() -> None:
        text_of = COMPARISON_FORMATS[parser.parse_args(words).format]
        sys.stdout.reconfigure(encoding="utf-8")
        print(text_of(json.load(sys.stdin)), end="")

    return run_program("cfdmark compare", show)

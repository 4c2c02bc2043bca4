"""The command lines of the exports. cfdmark calls them with what it has read."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from cfdmark_report.output import write_whole
from cfdmark_report.program import run_program
from cfdmark_report.records import shown

from . import comparison, formats, header, kernel_tuner, layouts
from .gbench import gbench_text, smaller_is_better


def json_text(found) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


LAYOUT_FILES = {"header": header.header, "json": json_text, "csv": layouts.comma_separated}
SPACE_FILES = ("t1", "t4", "cache")
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


def space_files(wanted: argparse.Namespace, space: dict, n: int) -> list[tuple[Path, dict]]:
    """What is asked for of the n-th space, made before anything is written."""
    files = {name: numbered(path, n) for name in SPACE_FILES if (path := getattr(wanted, name))}
    made = []
    if path := files.get("t1"):
        made.append((path, formats.t1(space, path.parent, str(files["cache"]) if "cache" in files else None)))
    if path := files.get("t4"):
        made.append((path, formats.t4(space)))
    if path := files.get("cache"):
        made.append((path, kernel_tuner.cache(space)))
    return made


def export_spaces(wanted: argparse.Namespace) -> None:
    for n, space in enumerate(json.load(sys.stdin)):
        for path, found in space_files(wanted, space, n):
            write(path, json_text(found))


def layouts_main(words: list[str] | None = None) -> int:
    text = "Shows the tuned layouts on standard input, and exports them."
    return run_program("cfdmark tune layouts", lambda: export_layouts(arguments(words, text, LAYOUT_FILES)))


def spaces_main(words: list[str] | None = None) -> int:
    text = "Writes the spaces on standard input in other tuners' formats."
    return run_program("cfdmark tune space", lambda: export_spaces(arguments(words, text, SPACE_FILES)))


RECORD_FORMATS = {"gbench": gbench_text, "smaller-is-better": lambda **given: json_text(smaller_is_better(**given))}


def gbench_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes `lines` of records, of `cases`, on standard input.")
    parser.add_argument("output", type=Path, metavar="FILE")
    parser.add_argument("--format", choices=RECORD_FORMATS, default="gbench")

    def act() -> None:
        given = parser.parse_args(words)
        write_whole(given.output, RECORD_FORMATS[given.format](**json.load(sys.stdin)))

    return run_program("cfdmark", act)


def comparison_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prints the comparison on standard input.")
    parser.add_argument("format", choices=COMPARISON_FORMATS)

    def show() -> None:
        text_of = COMPARISON_FORMATS[parser.parse_args(words).format]
        sys.stdout.reconfigure(encoding="utf-8")
        print(text_of(json.load(sys.stdin)), end="")

    return run_program("cfdmark compare", show)

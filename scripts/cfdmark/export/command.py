"""Command lines of the exports. cfdmark calls them and passes the data on standard input."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.program import run_program
from cfdmark.records.records import BadInput, shown

from . import comparison, formats, header, kernel_tuner, layout_csv, layout_views, own_kernel
from .gbench import gbench_text, smaller_is_better


def json_text(found) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


LAYOUT_FILES = ("header", "json", "csv")
STANDARD_OUTPUT = Path("-")
SPACE_FILES = ("t1", "t4", "cache")
COMPARISON_FORMATS = {"markdown": comparison.markdown, "junit": comparison.junit, "github": comparison.github}


def layouts_to_show(found: list[dict], method: str) -> list[dict]:
    if not method:
        return found
    chosen = own_kernel.of_method(found, method)
    if found and not chosen:
        known = ", ".join(own_kernel.methods_of(found))
        raise BadInput(f"--method {method}: no layout of this method was measured; there are {known}")
    return chosen


def layout_text(name: str, layouts: list[dict], method: str) -> str:
    if name == "header":
        return header.header(layouts, of_one_method=bool(method))
    return json_text(layouts) if name == "json" else layout_csv.comma_separated(layouts)


def export_layouts(wanted: argparse.Namespace) -> None:
    layouts = layouts_to_show(json.load(sys.stdin), wanted.method)
    files = {name: path for name in LAYOUT_FILES if (path := getattr(wanted, name))}
    printed = [name for name, path in files.items() if path == STANDARD_OUTPUT]
    if len(printed) > 1:
        raise BadInput(f"--{printed[0]} - and --{printed[1]} -: only one of them can go to the standard output")
    texts = {name: layout_text(name, layouts, wanted.method) for name in files}
    if printed:
        print(texts.pop(printed[0]), end="")
    else:
        print(layout_views.shown(layouts, wanted.all, wanted.method), end="")
    for name, text in texts.items():
        write_whole(files[name], text)
        print(f"written: {shown(files[name])}", file=sys.stderr if printed else sys.stdout)


def numbered(path: Path, n: int) -> Path:
    """Returns the file of the n-th space, since a format holds one: space.json, space-2.json."""
    return path if n == 0 else path.with_name(f"{path.stem}-{n + 1}{path.suffix}")


def space_files(wanted: argparse.Namespace, space: dict, n: int) -> list[tuple[Path, dict]]:
    """Returns the requested files of the n-th space, made before anything is written."""
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
            write_whole(path, json_text(found))
            print(f"written: {shown(path)}")


def layouts_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark layouts", description="Shows the tuned layouts on standard input, and exports them.")
    for name in LAYOUT_FILES:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help="output file; - is standard output")
    parser.add_argument("--method", default="", metavar="NAME", help="the best layout of this method, of each range")
    parser.add_argument("--all", action="store_true", help="print a line for each layout")
    return run_program("cfdmark tune layouts", lambda: export_layouts(parser.parse_args(words)))


def spaces_main(words: list[str] | None = None) -> int:
    description = "Writes the spaces on standard input in other tuners' formats."
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark spaces", description=description)
    for name in SPACE_FILES:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE")
    return run_program("cfdmark tune space", lambda: export_spaces(parser.parse_args(words)))


RECORD_FORMATS = {"gbench": gbench_text, "smaller-is-better": lambda **given: json_text(smaller_is_better(**given))}


def gbench_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark gbench", description="Writes `lines` of records, of `cases`, on standard input.")
    parser.add_argument("output", type=Path, metavar="FILE")
    parser.add_argument("--format", choices=RECORD_FORMATS, default="gbench")

    def act() -> None:
        given = parser.parse_args(words)
        write_whole(given.output, RECORD_FORMATS[given.format](**json.load(sys.stdin)))

    return run_program("cfdmark", act)


def comparison_main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cfdmark comparison", description="Prints the comparison on standard input.")
    parser.add_argument("format", choices=COMPARISON_FORMATS)

    def show() -> None:
        text_of = COMPARISON_FORMATS[parser.parse_args(words).format]
        sys.stdout.reconfigure(encoding="utf-8")
        print(text_of(json.load(sys.stdin)), end="")

    return run_program("cfdmark compare", show)

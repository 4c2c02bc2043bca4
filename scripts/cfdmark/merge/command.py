"""Command line of the merge."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from cfdmark.output import locked, write_whole
from cfdmark.program import run_program, warn
from cfdmark.records.machine import machine_ids
from cfdmark.records.records import BadInput, shown
from cfdmark.text.wording import listed, plural

from .agreement import differences, measured_twice
from .blocks import Block, counting, latest_records, read_blocks, sorted_blocks, text_of
from .completeness import missing

NOT_WHOLE = 1
PROGRAM = "cfdmark merge"
MOST_WARNINGS = 10
EXAMPLES = """\
examples:
  cfdmark merge out/poisson.jsonl out/poisson.*-of-4.jsonl      the shards of `cfdmark run --shard I/4`
  cfdmark merge out/poisson.jsonl late.jsonl                    adds to what out/poisson.jsonl holds

The order of the files does not matter, merging again changes nothing, and OUT is replaced whole or not at all. While a
run writes OUT, a merge into it is refused.
exit status: 0 OUT holds the whole sweep; 1 OUT is written, but cases are missing or lines could not be used;
2 refused: a wrong option, bad input, or files that do not belong together; 3 OUT could not be written.
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Joins record files of one sweep, such as its shards, into one. Nothing is lost.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    made.add_argument("out", type=Path, metavar="OUT", help="file to write; if it is there, it is merged too")
    made.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help="files that cfdmark run wrote")
    text = "also merge files that differ in sweep, program or machine"
    made.add_argument("--force", action="store_true", help=text)
    return made


def warn_of(lines: list[str]) -> None:
    for line in lines[:MOST_WARNINGS]:
        warn(line)
    if len(lines) > MOST_WARNINGS:
        warn(f"and {len(lines) - MOST_WARNINGS} more like the last")


def read_all(out: Path, files: list[Path], warnings: list[str]) -> list[Block]:
    blocks = []
    if out.is_file() and out.stat().st_size > 0:
        blocks += read_blocks(out, warnings)
        if warnings:
            lost = f"{shown(out)} would lose these lines: choose another file to write"
            raise BadInput("\n".join([*warnings, lost]))
    for path in files:
        blocks += read_blocks(path, warnings)
    return sorted_blocks(blocks)


def check_agreement(blocks: list[Block], force: bool) -> None:
    found = differences(counting(blocks))
    if found and not force:
        raise BadInput("\n  ".join(["these files do not belong together (--force merges them):", *found]))
    warn_of([f"merged although they differ in {line}" for line in found])


def summary(out: Path, blocks: list[Block]) -> str:
    records, blocks = latest_records(blocks), counting(blocks)
    statuses = Counter(raw["status"] for raw in records.values())
    machines = set(machine_ids(b.environment for b in blocks))
    counted = listed([f"{count} {status}" for status, count in sorted(statuses.items())]) or "none"
    runs = f"{plural(len(blocks), 'run')} on {plural(len(machines), 'machine')}"
    return f"{shown(out)}: {plural(len(records), 'case')} ({counted}) of {runs}"


def merge(arguments) -> int:
    warnings: list[str] = []
    with locked(arguments.out):  # otherwise lines that a concurrent run or merge writes would be lost
        blocks = read_all(arguments.out, arguments.records, warnings)
        check_agreement(blocks, arguments.force)
        write_whole(arguments.out, text_of(blocks))
    lacking = missing(blocks)
    warn_of(warnings)
    warn_of(measured_twice(blocks))
    warn_of(lacking)
    print(summary(arguments.out, blocks))
    return NOT_WHOLE if warnings or lacking else 0


def main(words: list[str] | None = None) -> int:
    return run_program(PROGRAM, lambda: merge(parser().parse_args(words)))

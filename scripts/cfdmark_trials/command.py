"""The command line of the trials."""

from __future__ import annotations

import argparse
from pathlib import Path

from cfdmark_report.program import run_program

from . import mutation, stops

ROOT = Path(__file__).resolve().parents[2]
FOUND = 1
EXAMPLES = """\
examples:
  ./scripts/trials mutation                     a short one, as CI runs it
  ./scripts/trials mutation --times 100 --seed 7 --keep out/trials
  ./scripts/trials mutation --only readers --times 200     a million lines, through both readers of records
  ./scripts/trials kills --times 20             a run is killed at random, and started again
  ./scripts/trials disks                        the disk is full, somewhere in the records

exit status: 0 nothing was found; 1 each fault is told, with the file if --keep names a folder for it.
"""
# Of a short trial; --times multiplies them.
STOPS = {"kills": 5, "disks": 10}
COUNTS = {"records": 400, "readers": 5000, "others": 200, "histories": 200, "tables": 20, "figures": 60, "sweeps": 60}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="scripts/trials",
        description="Tries to bring the program down, by spoiled input, kills and full disks, and counts what it tried.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    made.add_argument("trial", choices=["mutation", *STOPS])
    made.add_argument("--program", type=Path, default=ROOT / "build/release/cfdmark", metavar="FILE")
    made.add_argument("--seed", type=int, default=1, help="the same seed tries the same; default 1")
    made.add_argument("--times", type=int, default=1, metavar="N", help="so many times as much; default 1")
    made.add_argument("--only", choices=sorted(COUNTS), help="of mutations only these")
    made.add_argument("--keep", type=Path, metavar="DIR", help="keep the files that found something")
    return made


def act(words: list[str] | None) -> int:
    given = parser().parse_args(words)
    program = given.program.resolve()
    if given.trial in STOPS:
        found = stops.run(program, given.seed, given.trial, STOPS[given.trial] * given.times)
    else:
        counts = {name: count * given.times for name, count in COUNTS.items() if given.only in (None, name)}
        found = mutation.run(program, given.seed, counts, given.keep)
    for fault in found.faults:
        print(fault)
    tried = ", ".join(f"{count} {what}" for what, count in found.tried.items())
    print(f"seed {given.seed}: {tried}: {len(found.faults)} faults")
    return FOUND if found.faults else 0


def main(words: list[str] | None = None) -> int:
    return run_program("trials", lambda: act(words))

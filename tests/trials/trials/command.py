"""Command line of the trials."""

from __future__ import annotations

import argparse
from pathlib import Path

from cfdmark.places import ROOT
from cfdmark.program import run_program
from cfdmark.python_with import ensure_modules

from . import cache, environments, formats, gpu, names, stops, tiny, writers

FOUND = 1
EXAMPLES = """\
examples:
  tests/trials/run mutation                     a short trial, as in CI
  tests/trials/run mutation --times 100 --seed 7 --keep out/trials
  tests/trials/run mutation --only readers --times 200     a million lines, through both readers of records
  tests/trials/run kills --times 20             a run is killed at random, and started again
  tests/trials/run disks                        the disk is full, somewhere in the records
  tests/trials/run writers                      runs, merges and histories that write one file at the same time
  tests/trials/run names --times 5              files with odd names, to every command that reads or writes files
  tests/trials/run formats --times 5            a file of every format, to every command that reads files
  tests/trials/run tiny --times 10              each linear solver, method and precision on each problem, on thirty grids of a few cells
  tests/trials/run environments --times 20      odd threads, limits, terminals, locales, homes and streams
  tests/trials/run cache --times 20             compiled device code on disk is spoiled, cut, replaced, written by four at once
  tests/trials/run gpu --program build/ci/cfdmark     on a GPU: 40 kills, hangs, lost devices, little memory, two runs at once

exit status: 0 no fault; 1 faults, printed one by one and with their files in the folder of --keep; 2 the trial cannot run here.
"""
# Of a short trial; --times multiplies them.
STOPS = {"kills": 5, "disks": 10}
FILES = {"writers": (writers.run, 3), "names": (names.run, 60), "formats": (formats.run, 90)}
TINY_GRIDS = 3  # of each problem
ENVIRONMENTS = 60
KEPT_CODE = {"spoil": 20, "full_disks": 3, "kills": 3, "at_once": 2}
COUNTS = {"records": 400, "readers": 5000, "others": 200, "histories": 200, "tables": 20, "reproductions": 40, "figures": 60, "sweeps": 60}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="tests/trials/run",
        description="Tries to break the program with spoiled input and caches, kills, full disks and faulty devices, and counts the attempts.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    made.add_argument("trial", choices=["mutation", *STOPS, *FILES, "tiny", "environments", "cache", "gpu"])
    made.add_argument("--program", type=Path, default=ROOT / "build/release/cfdmark", metavar="FILE")
    made.add_argument("--seed", type=int, default=1, help="seed of the trial (default: 1)")
    made.add_argument("--times", type=int, default=1, metavar="N", help="multiplies the number of attempts (default: 1)")
    made.add_argument("--kills", type=int, default=40, metavar="N", help="killed runs on a GPU (default: 40)")
    made.add_argument("--only", choices=sorted(COUNTS), help="only this kind of mutation")
    made.add_argument("--keep", type=Path, metavar="DIR", help="folder for files that caused faults")
    return made


def act(words: list[str] | None) -> int:
    given = parser().parse_args(words)
    program = given.program.resolve()
    if given.trial == "gpu":
        found = gpu.run(program, given.seed, given.kills)
    elif given.trial == "cache":
        found = cache.run(program, given.seed, {name: count * given.times for name, count in KEPT_CODE.items()})
    elif given.trial in FILES:
        ensure_modules("numpy", "matplotlib", "jinja2", "rich", "ruamel.yaml", "fastjsonschema")
        trial, count = FILES[given.trial]
        found = trial(program, given.seed, count * given.times)
    elif given.trial == "tiny":
        found = tiny.run(program, given.seed, TINY_GRIDS * given.times)
    elif given.trial == "environments":
        found = environments.run(program, given.seed, ENVIRONMENTS * given.times)
    elif given.trial in STOPS:
        found = stops.run(program, given.seed, given.trial, STOPS[given.trial] * given.times)
    else:
        ensure_modules("numpy", "matplotlib", "jinja2", "rich", "ruamel.yaml", "fastjsonschema")  # of all that reads what is spoiled
        from . import mutation

        counts = {name: count * given.times for name, count in COUNTS.items() if given.only in (None, name)}
        found = mutation.run(program, given.seed, counts, given.keep)
    for line in found.remarks:
        print(line)
    for fault in found.faults:
        print(fault)
    tried = ", ".join(f"{count} {what}" for what, count in found.tried.items())
    print(f"seed {given.seed}: {tried}: {len(found.faults)} faults")
    return FOUND if found.faults else 0


def main(words: list[str] | None = None) -> int:
    return run_program("trials", lambda: act(words))

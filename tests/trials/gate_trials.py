#!/usr/bin/env python3
"""Runs the gate many times on builds with a known difference and tabulates its verdicts.

    tests/trials/gate_trials.py build/release                           20 runs of a build against itself
    tests/trials/gate_trials.py build/release --load 1                  the same beside a process that keeps one core busy
    tests/trials/gate_trials.py build/release --inject jacobi=1.05      jacobi's steps take 5 % longer in the new build
    tests/trials/gate_trials.py build/release --inject jacobi=wrong     its answers are wrong

--inject may be given for several kernels at once.

What follows `--` is for `cfdmark gate`: -- --budget 2m. Every run has a seed of its own and leaves its result in
out/gate_trials/. The build must have its tests, which hold the program that injects.
"""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERDICTS = ("wrong", "vanished", "slower", "undecided", "faster", "same")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder, with its tests")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--inject", metavar="NAME=FACTOR", action="append", default=[],
                        help="NAME=1.05 or NAME=wrong: a kernel or solver")
    parser.add_argument("--load", type=int, default=0, help="processes that keep a core busy (default: 0)")
    parser.add_argument("--sweep", default=str(ROOT / "sweeps/gate.yaml"))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "out/gate_trials")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    given = parser.parse_args(words[:at])
    given.gate = words[at + 1:]
    return given


def altered_build(folder, build, what):
    """A build folder whose program is the given build's, with one kernel altered."""
    program = build.resolve() / "tests/cfdmark_altered_build"
    if not program.exists():
        sys.exit(f"{program} is missing: build the tests")
    folder.mkdir()
    script = folder / "cfdmark"
    script.write_text(f'#!/bin/sh\nALTERED={what} exec "{program}" "$@"\n')
    script.chmod(0o755)
    return folder


def one_run(number, base, new, given):
    result = given.output / f"{number:02d}.json"
    command = [str(given.build.resolve() / "cfdmark"), "gate", "--base", str(base), "--new", str(new), given.sweep,
               "--seed", str(number), "--format", "json", "--output", str(result), *given.gate]
    started = time.monotonic()
    finished = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if finished.returncode not in (0, 1, 3, 4):
        sys.exit(f"{' '.join(command)}\nended with status {finished.returncode}: {finished.stderr}")
    comparison = json.loads(result.read_text())
    comparison["seconds"] = time.monotonic() - started
    return comparison


def verdicts_of(found, name):
    """Of the cases of a kernel or solver."""
    return sorted(c["verdict"] for c in found["cases"] if kernel_of(c) == name and c["verdict"] in VERDICTS)


def widened(found):
    """Cases that are the same within more than the smallest effect only."""
    return sum(c.get("same_within", 0) > found["smallest_effect"] for c in found["cases"])


def kernel_of(case):
    return case["case"].split("/")[0]


def tell(number, found, names):
    counts = {verdict: sum(c["verdict"] == verdict for c in found["cases"]) for verdict in VERDICTS}
    altered = "  ".join(f"{name}: {' '.join(verdicts_of(found, name))}" for name in names)
    control = found.get("control", {})
    print(f"{number:3d} {found['exit_status']:6d} {found['seconds']:7.0f} s "
          + " ".join(f"{counts[v]:9d}" for v in VERDICTS)
          + f" {widened(found):6d}  {len(control.get('moved', [])):5d} {100 * control.get('typical_effect', 0):6.1f} %  {altered}", flush=True)


def blamed(found, names):
    """Returns the unaltered cases that are slower, faster, wrong or vanished."""
    return [c["case"] + ": " + c["verdict"] for c in found["cases"]
            if c["verdict"] in ("slower", "faster", "wrong", "vanished") and kernel_of(c) not in names]


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing stays behind that keeps a core busy
    given.output.mkdir(parents=True, exist_ok=True)
    injected = dict(inject.split("=", 1) for inject in given.inject)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(given.load)]
    runs = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            base = new = given.build
            if injected:
                unaltered = ",".join(f"{name}=1.0" for name in injected)
                base = altered_build(pathlib.Path(folder) / "base", given.build, unaltered)
                new = altered_build(pathlib.Path(folder) / "new", given.build, ",".join(given.inject))
            print("run status      time " + " ".join(f"{v:>9}" for v in VERDICTS) + "  wider  moved  visible")
            for number in range(1, given.runs + 1):
                runs.append(one_run(number, base, new, given))
                tell(number, runs[-1], injected)
    finally:
        for process in busy:
            process.kill()
    summary(runs, injected)


def summary(runs, injected):
    wrongly = [blame for run in runs for blame in blamed(run, injected)]
    print(f"\n{len(wrongly)} verdicts in {len(runs)} runs on unaltered cases, other than same and undecided")
    for blame in wrongly:
        print("  " + blame)
    statuses = [run["exit_status"] for run in runs]
    print(", ".join(f"{statuses.count(n)} ended with {n}" for n in sorted(set(statuses))))
    for name, how in injected.items():
        bad = "wrong" if how == "wrong" else "slower"
        verdicts = [verdicts_of(run, name) for run in runs]
        some = sum(bad in found for found in verdicts)
        every = sum(set(found) == {bad} for found in verdicts)
        print(f"{name}={how} was found in {some} of {len(runs)} runs in a case at least, in {every} in every case")


if __name__ == "__main__":
    main()

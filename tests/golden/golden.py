"""Whole outputs of the program: what each command prints, held word for word.

A file NAME.txt holds steps. `$ cfdmark ...` is a command line, then comes what it prints (stdout and stderr together), and
`[exit N]` ends the step. Lines that start with `#` before a command say why it is here. Commands run in a folder of their own
that holds copies of inputs/.

    python3 tests/golden/golden.py --program build/release/cfdmark            compares every file
    python3 tests/golden/golden.py --program build/release/cfdmark --write    writes what is printed now, for review in a diff

What differs from machine to machine is replaced: VERSION, COMMIT, the folder. Commands whose output depends on the machine
do not belong here.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMEOUT = 60  # seconds a command


@dataclass
class Step:
    comments: list  # lines before the command, with their `#`
    command: str
    output: str
    status: int

    def text(self):
        lines = [*self.comments, f"$ {self.command}", *self.output.splitlines(), f"[exit {self.status}]"]
        return "\n".join(lines) + "\n"


def steps_of(text, name):
    """The steps of a file; ValueError with the line if it is not of the form above."""
    steps, comments, open_step, output = [], [], None, []
    for number, line in enumerate(text.splitlines(), 1):
        end = re.fullmatch(r"\[exit (\d+)\]", line)
        if open_step is None and line.startswith("$ "):
            open_step, output = line[2:], []
        elif open_step is None and (line.startswith("#") or not line):
            comments += [line] if line else []
        elif open_step is None:
            raise ValueError(f"{name}:{number}: expected a comment, or a command that starts with '$ '")
        elif end:
            steps.append(Step(comments, open_step, "\n".join(output), int(end[1])))
            open_step, comments = None, []
        else:
            output.append(line)
    if open_step is not None:
        raise ValueError(f"{name}: '$ {open_step}' has no [exit N]")
    return steps


def without_machine(text, folder):
    """The output without what depends on the build or the folder it ran in."""
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"cfdmark \d+\.\d+\.\d+", "cfdmark VERSION", text)
    text = re.sub(r"\bcommit [0-9a-f]{10}\b( with local changes)?", "commit COMMIT", text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def run(step, program, folder):
    """The same step with what the program prints and returns now."""
    words = shlex.split(step.command)
    if words[0] != "cfdmark":
        raise ValueError(f"'{step.command}' does not start with 'cfdmark'")
    environment = {
        "PATH": os.environ.get("PATH", ""), "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "100", "TERM": "dumb", "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run([program, *words[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    return Step(step.comments, step.command, without_machine(done.stdout, folder), done.returncode)


def text_now(path, program):
    """The file's text with what the program prints now."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve() / "work"
        shutil.copytree(HERE / "inputs", folder)
        steps = [run(step, program, folder) for step in steps_of(path.read_text(), path.name)]
    return "\n".join(step.text() for step in steps)


def commands_without_help(program):
    """Commands of the program whose `--help` no file holds. `help` is not one: it shows the others' help."""
    listed = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=True).stdout
    names = re.findall(r"^  ([a-z-]+) ", listed.partition("Subcommands:")[2].partition("examples:")[0], re.M)
    held = {step.command for path in HERE.glob("*.txt") for step in steps_of(path.read_text(), path.name)}
    return [name for name in names if name != "help" and f"cfdmark {name} --help" not in held]


def main(arguments):
    parser = argparse.ArgumentParser(description="Compares what the program prints with tests/golden/*.txt.")
    parser.add_argument("--program", required=True, type=Path, help="the built program")
    parser.add_argument("--write", action="store_true", help="write what is printed now into the files")
    parser.add_argument("names", nargs="*", help="files to compare, such as run or tune (default: all)")
    options = parser.parse_args(arguments)
    paths = [HERE / f"{name}.txt" for name in options.names] or sorted(HERE.glob("*.txt"))
    differing = 0
    for path in paths:
        before, now = path.read_text(), text_now(path, options.program.resolve())
        if options.write:
            path.write_text(now)
        elif before != now:
            differing += 1
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), now.splitlines(True),
                                                       f"{path.name} (expected)", f"{path.name} (printed now)"))
    missing = commands_without_help(options.program.resolve())
    if missing:
        print(f"no file of tests/golden holds the help of: {', '.join(missing)}; add `$ cfdmark NAME --help`")
    if differing:
        print(f"\n{differing} of {len(paths)} files differ. If the new wording is better, write it with\n"
              f"  python3 tests/golden/golden.py --program {options.program} --write\nand review the diff.")
    return 1 if differing or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

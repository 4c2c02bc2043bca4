"""Finds the commit that made a case slower: `git bisect run` with the gate as its test.

The bisection runs in a worktree of its own that holds no files, because the gate builds commits by name. The
user's checkout, and a bisection that runs in it, stay as they are.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Iterator

from cfdmark.output import CannotWrite
from cfdmark.places import ROOT
from cfdmark.records.records import BadInput
from cfdmark.text.printable import printable

LOGS = Path("out/bisect")
GOOD, SLOWER = 0, 1  # exit statuses of a gate between the good commit and another, and of a step of git bisect
UNDECIDED = {2: "could not be compared", 3: "undecided", 4: "a wrong answer or a missing case"}
SKIP, ABORT = 125, 255  # other exit statuses of a step
INTERRUPTED = 130
NAMED, NOTHING_SLOWER, NOT_DECIDED = 0, 1, 4  # exit statuses of a bisection
FOUND, ONLY_SKIPPED_LEFT = 0, 2  # exit statuses of git bisect run


def git(folder: Path, *words: str) -> str:
    try:
        # The user may have configured another encoding of the log.
        command = ["git", "-c", "i18n.logOutputEncoding=UTF-8", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        raise BadInput("git is missing: bisection needs it") from None
    if done.returncode != 0:
        raise BadInput(f"git {' '.join(words)}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip()


def commits_between(folder: Path, good: str, bad: str, paths: list[str]) -> list[str]:
    """Returns the commits after `good` up to `bad`, oldest first, along first parents: those that touch one
    of the paths."""
    if subprocess.run(["git", "merge-base", "--is-ancestor", good, bad], cwd=folder, check=False).returncode != 0:
        raise BadInput(f"{good[:10]} is not an ancestor of {bad[:10]}: name the good commit first")
    return git(folder, "rev-list", "--reverse", "--first-parent", f"{good}..{bad}", "--", *paths).split()


def name(folder: Path, commit: str) -> str:
    return printable(git(folder, "show", "-s", "--format=%h %s", commit))


def say(text: str) -> None:
    """Prints at once, also into a file or a pipe."""
    print(text, flush=True)


@dataclass
class Gate:
    """A command that compares two commits, COMMAND --base GOOD --new COMMIT OPTIONS, with the exit status of
    `cfdmark gate`."""

    folder: str
    logs: str
    command: list[str]
    good: str
    options: list[str]

    def log(self, commit: str) -> Path:
        return Path(self.logs, f"{commit[:10]}.txt")

    def run(self, words: list[str], log: Path) -> int:
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with open(log, "w", encoding="utf-8") as file:
                return subprocess.run(words, cwd=self.folder, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
        except OSError as error:
            if error.filename in (str(log), str(log.parent)):
                raise CannotWrite(f"cannot write {log}: {error.strerror}") from error
            raise BadInput(f"{shlex.join(self.command)} cannot be run: {error.strerror}") from error

    def judge(self, commit: str) -> int:
        """Returns the gate's exit status for a commit: GOOD, SLOWER or one of UNDECIDED."""
        called = name(self.folder, commit)
        say(f"comparing {called}")  # it takes minutes
        words = [*self.command, "--base", self.good, "--new", commit, *self.options]
        status = self.run(words, self.log(commit))
        if status == INTERRUPTED or status < 0:
            raise SystemExit(INTERRUPTED)
        verdicts = {GOOD: "as good", SLOWER: "slower"} | UNDECIDED
        if status not in verdicts:
            raise BadInput(f"{shlex.join(words)} ended with {status}, which is not an exit status of a gate; see {self.log(commit)}")
        say(f"{verdicts[status]:<34} {called}")
        return status

    def last_words(self, commit: str) -> str:
        """Returns the last line that the gate printed, which gives its reason."""
        lines = self.log(commit).read_text(encoding="utf-8", errors="replace").split("\n")
        return printable(next((line.strip() for line in reversed(lines) if line.strip()), "it printed nothing"))


def step(gate: str, output: int) -> int:
    """Judges git's current commit for `git bisect run`, and prints to the file descriptor `output`. Any error
    ends the bisection: it must not count as a slower commit."""
    sys.stdout = os.fdopen(output, "w", errors="replace")
    try:
        commit = git(Path.cwd(), "rev-parse", "BISECT_HEAD")
        for variable in git(Path.cwd(), "rev-parse", "--local-env-vars").split():
            os.environ.pop(variable, None)  # git bisect sets GIT_DIR; the gate works in another worktree
        status = Gate(**json.loads(gate)).judge(commit)
    except Exception as problem:
        print(problem, file=sys.stderr)
        return ABORT
    return SKIP if status in UNDECIDED else status


@contextmanager
def worktree(folder: Path) -> Iterator[Path]:
    """Yields a worktree without files, which git bisect needs for its state, and removes it."""
    with tempfile.TemporaryDirectory(prefix="cfdmark-bisect-") as scratch:
        tree = Path(scratch, "tree")
        git(folder, "worktree", "add", "--detach", "--no-checkout", str(tree))
        try:
            yield tree
            git(tree, "bisect", "reset")
        finally:
            git(folder, "worktree", "remove", "--force", str(tree))


def suspects_of(gate: Gate, bad: str, paths: list[str]) -> list[str]:
    """Returns the commits of which one made it slower, oldest first; `bad` is known to be slower."""
    with worktree(Path(gate.folder)) as tree:
        git(tree, "bisect", "start", "--first-parent", "--no-checkout", bad, gate.good, "--", *paths)
        output = os.dup(sys.stdout.fileno())  # git's own output is hidden
        this = [sys.executable, str(Path(__file__).resolve().parents[1]), "history", "bisect-step"]
        run = ["git", "bisect", "run", *this, json.dumps(asdict(gate)), str(output)]
        options = {"cwd": tree, "pass_fds": [output], "encoding": "utf-8", "errors": "replace", "check": False}
        done = subprocess.run(run, capture_output=True, **options)
        os.close(output)
        if done.returncode not in (FOUND, ONLY_SKIPPED_LEFT):
            raise BadInput(done.stderr.strip())
        left = ["refs/bisect/bad", "--not", "--glob=refs/bisect/good-*", "--", *paths]
        return git(tree, "rev-list", "--reverse", "--first-parent", *left).split()


def own_sources() -> list[str]:
    """Returns the sources of the program, as the gate's script lists them."""
    script = f'source "{ROOT}/scripts/setup/base_build.sh" && printf "%s\\n" "${{program_sources[@]}}"'
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def gate_of(command: str | None) -> tuple[Path, list[str], list[str]]:
    """Returns the folder and command of the gate, and the paths whose commits count; no paths: all count."""
    if command:
        return Path.cwd(), shlex.split(command), []
    question = ["git", "rev-parse", "--show-toplevel"]
    here = subprocess.run(question, capture_output=True, text=True, check=False).stdout.strip()
    if Path(here or ".").resolve() != ROOT or not (ROOT / ".git").exists():
        raise BadInput(
            f"{here or Path.cwd()} is not a checkout at {ROOT}, whose commits the default gate builds: name a gate"
            " for the commits here with --gate COMMAND"
        )
    # An undecided commit is skipped: it does not count as good.
    return ROOT, [str(ROOT / "scripts/gate"), "--widest-same", "0"], own_sources()


def bisect(good: str, bad: str, command: str | None, options: list[str]) -> int:
    if "--strict" in options:
        raise BadInput("--strict calls slower what is only undecided: omit it")
    folder, words, paths = gate_of(command)
    first, last = (git(folder, "rev-parse", "--verify", f"{commit}^{{commit}}") for commit in (good, bad))
    commits = commits_between(folder, first, last, paths)
    if not commits:
        say(f"no commit between {good} and {bad} touches what is measured")
        return NOTHING_SLOWER
    gate = Gate(str(folder), str(LOGS.resolve()), words, first, options)
    say(f"{len(commits)} commits; the last first, then about {(len(commits) - 1).bit_length()} more; logs in {LOGS}")
    status = gate.judge(commits[-1])
    if status == GOOD:
        say("the last commit is as good: nothing to look for")
        return NOTHING_SLOWER
    if status in UNDECIDED:
        say(f"the gate did not decide whether the last commit is slower: {UNDECIDED[status]}; it said:")
        say(f"  {gate.last_words(commits[-1])}")
        return NOT_DECIDED
    suspects = suspects_of(gate, commits[-1], paths) if len(commits) > 1 else commits
    if len(suspects) == 1:
        say(f"first slower: {name(folder, suspects[0])}")
        return NAMED
    say(f"one of these {len(suspects)} made it slower; those between could not be judged:")
    for commit in suspects:
        say(f"  {name(folder, commit)}")
    return NOT_DECIDED

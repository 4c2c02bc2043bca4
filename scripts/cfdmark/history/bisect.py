"""Finds the commit that made a case slower: bisection with the gate between two commits."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from cfdmark.output import CannotWrite
from cfdmark.places import ROOT
from cfdmark.records.records import BadInput
from cfdmark.text.printable import printable

LOGS = Path("out/bisect")
# Exit statuses of a gate between the good commit and another.
GOOD, SLOWER = 0, 1
UNKNOWN = {2: "could not be compared", 3: "undecided", 4: "a wrong answer or a missing case"}
INTERRUPTED = 130
NAMED, NOTHING_SLOWER, UNDECIDED = 0, 1, 4  # exit statuses of a bisection


def git(folder: Path, *words: str) -> str:
    try:
        # The user may have configured another encoding of the log.
        command = ["git", "-c", "i18n.logOutputEncoding=UTF-8", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        raise BadInput("git is missing: it says which commits lie between") from None
    if done.returncode != 0:
        raise BadInput(f"git {' '.join(words)}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip()


def commits_between(folder: Path, good: str, bad: str, paths: list[str]) -> list[str]:
    """Returns the commits after `good` up to `bad`, oldest first, along first parents: those that touch one
    of the paths."""
    good, bad = (git(folder, "rev-parse", "--verify", f"{name}^{{commit}}") for name in (good, bad))
    if subprocess.run(["git", "merge-base", "--is-ancestor", good, bad], cwd=folder, check=False).returncode != 0:
        raise BadInput(f"{good[:10]} is not an ancestor of {bad[:10]}: name the good commit first")
    listed = git(folder, "rev-list", "--reverse", "--first-parent", f"{good}..{bad}", "--", *paths)
    return listed.split()


@dataclass
class Search:
    """Commits between a good one and the last, which is slower. Commits that could not be judged are neither.
    """

    commits: list[str]
    good: int = -1  # last commit known to be good
    slower: int = field(init=False)  # first commit known to be slower
    unknown: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.slower = len(self.commits) - 1

    def next(self) -> int | None:
        """Returns the untried commit nearest to the middle."""
        middle = (self.good + self.slower) / 2
        left = [n for n in range(self.good + 1, self.slower) if n not in self.unknown]
        return min(left, key=lambda n: abs(n - middle), default=None)

    def learn(self, n: int, status: int) -> None:
        if status == GOOD:
            self.good = n
        elif status == SLOWER:
            self.slower = n
        else:
            self.unknown.add(n)

    def suspects(self) -> list[str]:
        return self.commits[self.good + 1 : self.slower + 1]


def find(commits: list[str], judge: Callable[[str], int]) -> list[str]:
    """Returns the commits of which one made it slower; the last is known to be slower."""
    search = Search(commits)
    while (n := search.next()) is not None:
        search.learn(n, judge(commits[n]))
    return search.suspects()


class Gate:
    """A command that compares two commits, COMMAND --base GOOD --new COMMIT OPTIONS, with the exit status of
    `cfdmark gate`."""

    def __init__(self, folder: Path, command: list[str], good: str, options: list[str]):
        self.folder, self.command, self.good, self.options = folder, command, good, options

    def name(self, commit: str) -> str:
        return printable(git(self.folder, "show", "-s", "--format=%h %s", commit))

    def log(self, commit: str) -> Path:
        return LOGS / f"{commit[:10]}.txt"

    def run(self, words: list[str], log: Path) -> int:
        try:
            LOGS.mkdir(parents=True, exist_ok=True)
            with open(log, "w", encoding="utf-8") as file:
                return subprocess.run(words, cwd=self.folder, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
        except OSError as error:
            if error.filename == str(log) or error.filename == str(LOGS):
                raise CannotWrite(f"cannot write {log}: {error.strerror}") from error
            raise BadInput(f"{shlex.join(self.command)} cannot be run: {error.strerror}") from error

    def judge(self, commit: str) -> int:
        say(f"comparing {self.name(commit)}")  # it takes minutes
        words = [*self.command, "--base", self.good, "--new", commit, *self.options]
        status = self.run(words, self.log(commit))
        if status == INTERRUPTED or status < 0:
            raise SystemExit(INTERRUPTED)
        if status not in (GOOD, SLOWER, *UNKNOWN):
            raise BadInput(f"{shlex.join(words)} ended with {status}, which is not an exit status of a gate; see {self.log(commit)}")
        said = {GOOD: "as good", SLOWER: "slower"} | UNKNOWN
        say(f"{said[status]:<34} {self.name(commit)}")
        return status

    def last_words(self, commit: str) -> str:
        """Returns the last line that the gate printed, which gives its reason."""
        lines = self.log(commit).read_text(encoding="utf-8", errors="replace").split("\n")
        return printable(next((line.strip() for line in reversed(lines) if line.strip()), "it printed nothing"))


def say(text: str) -> None:
    """Prints at once, also into a file or a pipe."""
    print(text, flush=True)


def own_sources() -> list[str]:
    """Returns the sources of the program, as the gate's script lists them."""
    script = f'source "{ROOT}/scripts/setup/base_build.sh" && printf "%s\\n" "${{program_sources[@]}}"'
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def check_is_here() -> None:
    """Raises BadInput unless this folder's repository is the one that the default gate builds."""
    try:
        here = Path(git(Path.cwd(), "rev-parse", "--show-toplevel"))
    except BadInput:
        here = Path.cwd()
    if here.resolve() != ROOT:
        raise BadInput(
            f"{here} is not {ROOT}, whose commits the default gate builds: name a gate for the commits here with --gate"
            f" COMMAND, or start it in {ROOT}"
        )


def gate_of(command: str | None) -> tuple[Path, list[str], list[str]]:
    """Returns the folder and command of the gate, and the paths whose commits count; no paths: all count."""
    if command:
        return Path.cwd(), shlex.split(command), []
    if not (ROOT / ".git").exists() or not os.access(ROOT / "scripts/gate", os.X_OK):
        raise BadInput(f"{ROOT} is not a checkout whose commits can be built; --gate COMMAND names a gate of your own")
    check_is_here()
    # An undecided commit is skipped: it does not count as good.
    return ROOT, [str(ROOT / "scripts/gate"), "--widest-same", "0"], own_sources()


def bisect(good: str, bad: str, gate: str | None, options: list[str]) -> int:
    if "--strict" in options:
        raise BadInput("--strict calls slower what is only undecided: omit it")
    folder, command, paths = gate_of(gate)
    commits = commits_between(folder, good, bad, paths)
    if not commits:
        say(f"no commit between {good} and {bad} touches what is measured")
        return NOTHING_SLOWER
    runner = Gate(folder, command, git(folder, "rev-parse", good), options)
    say(f"{len(commits)} commits; the last first, then about {(len(commits) - 1).bit_length()} more; logs in {LOGS}")
    status = runner.judge(commits[-1])
    if status == GOOD:
        say("the last commit is as good: nothing to look for")
        return NOTHING_SLOWER
    if status in UNKNOWN:
        say(f"the gate did not decide whether the last commit is slower: {UNKNOWN[status]}; it said:")
        say(f"  {runner.last_words(commits[-1])}")
        return UNDECIDED
    suspects = find(commits, runner.judge)
    if len(suspects) == 1:
        say(f"first slower: {runner.name(suspects[0])}")
        return NAMED
    say(f"one of these {len(suspects)} made it slower; those between could not be judged:")
    for commit in suspects:
        say(f"  {runner.name(commit)}")
    return UNDECIDED

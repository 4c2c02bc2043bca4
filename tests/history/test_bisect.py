"""Bisecting a tiny repository by a gate whose verdicts are given."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.history import bisect

GATE = """#!/bin/sh
[ "$1 $3" = "--base --new" ] || exit 9
[ "$(git rev-parse --git-dir)" = .git ] || exit 9
echo "$4" >>calls
echo "$@" >options
echo "ends with $(git show "$4:status")"
exit $(git show "$4:status")
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=n", "-c", "user.email=e"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def program(folder: Path, *words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, support.ROOT / "scripts/cfdmark", "history", "bisect", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


class Repository(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        git(self.folder, "init", "-q", "-b", "main")
        (self.folder / "gate").write_text(GATE)
        (self.folder / "gate").chmod(0o755)

    def commits(self, *statuses: int) -> list[str]:
        """One commit for each status with which the gate will end for it."""
        made = []
        for n, status in enumerate(statuses):
            (self.folder / "status").write_text(f"{status}\n")
            (self.folder / "n").write_text(f"{n}\n")
            git(self.folder, "add", "status", "n")
            git(self.folder, "commit", "-q", "-m", f"change {n}")
            made.append(git(self.folder, "rev-parse", "HEAD"))
        return made

    def bisect(self, *words: str):
        return program(self.folder, *words, "--gate", "./gate")

    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().split()


class Bisect(Repository):
    def test_the_first_slower_commit_is_named(self):
        made = self.commits(0, 0, 0, 0, 0, 0, 1, 1, 1)
        done = self.bisect(made[0])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"first slower: {made[6][:7]}", done.stdout)
        self.assertEqual(self.calls()[0], made[8])
        self.assertEqual(len(self.calls()), 4)  # the last, and the halves of eight

    def test_the_first_slower_commit_is_found_wherever_it_lies(self):
        for first in (1, 3, 5):
            with self.subTest(first):
                self.setUp()
                made = self.commits(*(int(n >= first) for n in range(6)))
                done = self.bisect(made[0])
                self.assertIn(f"first slower: {made[first][:7]} change {first}\n", done.stdout)
                self.assertLessEqual(len(self.calls()), 4)  # the last, and the halves of five

    def test_the_checkout_and_a_bisection_in_it_stay_as_they_are(self):
        made = self.commits(0, 0, 3, 1, 1)
        git(self.folder, "bisect", "start", made[4], made[0])
        (self.folder / "n").write_text("a change that is not committed\n")

        def state() -> list[str]:
            questions = "status --porcelain n status,rev-parse HEAD,bisect log,for-each-ref,worktree list,branch -a"
            return [git(self.folder, *words.split()) for words in questions.split(",")]

        before = state()
        self.assertEqual(self.bisect(made[0], made[4]).returncode, 4)
        self.assertEqual(state(), before)

    def test_a_commit_of_a_gate_that_fails_is_not_called_slower(self):
        made = self.commits(0, 0, 9, 1, 1)
        done = self.bisect(made[0])
        self.assertEqual(done.returncode, 2)
        self.assertIn("ended with 9, which is not an exit status of a gate", done.stderr)
        self.assertNotIn("first slower", done.stdout)
        self.assertEqual(len(git(self.folder, "worktree", "list").splitlines()), 1)

    def test_what_cannot_be_judged_is_passed_over(self):
        made = self.commits(0, 0, 0, 3, 1, 1, 4, 1)
        done = self.bisect(made[0], "HEAD")
        self.assertEqual(done.returncode, 4)
        self.assertIn("one of these 2 made it slower", done.stdout)
        self.assertIn("change 3\n", done.stdout.partition("one of these")[2])
        self.assertIn("change 4\n", done.stdout.partition("one of these")[2])
        self.assertNotIn("change 5\n", done.stdout.partition("one of these")[2])

    def test_an_undecided_commit_far_from_the_step_costs_nothing(self):
        made = self.commits(0, 3, 0, 0, 1, 2, 1)
        done = self.bisect(made[0], made[-1])
        self.assertEqual(done.returncode, 0)
        self.assertIn("first slower", done.stdout)
        self.assertIn("change 4\n", done.stdout)

    def test_where_the_last_is_as_good_nothing_is_looked_for(self):
        made = self.commits(0, 1, 0)
        done = self.bisect(made[0])
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing to look for", done.stdout)
        self.assertEqual(self.calls(), made[-1:])

    def test_where_the_gate_does_not_decide_on_the_last_it_ends_so_and_says_why(self):
        for status, words in ((2, "could not be compared"), (3, "undecided"), (4, "a wrong answer or a missing case")):
            with self.subTest(status):
                self.setUp()
                made = self.commits(0, 1, status)
                done = self.bisect(made[0])
                self.assertEqual(done.returncode, 4)
                self.assertIn(f"did not decide whether the last commit is slower: {words}; it said:\n  ends with {status}", done.stdout)
                self.assertEqual(self.calls(), made[-1:])

    def test_progress_is_printed_at_once_without_a_terminal(self):
        """The gate itself sees the line that announces it, also in a step of git bisect run."""
        made = self.commits(0, 1, 1)
        (self.folder / "gate").write_text(GATE.replace("#!/bin/sh\n", "#!/bin/sh\ncp said seen\n"))
        words = [sys.executable, str(support.ROOT / "scripts/cfdmark"), "history", "bisect", made[0], "--gate", "./gate"]
        with open(self.folder / "said", "w") as said:
            self.assertEqual(subprocess.run(words, cwd=self.folder, stdout=said, check=False).returncode, 0)
        seen = (self.folder / "seen").read_text()
        self.assertRegex(seen, f"(?s)comparing {made[2][:7]}.*comparing {made[1][:7]}")

    def test_a_merged_branch_counts_as_one_commit(self):
        made = self.commits(0)
        git(self.folder, "checkout", "-q", "-b", "side")
        side = self.commits(1, 1)
        git(self.folder, "checkout", "-q", "main")
        git(self.folder, "merge", "-q", "--no-ff", "-m", "the merge", "side")
        done = self.bisect(made[0])
        self.assertEqual(done.returncode, 0)
        self.assertIn("the merge", done.stdout)
        self.assertFalse(set(side) & set(self.calls()))

    def test_the_gate_gets_what_follows_two_dashes(self):
        made = self.commits(0, 1)
        done = program(self.folder, made[0], "--gate", "./gate", "--", "--filter", "cg/.*", "--budget", "2m")
        self.assertEqual(done.returncode, 0)
        self.assertTrue((self.folder / "options").read_text().endswith(f"{made[1]} --filter cg/.* --budget 2m\n"))
        self.assertTrue((self.folder / "out/bisect" / f"{made[1][:10]}.txt").exists())

    def test_an_input_that_cannot_be_bisected_is_an_error(self):
        made = self.commits(0, 1, 7)
        for words, told in (
            ((made[2], made[0]), "is not an ancestor of"),
            (("nowhere",), "nowhere"),
            ((made[0],), "ended with 7, which is not an exit status of a gate"),
            ((made[0], made[1], "--", "--strict"), "--strict calls slower what is only undecided"),
        ):
            with self.subTest(told):
                gate = ["--gate", "./gate"]
                at = words.index("--") if "--" in words else len(words)
                done = program(self.folder, *words[:at], *gate, *words[at:])
                self.assertEqual(done.returncode, 2)
                self.assertIn(told, done.stderr)
        done = program(self.folder, made[0], made[1], "--gate", "./no-such-gate")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be run", done.stderr)

    def test_an_interrupted_gate_ends_it(self):
        made = self.commits(0, 130)
        self.assertEqual(self.bisect(made[0]).returncode, 130)


class OwnCheckout(Repository):
    def test_in_another_repository_the_default_gate_is_refused_before_anything_is_built(self):
        made = self.commits(0, 1)
        done = program(self.folder, made[0])
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"{self.folder.resolve()} is not a checkout at {bisect.ROOT}", done.stderr)
        self.assertIn("--gate COMMAND", done.stderr)

    def test_only_commits_that_change_the_program_are_tried(self):
        self.assertIn("kernels", bisect.own_sources())
        self.assertNotIn("docs", bisect.own_sources())


if __name__ == "__main__":
    unittest.main()

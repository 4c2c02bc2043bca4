"""Every shell step of the recipes for GitHub and GitLab, run as it stands."""

from __future__ import annotations

import json
import re
import unittest

from ruamel.yaml import YAML
from support import RECIPES, Machine, program_knows_its_commit

TINY = {"SWEEP": "sweeps/tiny.yaml", "BUDGET": "30s"}  # that roofs and four cases surely need less than
GATE = {"GATE_SWEEP": "sweeps/tiny.yaml", "GATE_BUDGET": "5s"}  # undecided cases are measured for all of it
# There is no GPU here, so the recipe for one is run on the rows that there are.
HERE = {"github-hosted-cpu.yml": TINY, "github-self-hosted-gpu.yml": {**TINY, "ROWS": "/serial/"}}
NO_COMMIT = (
    "the program was built outside git and does not know its commit, so nothing of it can be remembered"
)
VERDICTS = (0, 3)  # of a build compared with itself, quickly: same, or undecided


class GitHub(Machine):
    def workflow(self, file: str) -> dict:
        return YAML(typ="safe").load(RECIPES / file)

    def expand(self, value: str) -> str:
        """The expressions that the recipes use in environments."""
        return value.replace("${{ github.event.pull_request.base.sha }}", self.base)

    def steps(self, file: str, job: str) -> dict[str, dict]:
        return {s["name"]: s for s in self.workflow(file)["jobs"][job]["steps"] if "run" in s}

    def step(self, file: str, job: str, name: str, status: tuple[int, ...] = (0,)) -> str:
        """Runs a step as GitHub does on Linux, with its workflow's and its job's environment; returns what it
        printed."""
        workflow = self.workflow(file)
        self.ran.add((job, name))
        variables = {**workflow.get("env", {}), **workflow["jobs"][job].get("env", {}), **HERE[file]}
        variables |= GATE if job == "gate" else {}
        found = self.steps(file, job)[name]["run"]
        done = self.shell(found, ["-e"], **{k: self.expand(str(v)) for k, v in variables.items()})
        return self.succeed(done, status)

    def check_gate(self, file: str, others: list[str]) -> None:
        self.ran = set()
        for name in ["Build", "Build the base", *others]:
            self.step(file, "gate", name)
        self.assertEqual(self.git("rev-parse", "HEAD", where=self.clone / "out/base").strip(), self.base)
        self.step(file, "gate", "Gate")
        self.assertIn("copy/serial/fp64/plain@8x8", (self.clone / "out/comparison.xml").read_text())
        self.assertEqual(self.summary.read_text(), (self.clone / "out/comparison.md").read_text())
        self.assertEqual({name for _, name in self.ran}, set(self.steps(file, "gate")))

    def check_remember(self, file: str) -> None:
        self.ran = set()
        for name in ("Build", "Measure", "Remember", "Report"):
            self.step(file, "remember", name)
        self.assertEqual(len(self.history_lines()), 4)
        self.assertIn("None of 4 cases changed", self.summary.read_text())
        self.assertIn("</html>", (self.clone / "out/history.html").read_text())
        self.assertEqual({name for _, name in self.ran}, set(self.steps(file, "remember")))

    def test_the_gate_of_the_hosted_runner(self):
        self.check_gate("github-hosted-cpu.yml", [])

    def test_the_gate_of_the_gpu_runner(self):
        self.check_gate("github-self-hosted-gpu.yml", ["Show the device"])

    def test_the_gate_of_the_gpu_runner_again_in_the_same_workspace(self):
        self.ran = set()
        for _ in range(2):
            self.step("github-self-hosted-gpu.yml", "gate", "Build the base")
            self.git(
                "clean", "-ffdxq"
            )  # as actions/checkout does before the next job; git still knows of the worktree

    @unittest.skipUnless(program_knows_its_commit(), NO_COMMIT)
    def test_the_history_of_the_hosted_runner(self):
        self.check_remember("github-hosted-cpu.yml")

    @unittest.skipUnless(program_knows_its_commit(), NO_COMMIT)
    def test_the_history_of_the_gpu_runner(self):
        self.check_remember("github-self-hosted-gpu.yml")

    def test_a_gate_that_finds_a_slower_or_wrong_case_fails_and_one_that_is_undecided_only_warns(self):
        for file in HERE:
            for verdict, status in ((0, 0), (1, 1), (2, 2), (3, 0), (4, 4)):
                program = self.clone / "build/release/cfdmark"
                program.parent.mkdir(parents=True, exist_ok=True)
                program.write_text(
                    f"#!/bin/bash\nmkdir -p out; echo verdict >out/comparison.md; exit {verdict}\n"
                )
                program.chmod(0o755)
                self.ran = set()
                out = self.step(file, "gate", "Gate", status=(status,))
                self.assertEqual("::warning::undecided" in out, verdict == 3)
                self.assertEqual(self.summary.read_text(), "verdict\n")
                self.summary.unlink()

    def test_no_step_holds_an_expression_that_only_github_could_fill_in(self):
        """Such a step could not be tried here, and a branch's name could smuggle commands into it."""
        for file in HERE:
            for job in self.workflow(file)["jobs"].values():
                for step in job["steps"]:
                    self.assertNotIn("${{", step.get("run", ""))

    def test_a_fork_does_not_reach_the_runner_with_the_gpu(self):
        gate = self.workflow("github-self-hosted-gpu.yml")["jobs"]["gate"]
        self.assertIn("head.repo.full_name == github.repository", gate["if"])


class GitLab(Machine):
    def job(self, name: str) -> dict:
        whole = YAML(typ="safe").load(RECIPES / "gitlab-ci.yml")
        job = whole[name]
        return {**whole[job["extends"]], **job}

    def run_job(self, name: str, status: tuple[int, ...] = (0,)) -> str:
        """As a runner does: before_script and script one after the other in one shell."""
        job = self.job(name)
        lines = [*job["before_script"], *job["script"]]
        variables = {**job["variables"], **TINY, "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base}
        variables |= GATE if name == "performance-gate" else {}
        return self.succeed(self.shell("\n".join(lines), ["-e", "-o", "pipefail"], **variables), status)

    def test_the_gate(self):
        self.run_job("performance-gate", VERDICTS)
        self.assertTrue((self.clone / "out/comparison.md").exists())
        self.assertIn("copy/serial/fp64/plain@8x8", (self.clone / "out/comparison.xml").read_text())

    def test_undecided_is_a_warning(self):
        self.assertEqual(self.job("performance-gate")["allow_failure"], {"exit_codes": 3})

    @unittest.skipUnless(program_knows_its_commit(), NO_COMMIT)
    def test_the_history(self):
        out = self.run_job("performance-history")
        self.assertEqual(len(self.history_lines()), 4)
        self.assertIn("None of 4 cases changed", out)
        self.assertTrue((self.clone / "out/history.html").exists())


@unittest.skipUnless(program_knows_its_commit(), NO_COMMIT)
class Remember(Machine):
    """scripts/recipes/remember where something is in its way."""

    def setUp(self):
        super().setUp()
        self.succeed(self.shell("./scripts/bench --dry-run", ["-e"]))
        self.measure("new")

    def measure(self, name: str) -> None:
        words = f"sweeps/tiny.yaml --no-roofs --case-seconds 0.02 --output out/{name}.jsonl"
        self.succeed(self.shell(f"build/release/cfdmark run {words}", ["-e"]))

    def remember(self, *words: str, **environment: str):
        return self.shell(" ".join(["scripts/recipes/remember", *words]), ["-e"], **environment)

    def test_the_branch_holds_the_history_and_nothing_else_and_main_stays_as_it_is(self):
        main = self.git("rev-parse", "main", where=self.origin)
        self.succeed(self.remember("out/new.jsonl"))
        files = self.git("ls-tree", "--name-only", "performance-history", where=self.origin).split()
        self.assertTrue(files)
        self.assertTrue(all(file.endswith(".jsonl") for file in files), files)
        self.assertEqual(self.git("rev-parse", "main", where=self.origin), main)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_the_same_run_again_pushes_nothing(self):
        self.succeed(self.remember("out/new.jsonl"))
        before = self.git("rev-parse", "performance-history", where=self.origin)
        self.assertIn("nothing new to remember", self.succeed(self.remember("out/new.jsonl")))
        self.assertEqual(self.git("rev-parse", "performance-history", where=self.origin), before)

    def test_another_machine_continues_with_what_the_first_pushed(self):
        self.succeed(self.remember("out/new.jsonl"))
        self.git("worktree", "remove", "--force", "out/history")
        self.git("branch", "-D", "performance-history")
        text = (self.clone / "out/new.jsonl").read_text()
        later = re.sub(r'"time":"\d{4}', '"time":"2099', text)
        (self.clone / "out/later.jsonl").write_text(later)
        self.succeed(self.remember("out/later.jsonl"))
        self.assertEqual(len(self.history_lines()), 8)
        self.assertEqual(
            self.git("rev-list", "--count", "performance-history", where=self.origin).strip(), "2"
        )

    def test_the_machines_of_a_pool_that_is_named_count_as_one(self):
        self.succeed(self.remember("out/new.jsonl", HISTORY_MACHINE="a pool"))
        self.assertEqual({json.loads(line)["machine"] for line in self.history_lines()}, {"a pool"})

    def test_a_push_that_is_refused_because_somebody_was_faster_is_tried_again(self):
        hook = self.origin / "hooks" / "update"
        hook.write_text(
            f'#!/bin/sh\n[ -e "{self.scratch}/once" ] || {{ touch "{self.scratch}/once"; exit 1; }}\n'
        )
        hook.chmod(0o755)
        done = self.remember("out/new.jsonl")
        self.succeed(done)
        self.assertIn("attempt 1 of 3 failed", done.stderr)
        self.assertEqual(len(self.history_lines()), 4)

    def test_a_file_that_is_no_run_pushes_nothing_and_fails(self):
        (self.clone / "out/empty.jsonl").write_text("")
        done = self.remember("out/empty.jsonl")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no usable record", done.stderr)
        self.assertEqual(self.git("branch", "--list", "performance-history", where=self.origin), "")

    def test_without_files_it_says_how_it_is_used(self):
        done = self.remember()
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: scripts/recipes/remember RECORDS", done.stdout)


if __name__ == "__main__":
    unittest.main()

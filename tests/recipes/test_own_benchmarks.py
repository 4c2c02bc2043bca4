"""The recipes that gate benchmarks of another repository, run as they stand on a repository with an invented program."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from ruamel.yaml import YAML
from support import GIT, PROGRAM, RECIPES

CMAKE = """cmake_minimum_required(VERSION 3.16)
project(own CXX)
add_executable(bench bench.cpp)
"""
# Writes what a program of Google Benchmark writes: eight repetitions of TIME microseconds, and a little more in later rounds.
BENCH = r"""
#include <cstdio>
#include <cstdlib>
#include <string>
int main(int count, char** words) {
  const std::string option = "--benchmark_out=", first = words[1];
  if (count < 2 || first.rfind(option, 0) != 0) return 2;
  const std::string file = first.substr(option.size());
  const double round = std::atof(file.substr(file.size() - 8, 3).c_str());
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fprintf(out, "{\"context\": {\"date\": \"2026-01-01T12:00:00+00:00\", \"num_cpus\": 2}, \"benchmarks\": [");
  for (int n = 0; n < 8; ++n)
    std::fprintf(out, "%s{\"name\": \"BM_flux/64\", \"run_type\": \"iteration\", \"real_time\": %g, \"time_unit\": \"us\"}",
                 n ? "," : "", TIME * (1 + 0.001 * round + 0.0005 * (n % 3)));
  std::fprintf(out, "]}\n");
  return std::fclose(out);
}
"""


@unittest.skipUnless(shutil.which("git") and shutil.which("cmake"), "there is no git or no cmake here")
@unittest.skipUnless(os.path.exists(PROGRAM), f"there is no program {PROGRAM}; ctest names it")
class OwnRepository(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="own repository ")
        self.addCleanup(scratch.cleanup)
        self.home = Path(scratch.name)
        self.root = self.home / "own"
        (self.root / "scripts").mkdir(parents=True)
        (self.home / ".local/bin").mkdir(parents=True)
        (self.home / ".local/bin/cfdmark").symlink_to(PROGRAM)
        if not shutil.which("ccache"):  # the build then calls the compiler itself
            (self.home / ".local/bin/ccache").write_text('#!/bin/sh\nexec "$@"\n')
            (self.home / ".local/bin/ccache").chmod(0o755)
        shutil.copy(RECIPES / "gate_benchmarks", self.root / "scripts")
        (self.root / "CMakeLists.txt").write_text(CMAKE)
        self.git("init", "-q")
        self.base = self.commit(12.5)

    def environment(self, **more) -> dict[str, str]:
        files = {name: str(self.home / name) for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        path = f"{self.home}/.local/bin:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), **files, **{k: str(v) for k, v in more.items()}}

    def git(self, *words: str) -> str:
        return subprocess.run([*GIT, *words], cwd=self.root, env=self.environment(), check=True, capture_output=True, text=True).stdout

    def commit(self, microseconds: float) -> str:
        """Commits a program that takes this time, and returns the commit."""
        (self.root / "bench.cpp").write_text(BENCH.replace("TIME", f"{microseconds:g}"))
        self.git("add", "bench.cpp", "CMakeLists.txt", "scripts")
        self.git("commit", "-q", "-m", "time")
        return self.git("rev-parse", "HEAD").strip()

    def shell(self, script: str, **variables) -> subprocess.CompletedProcess:
        words = ["bash", "-e", "-c", script]
        return subprocess.run(words, cwd=self.root, env=self.environment(**variables), capture_output=True, text=True, timeout=300)

    def github(self) -> subprocess.CompletedProcess:
        """Runs every step of the workflow, and returns the last one, which gates."""
        workflow = YAML(typ="safe").load(RECIPES / "own-github.yml")
        steps = [step for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
        for step in steps:
            done = self.shell(step["run"], **workflow["env"], BASE=self.base)
            if step is not steps[-1]:
                self.assertEqual(done.returncode, 0, f"{step['name']}\n{done.stdout}\n{done.stderr}")
        return done

    def gitlab(self) -> subprocess.CompletedProcess:
        job = YAML(typ="safe").load(RECIPES / "own-gitlab.yml")["benchmarks-gate"]
        (self.root / "out/cfdmark-installed/bin").mkdir(parents=True)
        (self.root / "out/cfdmark-installed/bin/cfdmark").symlink_to(PROGRAM)
        variables = {k: v for k, v in job["variables"].items() if k != "CCACHE_DIR"}
        script = "\n".join([*job["before_script"], *job["script"]])
        return self.shell(script, **variables, CCACHE_DIR=self.root / "out/ccache", CI_MERGE_REQUEST_DIFF_BASE_SHA=self.base)

    def test_a_change_that_makes_a_benchmark_slower_fails_on_github_and_its_summary_says_so(self):
        self.commit(14.1)
        done = self.github()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("BM_flux/64", (self.home / "GITHUB_STEP_SUMMARY").read_text())
        self.assertEqual(len(list((self.root / "out/gate").glob("*/0*.json"))), 12)  # six rounds a side

    def test_a_change_that_makes_nothing_slower_passes_on_gitlab_with_a_junit_report(self):
        self.commit(12.49)
        done = self.gitlab()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("<testcase", (self.root / "out/gate/comparison.xml").read_text())

    def test_a_slower_change_fails_on_gitlab(self):
        self.commit(14.1)
        self.assertEqual(self.gitlab().returncode, 1)

    def test_a_job_of_slurm_has_the_exit_status_of_the_gate_and_the_programs_run_in_turns(self):
        for name, factor in (("base", 1.0), ("change", 1.2)):
            program = self.root / name
            program.write_text(f'#!/bin/sh\necho {name} >>order\nfile=${{1#*=}}\nprintf \'{{"context": {{}}, "benchmarks": [\' >"$file"\n'
                               f'for n in 0 1 2 3 4 5 6 7; do [ $n = 0 ] || printf , >>"$file"; printf \'{{"name": "BM", "run_type": "iteration", '
                               f'"real_time": %s, "time_unit": "us"}}\' {10 * factor:g}$n >>"$file"; done\necho \']}}\' >>"$file"\n')
            program.chmod(0o755)
        script = f'"{RECIPES / "own_slurm_gate"}" ./base ./change'
        done = self.shell(script, SLURM_SUBMIT_DIR=self.root, SLURMD_NODENAME="node1", ROUNDS=4)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual((self.root / "order").read_text().split(), ["base", "change", "change", "base"] * 2)

    def test_a_program_that_fails_stops_the_gate_and_is_no_regression(self):
        done = self.shell("scripts/gate_benchmarks false true")
        self.assertEqual((done.returncode, done.stderr), (2, "gate_benchmarks: false failed with status 1\n"))
        self.assertFalse((self.root / "out/gate/comparison.md").exists())


if __name__ == "__main__":
    unittest.main()

"""The recipe for Slurm: under a stand-in for sbatch everywhere, under a real cluster of two nodes where there
is one."""

from __future__ import annotations

import json
import re
import shutil
import sys
import unittest
from pathlib import Path

from local_slurm import Cluster, why_not
from support import PROGRAM, Machine

# Runs what is submitted at once, as the options and the #SBATCH lines of a script say, and prints a job's
# number.
SBATCH = r"""
import os, pathlib, re, subprocess, sys
words = sys.argv[1:]
with open("calls", "a") as calls:
    calls.write(" ".join(words) + "\n")
place = next(n for n, word in enumerate(words) if not word.startswith("-"))
options, script, arguments = words[:place], pathlib.Path(words[place]), words[place + 1:]
array = next((w.partition("=")[2] for w in options if w.startswith("--array=")), "")
first, _, last = array.partition("-")
tasks = range(int(first), int(last or first) + 1) if array else [None]
output = re.search(r"#SBATCH --output=(\S+)", script.read_text())[1]
job = str(100 + len(open("calls").readlines()))
for task in tasks:
    variables = {**os.environ, "SLURM_JOB_ID": job, "SLURMD_NODENAME": f"node{task}"}
    if task:
        variables |= {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_COUNT": str(len(tasks))}
    name = output.replace("%A", job).replace("%a", str(task)).replace("%j", job)
    with open(name, "a") as log:
        done = subprocess.run(["bash", str(script), *arguments], env=variables, stdout=log, stderr=log)
        log.write(f"status {done.returncode}\n")
print(job)
"""
QUICK = "--no-roofs --case-seconds 0.02"


class Slurm(Machine):
    def setUp(self):
        super().setUp()
        self.succeed(self.shell("./scripts/bench --dry-run", ["-e"]))

    def submit(self, words: str, **environment: str):
        return self.shell(f"scripts/recipes/slurm_sweep {words}", ["-e"], **environment)

    def log(self, pattern: str) -> str:
        return "".join(path.read_text() for path in sorted((self.clone / "out").glob(pattern)))

    def merged(self) -> tuple[list[str], set[int]]:
        """The cases of the merged file and the shards they came from."""
        lines = [json.loads(line) for line in (self.clone / "out/tiny.jsonl").read_text().splitlines()]
        shards = {line["sweep"]["shard"]["index"] for line in lines if line["type"] == "environment"}
        return [line["case"] for line in lines if line["type"] == "record"], shards

    def check_whole_sweep(self) -> None:
        cases, shards = self.merged()
        self.assertEqual((len(cases), len(set(cases)), shards), (4, 4, {1, 2}))
        self.assertTrue((self.clone / "out/tiny.html").exists())


class StandIn(Slurm):
    def setUp(self):
        super().setUp()
        self.stub("sbatch", SBATCH, shell=f"#!{sys.executable}")

    def calls(self) -> list[str]:
        return (self.clone / "calls").read_text().splitlines()

    def test_a_sweep_is_measured_in_shards_and_merged(self):
        out = self.succeed(self.submit(f"sweeps/tiny.yaml 2 {QUICK}"))
        self.assertIn("shards: array job 101; merge: job 102, out/slurm-102.log", out)
        self.check_whole_sweep()
        self.assertIn("out/tiny.jsonl: 4 cases (4 ok) of 2 runs", self.log("slurm-102.log"))
        self.assertIn("status 0", self.log("slurm-102.log"))

    def test_options_reach_the_run_and_those_after_two_dashes_sbatch(self):
        self.succeed(self.submit(f"sweeps/tiny.yaml 2 {QUICK} -- --partition=gpu --gres=gpu:1"))
        array, merge = self.calls()
        self.assertRegex(
            array, r"^--parsable --array=1-2 --partition=gpu --gres=gpu:1 \S+slurm_shard sweeps/tiny.yaml 2 "
        )
        self.assertTrue(array.endswith(QUICK))
        self.assertRegex(merge, r"^--parsable --dependency=afterany:101 \S+slurm_merge sweeps/tiny.yaml 2$")

    def test_a_shard_that_failed_is_reported_by_the_merge_and_can_be_repeated_alone(self):
        self.succeed(self.submit(f"sweeps/tiny.yaml 2 {QUICK}"))
        for path in ("out/tiny.2-of-2.jsonl", "out/tiny.jsonl"):
            (self.clone / path).unlink()
        self.succeed(self.shell("sbatch scripts/recipes/slurm_merge sweeps/tiny.yaml 2", ["-e"]))
        self.assertIn("shard 2/2 is not among the files", self.log("slurm-103.log"))
        self.assertIn("status 1", self.log("slurm-103.log"))
        again = f"sbatch --array=2 scripts/recipes/slurm_shard sweeps/tiny.yaml 2 {QUICK}"
        self.succeed(self.shell(f"{again} && sbatch scripts/recipes/slurm_merge sweeps/tiny.yaml 2", ["-e"]))
        self.check_whole_sweep()

    def test_wrong_words_submit_nothing(self):
        for words in ("", "sweeps/tiny.yaml", "sweeps/tiny.yaml 0", "sweeps/tiny.yaml two"):
            done = self.submit(words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("usage: scripts/recipes/slurm_sweep", done.stderr)
        self.assertFalse((self.clone / "calls").exists())


def without_mpi() -> str:
    """Why no ranks can be processes here; empty if they can."""
    if not (Path(PROGRAM).resolve().parent / "cfdmark_mpi.so").exists():
        return "the program was built without MPI"
    return "" if shutil.which("mpirun") else "no mpirun here"


RANKS = """question: Do the tasks of a job work as ranks?
blocks:
  - {kernels: axpy, backends: serial, methods: plain, precisions: fp64, grids: 64x64, ranks: [1, max], join: mpi}
  - {solvers: cg, backends: serial, methods: textbook, precisions: fp64, grids: 33x33, max_iterations: 9, ranks: [1, max], join: mpi}
"""


def ranks_of_records(path: Path) -> list[tuple[str, int, str]]:
    """The kernel, number of ranks and status of each record."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted((line["name"], line["config"].get("ranks", 1), line["status"]) for line in lines if line["type"] == "record")


@unittest.skipIf(without_mpi(), without_mpi())
class RanksOfAJob(Machine):
    """slurm_solve and slurm_ranks, with mpirun in the place of srun."""

    def setUp(self):
        super().setUp()
        self.stub("srun", 'echo "$@" >>calls\n[[ $1 == -n && $3 == --mpi=pmi2 ]] || exit 9\nexec mpirun -n "$2" "${@:4}"')
        (self.clone / "out").mkdir(exist_ok=True)

    def solve(self, words: str, **environment: str):
        return self.in_job(f"slurm_solve {words}", **environment)

    def in_job(self, words: str, **environment: str):
        return self.shell(f"scripts/recipes/{words}", ["-e"], CFDMARK=str(Path(PROGRAM).resolve()),
                          SLURM_JOB_ID="7", SLURM_NTASKS="2", SLURM_JOB_NODELIST="node[1-2]",
                          SRUN_OPTIONS="--mpi=pmi2", **environment)

    def test_the_tasks_of_a_job_are_the_ranks_of_a_solve(self):
        out = self.succeed(self.solve("--solver cg --grid 33x33", SLURM_CPUS_PER_TASK="2"))
        self.assertIn("2 ranks on node[1-2]", out)
        self.assertIn("on 2 ranks joined by MPI, slabs", out)
        self.assertIn("converged in", out)
        self.assertIn("--rank-of", (self.clone / "calls").read_text())

    def test_the_tasks_of_a_job_are_the_ranks_of_a_sweep(self):
        (self.clone / "sweeps/ranks.yaml").write_text(RANKS)
        out = self.succeed(self.in_job(f"slurm_ranks sweeps/ranks.yaml {QUICK} --processes 1"))
        self.assertIn("up to 2 ranks on node[1-2]", out)
        self.assertEqual(ranks_of_records(self.clone / "out/ranks.jsonl"),
                         [(name, ranks, "ok") for name in ("axpy", "cg") for ranks in (1, 2)])
        self.assertIn("worker --rank-of", (self.clone / "calls").read_text())

    def test_a_job_whose_launcher_fails_says_so(self):
        self.stub("srun", "exit 9")
        done = self.solve("--solver cg --grid 33x33")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the launcher 'srun -n 2 --mpi=pmi2' ended with status 9 before its ranks had met", done.stderr)


@unittest.skipIf(why_not(), why_not())
class TwoNodes(Slurm):
    def test_a_sweep_is_sharded_over_two_nodes_and_merged(self):
        with Cluster() as cluster:
            out = self.succeed(
                self.submit(f"sweeps/tiny.yaml 2 {QUICK}", SLURM_CONF=str(cluster.configuration))
            )
            log = self.clone / re.search(r"out/slurm-\d+\.log", out)[0]
            cluster.wait("merge", lambda: not cluster.ask("squeue", "-h") and log.exists())
        self.check_whole_sweep()
        nodes = re.findall(r"on (node\d)", self.log("slurm-*.log"))
        self.assertEqual(sorted(nodes), ["node1", "node2"])
        self.assertIn("4 cases (4 ok) of 2 runs", log.read_text())


@unittest.skipIf(why_not() or without_mpi(), why_not() or without_mpi())
class RanksOnTwoNodes(Machine):
    """One job over two nodes of a real cluster, joined by srun and PMIx."""

    def submitted(self, words: str) -> str:
        """The log of a job."""
        (self.clone / "out").mkdir(exist_ok=True)
        with Cluster() as cluster:
            if "pmix" not in cluster.ask("srun", "--mpi=list"):
                self.skipTest("this Slurm has no plugin for PMIx")
            out = self.succeed(self.shell(f"sbatch --parsable scripts/recipes/{words}", ["-e"], SRUN_OPTIONS="--mpi=pmix",
                                          CFDMARK=str(Path(PROGRAM).resolve()), SLURM_CONF=str(cluster.configuration)))
            cluster.wait("end of the job", lambda: not cluster.ask("squeue", "-h"), seconds=150)
        return (self.clone / f"out/slurm-{out.split()[-1]}.log").read_text()

    def test_a_sweep_has_a_rank_on_each_node(self):
        (self.clone / "sweeps/ranks.yaml").write_text(RANKS)
        log = self.submitted(f"slurm_ranks sweeps/ranks.yaml {QUICK} --processes 1")
        self.assertIn("up to 2 ranks on node[1-2]", log)
        self.assertEqual(ranks_of_records(self.clone / "out/ranks.jsonl"),
                         [(name, ranks, "ok") for name in ("axpy", "cg") for ranks in (1, 2)], log)

    def test_a_solve_has_a_rank_on_each_node(self):
        log = self.submitted("slurm_solve --solver cg --grid 33x33")
        self.assertIn("on 2 ranks joined by MPI, slabs", log)
        self.assertIn("converged in", log)


if __name__ == "__main__":
    unittest.main()

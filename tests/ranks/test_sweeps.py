"""Sweeps whose ranks are processes: records, failures that cost one case, and kills that lose nothing.

CFDMARK_KILLS sets the number of random kills (default 12; 200 by hand)."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

from support import LIMIT, PROGRAM, Job, TestOfJobs, why_not

KILLS = int(os.environ.get("CFDMARK_KILLS", "12"))
QUICK = ("--case-seconds", "0.02", "--no-roofs", "--processes", "1")
ENDLESS = "{solvers: jacobi, backends: serial, methods: plain, precisions: fp64, grids: 257x257, ranks: 2, join: mpi, " \
          "tolerance: 1e-15, max_iterations: [100000000, 20]}"


def seconds_of(pid: int) -> float:
    """The processor time of a process."""
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def busy_threads(pid: int | None) -> dict[str, set[str]]:
    """The processors that each thread of a process may use, of threads that have computed for 1 s."""
    busy = {}
    for task in Path(f"/proc/{pid}/task").glob("*"):
        if sum(map(int, (task / "stat").read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK") > 1:
            busy[task.name] = {str(cpu) for cpu in os.sched_getaffinity(int(task.name))}
    return busy


@unittest.skipIf(why_not(), why_not())
class TestOfSweeps(TestOfJobs):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "records.jsonl"

    def run_sweep(self, *blocks: str, words: tuple = (), **variables: str) -> Job:
        sweep = self.folder / "sweep.yaml"
        sweep.write_text("question: Do ranks as processes work?\nblocks:\n" + "".join(f"  - {block}\n" for block in blocks))
        return self.job("run", str(sweep), "--output", str(self.file), *QUICK, *words, **variables)

    def records(self) -> list[dict]:
        lines = [json.loads(line) for line in self.file.read_text().splitlines()]
        return [line for line in lines if line["type"] == "record"]

    def measured(self, *blocks: str, **variables: str) -> dict[str, dict]:
        """The records by label of a sweep that succeeds."""
        self.ended(self.run_sweep(*blocks, **variables), 0, within=LIMIT)
        return {record["label"]: record for record in self.records()}

    def script(self, text: str) -> str:
        path = self.folder / "script"
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(0o755)
        return str(path)


    def host_backends(self) -> list[str]:
        """Those of this build: one without Kokkos records its cases as not run."""
        self.measured("{kernels: axpy, backends: [serial, openmp, kokkos], methods: default, precisions: fp64, grids: 8x8}")
        built = [record["backend"] for record in self.records() if record["status"] == "ok"]
        self.assertLessEqual({"serial", "openmp"}, set(built))
        self.file.unlink()
        return built


class Records(TestOfSweeps):
    def test_solves_on_processes_have_the_history_of_one_rank(self):
        backends = self.host_backends()
        cases = self.measured(f"{{solvers: [cg, multigrid], backends: [{', '.join(backends)}], methods: [textbook, plain], "
                              "precisions: fp64, grids: 63x31, max_iterations: 8, ranks: [1, 2], join: [threads, mpi]}")
        self.assertEqual({record["status"] for record in cases.values()}, {"ok"}, cases)
        for solver, method in (("cg", "textbook"), ("multigrid", "plain")):
            one = cases[f"{solver}/serial/fp64/{method}@63x31;max_iterations=8"]
            threads = cases[f"{solver}/serial/fp64/{method}@63x31:ranks=2;max_iterations=8"]
            for backend in backends:
                found = [r for r in cases.values() if r["name"] == solver and r["backend"] == backend and "join" in r["config"]]
                self.assertEqual(len(found), 1, found)
                self.assertIn("ranks=2,join=mpi", found[0]["label"])
                for fact in ("iterations", "history", "relative_residual", "true_residual", "error_history"):
                    self.assertEqual(found[0]["solver"][fact], one["solver"][fact], (solver, backend, fact))
                ranks = found[0]["ranks"]
                self.assertEqual((ranks["joined_by"], ranks["launcher"], ranks["hosts"]), ("mpi", "mpirun -n 2", 1))
                self.assertRegex(ranks["library"], r"^Open MPI v\d")
                self.assertEqual(found[0]["resources"]["threads"] % 2, 0)
            processes = cases[f"{solver}/serial/fp64/{method}@63x31:ranks=2,join=mpi;max_iterations=8"]
            self.assertEqual(threads["ranks"]["joined_by"], "threads")
            for part in ("exchange", "sums", "partition"):  # the same messages and numbers
                self.assertEqual(processes["ranks"][part], threads["ranks"][part], part)
            self.assertEqual({name: len(s) for name, s in processes["ranks"]["seconds"].items()},
                             {"work": 2, "exchange": 2, "sums": 2})
            self.assertEqual(processes["cost"], threads["cost"])

    def test_kernels_and_flows_on_processes_are_right(self):
        backends = self.host_backends()
        cases = self.measured(f"{{kernels: [red_black_sor, dot], backends: [{', '.join(backends)}], methods: plain, "
                              "precisions: [fp32, fp64], grids: 33x48, ranks: 2, join: mpi}",
                              "{solvers: projection, problems: cavity, backends: serial, methods: default, precisions: fp64, "
                              "grids: 16x16, max_iterations: 5, ranks: [1, 2], join: mpi, tolerance: 1e-30}")
        self.assertEqual(len(cases), 4 * len(backends) + 2)
        for label, record in cases.items():
            self.assertEqual(record["status"], "ok", record)
            self.assertTrue(record["verification"]["passed"], label)
        kernels = [record for record in cases.values() if record["kind"] == "kernel"]
        for record in kernels:
            is_sum = record["name"] == "dot"
            self.assertEqual(record["ranks"]["exchange"]["messages_per_step"], 0 if is_sum else 4)
            self.assertEqual(record["ranks"]["sums"]["per_step"], 1 if is_sum else 0)
        one, two = (record for record in cases.values() if record["name"] == "projection")
        self.assertEqual(one["solver"]["history"], two["solver"]["history"])

    def test_a_rank_without_a_connection_gets_its_commands_from_the_first(self):
        script = self.script('[ "$OMPI_COMM_WORLD_RANK" != 1 ] || set -- "${@:1:$#-1}" "elsewhere:${!##*:}"\nexec "$@"\n')
        cases = self.measured("{kernels: axpy, backends: serial, methods: plain, precisions: fp64, grids: 33x48, ranks: 2, "
                              "join: mpi}", words=("--launcher", f"mpirun -n {{ranks}} {script}"))
        (record,) = cases.values()
        self.assertEqual((record["status"], record["ranks"]["launcher"]), ("ok", f"mpirun -n 2 {script}"))


class Threads(TestOfSweeps):
    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two processors")
    def test_ranks_that_are_threads_do_not_share_the_processor_that_openmp_binds_the_first_to(self):
        job = self.run_sweep(ENDLESS.replace(", join: mpi", ""), OMP_PROC_BIND="close")
        end = time.monotonic() + LIMIT
        while len(busy := busy_threads(job.worker())) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(len(busy), 2, busy)
        self.assertGreater(len(set.union(*busy.values())), 1, busy)


class Failures(TestOfSweeps):
    def failed(self, job: Job, within: float = LIMIT) -> dict:
        """The record of the endless case, after which the other one has been measured."""
        self.ended(job, 1, within)
        first, second = self.records()
        self.assertEqual(second["status"], "ok", second)
        return first

    def ranks_of(self, job: Job) -> list[int]:
        """The processes of the ranks, once they solve: to start takes less than 1 s of a processor."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            ranks = job.ranks()
            if len(ranks) == 2 and all(seconds_of(pid) > 1 for pid in ranks):
                return ranks
            time.sleep(0.05)
        self.fail("the ranks do not solve")

    def test_a_rank_that_is_killed_costs_its_case(self):
        job = self.run_sweep(ENDLESS)
        victim = self.ranks_of(job)[1]
        start = time.monotonic()
        os.kill(victim, signal.SIGKILL)
        record = self.failed(job)
        self.assertEqual(record["status"], "crashed")
        self.assertRegex(record["reason"], rf"^rank \d of 2 \(process {victim}\) was killed by SIGKILL while (verifying|measuring)$")
        self.assertLess(time.monotonic() - start, 15)

    def test_a_rank_that_hangs_is_a_timeout_that_names_who_waits(self):
        job = self.run_sweep(ENDLESS, words=("--timeout", "10"))
        victim = self.ranks_of(job)[1]
        os.kill(victim, signal.SIGSTOP)
        record = self.failed(job)
        self.assertEqual(record["status"], "timeout")
        self.assertRegex(record["reason"], rf"^timeout: rank \d of 2 \(process {victim}\) has been (verifying|measuring) for 10 s; "
                                           r"rank \d waits for rank \d \(")

    def test_a_launcher_that_is_killed_costs_a_case(self):
        job = self.run_sweep(ENDLESS)
        self.ranks_of(job)
        launcher = job.launcher()
        os.kill(launcher, signal.SIGKILL)
        record = self.failed(job)
        self.assertEqual((record["status"], record["reason"]),
                         ("crashed", f"the launcher 'mpirun -n 2' (process {launcher}) was killed by SIGKILL; its ranks were ended"))

    def test_a_rank_that_lacks_memory_is_an_error_with_its_number(self):
        script = self.script('[ "$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -v 1300000\nexec "$@"\n')
        job = self.run_sweep("{kernels: axpy, backends: serial, methods: plain, precisions: fp64, grids: [6000x6000, 33x33], "
                             "ranks: 2, join: mpi}", words=("--launcher", f"mpirun -n {{ranks}} {script}"))
        record = self.failed(job)
        self.assertEqual(record["status"], "error", record)
        self.assertRegex(record["reason"], r"^rank 1 of 2( \(process \d+\))?: (out of memory|std::bad_alloc|cannot allocate)")

    def refused(self, launcher: str) -> list[dict]:
        self.ended(self.run_sweep(ENDLESS, words=("--launcher", launcher)), 1, within=LIMIT)
        return self.records()

    def test_processes_that_do_not_know_each_other_are_an_error_of_each_case(self):
        script = self.script('count=$1; shift\nfor n in $(seq $count); do "$@" & done; wait\n')
        for record in self.refused(f"{script} {{ranks}}"):
            self.assertEqual(record["status"], "error")
            self.assertRegex(record["reason"], r"^2 processes started by '\S+ 2' do not know each other: each knows 1, by Open MPI v")

    def test_ranks_of_different_builds_are_refused(self):
        environment = next(json.loads(line) for line in self.file_of_one_case() if '"environment"' in line)
        fingerprint = environment["program"]["fingerprint"]
        other = self.folder / "cfdmark"
        other.write_bytes(PROGRAM.read_bytes().replace(fingerprint.encode(), fingerprint[::-1].encode()))
        other.chmod(0o755)
        (self.folder / "cfdmark_mpi.so").symlink_to(PROGRAM.parent / "cfdmark_mpi.so")
        self.file.unlink()
        script = self.script(f'[ "$OMPI_COMM_WORLD_RANK" != 1 ] || set -- {other} "${{@:2}}"\nexec "$@"\n')
        for record in self.refused(f"mpirun -n {{ranks}} {script}"):
            self.assertEqual(record["status"], "error")
            self.assertRegex(record["reason"], rf"the ranks are of different builds: {fingerprint[:31]} on \S+, {fingerprint[::-1][:31]} on ")

    def file_of_one_case(self) -> list[str]:
        self.measured("{kernels: axpy, backends: serial, methods: plain, precisions: fp64, grids: 8x8}")
        return self.file.read_text().splitlines()

    def test_a_launcher_without_a_place_for_the_number_is_refused_before_anything_is_measured(self):
        job = self.run_sweep(ENDLESS, words=("--launcher", "mpirun -n 2"))
        self.assertIn("expected {ranks} where the number of ranks goes", self.ended(job, 2, within=LIMIT))


class Kills(TestOfSweeps):
    BLOCK = "{solvers: [jacobi, cg], backends: serial, methods: [plain, textbook], precisions: fp64, grids: [33x33, 65x65], " \
            "max_iterations: 200, tolerance: 1e-12, ranks: [1, 2, 3], join: mpi}"
    CASES = 12

    def check_file(self, done: set[str]) -> set[str]:
        """Returns the cases with a correct record, of which none is lost or doubled."""
        complete = self.file.read_text().rpartition("\n")[0].splitlines() if self.file.exists() else []
        records = [line for line in map(json.loads, complete) if line["type"] == "record"]
        correct = Counter(record["case"] for record in records if record["status"] == "ok")
        self.assertLessEqual(done, set(correct))
        self.assertEqual({case: n for case, n in correct.items() if n > 1}, {})
        for record in records:
            if record["status"] != "ok":
                self.assertEqual(record["status"], "crashed", record)
        return set(correct)

    def test_random_kills_lose_no_record_and_leave_no_process(self):
        """Kills a rank, the launcher, the worker or the supervisor at a random time, and goes on."""
        seed = random.randrange(10**6)
        chance = random.Random(seed)
        done: set[str] = set()
        for kill in range(KILLS):
            job = self.run_sweep(self.BLOCK, words=("--timeout", str(LIMIT)), SLURM_NTASKS="3")
            who, delay = chance.choice(("rank", "launcher", "worker", "supervisor")), chance.uniform(0, 3)
            time.sleep(delay)
            victims = {"rank": job.ranks(), "launcher": [job.launcher()], "worker": [job.worker()],
                       "supervisor": [job.process.pid]}[who]
            victims = [pid for pid in victims if pid]
            with self.subTest(seed=seed, kill=kill, who=who, delay=delay, victims=victims):
                if victims:
                    try:
                        os.kill(chance.choice(victims), signal.SIGKILL)
                    except ProcessLookupError:
                        pass  # it has ended meanwhile
                status, _, errors, _ = job.end()
                self.assertIn(status, (0, 1, -signal.SIGKILL), errors)
                self.assertEqual(job.left(), {}, errors)
                done = self.check_file(done)
            if len(done) == self.CASES:
                self.file.unlink()
                done = set()


if __name__ == "__main__":
    unittest.main()

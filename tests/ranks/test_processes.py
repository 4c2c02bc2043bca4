"""Ranks as processes: the results of one rank, the failures of ranks, launcher and supervisor, after which no
process remains.

CFDMARK_KILLS sets the number of random kills (default 20; 200 by hand)."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from support import LIMIT, MODULE, PROGRAM, Job, TestOfJobs, why_not

CHECK = PROGRAM.parent / "tests/cfdmark_mpi_check"
DEVICES_CHECK = PROGRAM.parent / "tests/cfdmark_mpi_devices_check"
KILLS = int(os.environ.get("CFDMARK_KILLS", "20"))
# Open MPI refuses root and more ranks than cores unless asked; the program sets this for its own launcher.
LAUNCHER = {"OMPI_MCA_mpi_yield_when_idle": "0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
ENDLESS = ("--solver", "jacobi", "--grid", "129x129", "--tolerance", "1e-15", "--max-iterations", "100000000")


def answer(*words: str) -> str:
    """Returns the output of a solve without its title and times."""
    done = subprocess.run([PROGRAM, "solve", *words], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    return "".join(line for line in done.stdout.splitlines(True)[1:] if "time to solution" not in line)


@unittest.skipIf(why_not(), why_not())
class Results(unittest.TestCase):
    def check(self, ranks: int, *words: str, program: Path = CHECK) -> str:
        done = subprocess.run(["mpirun", "-n", str(ranks), program, MODULE, *words], capture_output=True, text=True,
                              timeout=3 * LIMIT, env={**os.environ, **LAUNCHER})
        return done.stdout

    def test_ghosts_sums_and_solves_have_the_bits_of_one_rank(self):
        for ranks in (2, 3, 4):
            self.assertRegex(self.check(ranks), rf"^{ranks} ranks: \d\d+ checks\n$")

    @unittest.skipIf(not DEVICES_CHECK.exists(), "this build has no CUDA")
    def test_solves_on_emulated_devices_of_processes_have_the_bits_of_one_device(self):
        for ranks in (2, 3):
            self.assertEqual(self.check(ranks, program=DEVICES_CHECK), f"{ranks} ranks: 9 checks\n")

    def test_a_rank_that_skips_a_sum_is_found(self):
        self.assertIn("waited 1 s for rank 1 (sum)", self.check(3, "skip_sum"))

    def test_a_solve_prints_what_one_rank_prints(self):
        for words in (("--solver", "jacobi", "--grid", "33x33", "--tolerance", "1e-2"), ("--solver", "cg", "--grid", "65x31"),
                      ("--solver", "bicgstab", "--problem", "convection", "--grid", "33x33")):
            alone = answer(*words, "--backend", "serial",
                           "--method", "plain" if "jacobi" in words else "textbook")
            for more in (("--ranks", "3"), ("--ranks", "4", "--partition", "2x2"),
                         ("--ranks", "2", "--backend", "openmp")):
                self.assertEqual(answer(*words, *more, "--join", "mpi"), alone, more)

    @unittest.skipUnless(Path("/dev/nvidiactl").exists(), "this machine has no GPU")
    def test_processes_with_a_gpu_each_or_one_for_all_print_the_same(self):
        for words in (("--solver", "cg", "--method", "textbook", "--grid", "65x64"),
                      ("--solver", "multigrid", "--method", "plain", "--grid", "127x127")):
            two, three = (answer(*words, "--backend", "cuda", "--ranks", ranks, "--join", "mpi") for ranks in "23")
            self.assertEqual(two, three)
            self.assertIn("converged in", two)

    def test_pictures_are_drawn_once(self):
        with tempfile.TemporaryDirectory() as folder:
            answer("--solver", "cg", "--grid", "33x33", "--ranks", "2", "--join", "mpi", "--plot", f"{folder}/plate")
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()),
                             ["plate-field.png", "plate-history.png", "plate.json"])

    def test_a_solve_that_does_not_converge_has_status_1(self):
        job = Job("solve", "--solver", "jacobi", "--grid", "33x33", "--max-iterations", "20", "--ranks", "3", "--join", "mpi")
        status, out, errors, _ = job.end()
        self.assertEqual((status, errors), (1, ""))
        self.assertIn("NOT converged after 20 iterations", out)
        self.assertEqual(job.left(), {})


@unittest.skipIf(why_not(), why_not())
class Failures(TestOfJobs):
    def solve(self, *words: str, **variables: str) -> Job:
        return self.job("solve", *words, "--ranks", "3", "--join", "mpi", **variables)

    def test_a_rank_that_is_killed_is_named_with_its_signal(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            job = self.solve(*ENDLESS)
            job.wait_for_solving()
            victim = job.ranks()[1]
            os.kill(victim, number)
            self.assertRegex(self.ended(job, 1), rf"(?m)^cfdmark: rank \d of 3 \(process {victim}\) was killed by "
                                                 rf"{number.name} while (preparing|solving)\n$")

    def test_a_rank_that_hangs_is_named_with_those_that_wait(self):
        job = self.solve(*ENDLESS, "--rank-timeout", "2")
        job.wait_for_solving()
        victim = job.ranks()[1]
        os.kill(victim, signal.SIGSTOP)
        errors = self.ended(job, 1, within=2 + 5 + 10)
        self.assertRegex(errors, rf"^cfdmark: timeout: rank \d of 3 \(process {victim}\) has been \w+ for 2 s; "
                                 r"rank \d waits for ranks? ")

    def test_a_launcher_that_is_killed_is_named(self):
        job = self.solve(*ENDLESS)
        job.wait_for_solving()
        launcher = job.launcher()
        os.kill(launcher, signal.SIGKILL)
        self.assertEqual(self.ended(job, 1), f"cfdmark: the launcher 'mpirun -n 3' (process {launcher}) was killed by "
                                             "SIGKILL; its ranks were ended\n")

    def test_ranks_end_when_their_supervisor_is_killed(self):
        job = self.solve(*ENDLESS)
        job.wait_for_solving()
        socket = re.search(r"--rank-of \S+?:(\S+)", job.processes()[job.ranks()[0]])[1]
        os.kill(job.process.pid, signal.SIGKILL)
        self.ended(job, -signal.SIGKILL)
        self.assertFalse(Path(socket).parent.exists())

    def test_an_interrupt_ends_all(self):
        job = self.solve(*ENDLESS)
        job.wait_for_solving()
        job.process.send_signal(signal.SIGINT)
        self.assertEqual(self.ended(job, 130), "cfdmark: interrupted\n")

    def with_second(self, old: str, new: str, status: int) -> str:
        """The error of a job whose second rank has another word in its command."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "second"
            script.write_text('#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec "$@"\nfor word; do\n  shift\n'
                              f'  [ "$word" = {old} ] && word={new}\n  set -- "$@" "$word"\ndone\nexec "$@"\n')
            script.chmod(0o755)
            job = self.solve("--solver", "cg", "--grid", "65x65", "--partition", "1x3", "--rank-timeout", "5",
                      "--launcher", f"mpirun -n {{ranks}} {script}")
            return self.ended(job, status, within=LIMIT)  # from its start on

    def test_a_rank_that_fails_alone_ends_the_others_with_its_reason(self):
        self.assertRegex(self.with_second("1x3", "9x9", 2),
                         r"^cfdmark: rank 1 of 3 \(process \d+\): a partition of 9x9x1 has 81 parts, but there are 3 ranks\n$")

    def test_ranks_with_different_problems_end_with_an_error(self):
        self.assertRegex(self.with_second("65x65", "65x99", 2),
                         r"^cfdmark: rank \d of 3 \(process \d+\): a field of \d+ values along axis 1 does not belong to")

    def test_processes_that_do_not_know_each_other_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "launcher"
            script.write_text('#!/bin/sh\ncount=$1; shift\nfor n in $(seq $count); do "$@" & done; wait\n')
            script.chmod(0o755)
            job = self.solve("--solver", "cg", "--grid", "33x33", "--launcher", f"{script} {{ranks}}")
            self.assertRegex(self.ended(job, 1), r"^cfdmark: 3 processes started by '\S+ 3' do not know each other: "
                                                 r"each knows 1, by Open MPI v\S+\. ")

    def test_a_launcher_that_starts_nothing_is_named(self):
        for launcher, reason in (("false {ranks}", r"the launcher 'false 3' ended with status 1 before its ranks had met"),
                                 ("no-such-launcher {ranks}", "cannot start no-such-launcher: No such file")):
            job = self.solve("--solver", "cg", "--grid", "33x33", "--launcher", launcher)
            self.assertIn(reason, self.ended(job, 1))
        job = self.solve("--solver", "cg", "--grid", "33x33", "--launcher", "mpirun -n 3")
        self.assertIn("expected {ranks} where the number of ranks goes", self.ended(job, 2))

    def test_a_program_that_a_launcher_has_started_refuses(self):
        job = self.solve("--solver", "cg", "--grid", "33x33", OMPI_COMM_WORLD_SIZE="4")
        self.assertIn("cfdmark starts its ranks itself: run it once, without mpirun", self.ended(job, 2))

    def test_random_kills_leave_nothing(self):
        """Kills a rank, the launcher or the supervisor at a random time."""
        seed = random.randrange(10**6)
        chance = random.Random(seed)
        for kill in range(KILLS):
            job = self.solve(*ENDLESS)
            who, delay = chance.choice(("rank", "launcher", "supervisor")), chance.uniform(0, 1.2)
            time.sleep(delay)
            victims = {"rank": job.ranks(), "launcher": [job.launcher()], "supervisor": [job.process.pid]}[who]
            end = time.monotonic() + LIMIT
            while not (victims and victims[0]) and time.monotonic() < end:  # it has not started yet
                victims = job.ranks() if who == "rank" else [job.launcher()]
            victim = chance.choice(victims)
            os.kill(victim, signal.SIGKILL)
            with self.subTest(seed=seed, kill=kill, who=who, delay=delay):
                errors = self.ended(job, -signal.SIGKILL if who == "supervisor" else 1)
                if who == "launcher":
                    self.assertIn(f"(process {victim}) was killed by SIGKILL", errors)
                elif who == "rank":
                    self.assertRegex(errors, rf"\(process {victim}\) was killed by SIGKILL while|"
                                              "one of 3 ranks was killed by SIGKILL while starting|before its ranks had met")


class WithoutMpi(unittest.TestCase):
    """A program with no module, or one that cannot be opened, works, and says what MPI needs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "cfdmark"
        shutil.copy(PROGRAM, self.program)

    def solve(self, *words: str, **variables: str):
        done = subprocess.run([self.program, "solve", "--solver", "cg", "--grid", "33x33", "--ranks", "2", *words],
                              capture_output=True, text=True, timeout=LIMIT, env={**os.environ, **variables})
        return done.returncode, done.stderr

    def test_threads_need_no_module_and_mpi_names_its_packages(self):
        self.assertEqual(self.solve()[0], 0)
        status, errors = self.solve("--join", "mpi")
        self.assertEqual(status, 2)
        self.assertIn("built without MPI; install openmpi-bin and libopenmpi-dev", errors)

    def test_a_module_whose_library_is_missing_names_the_package(self):
        (self.program.parent / "cfdmark_mpi.so").write_text("no library")
        status, errors = self.solve("--join", "mpi")
        self.assertEqual(status, 2)
        self.assertIn("cannot open the module for MPI", errors)
        self.assertIn("install openmpi-bin", errors)

    @unittest.skipUnless(MODULE.exists(), "built without MPI")
    def test_without_a_launcher_the_package_is_named(self):
        shutil.copy(MODULE, self.program.parent)
        status, errors = self.solve("--join", "mpi", PATH="/nowhere")
        self.assertEqual(status, 2)
        self.assertIn("none is on PATH; install openmpi-bin", errors)


if __name__ == "__main__":
    unittest.main()

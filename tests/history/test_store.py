import errno
import os
import subprocess
import sys
import unittest
from unittest import mock

from support import CASE, ROOT, HistoryCase, commit_of, environment, record

GPU_CASE = "jacobi/cuda/fp64/plain@8x8;operator=constant"


class Adding(HistoryCase):
    def test_a_point_keeps_what_the_record_said(self):
        here = environment(commit_of(7), day=3)
        kernels = [
            {"registers": 40, "occupancy": 0.5, "local_bytes": 0},
            {"registers": 32, "occupancy": 0.25},
        ]
        raw = record(here, 2e-4, case=GPU_CASE, resources={"kernels": kernels}, solver={"iterations": 420})
        self.history("add", self.file(here, raw))
        (point,) = self.lines()
        wanted = {
            "case": GPU_CASE,
            "device": "Test GPU",
            "commit": commit_of(7),
            "dirty": False,
            "time": "2026-03-03T12:00:00Z",
            "status": "ok",
            "median": 2e-4,
            "samples": 3,
            "registers": 40,
            "occupancy": 0.25,
            "local_bytes": 0,
            "iterations": 420,
        }
        self.assertEqual({key: point[key] for key in wanted}, wanted)
        self.assertNotIn("ci_low", point)  # three samples give no 95 % interval
        (facts,) = self.lines("facts")
        self.assertEqual(facts["id"], point["facts"])
        self.assertEqual(facts["facts"]["compiler"], "GNU 12.2.0")

    def test_each_device_has_its_file(self):
        here = environment(commit_of(1))
        self.history("add", self.file(here, record(here, 1.0), record(here, 1.0, case=GPU_CASE)))
        self.assertEqual(sorted(os.listdir(self.folder)), ["test-cpu-2-cores.jsonl", "test-gpu.jsonl"])
        self.assertEqual(
            [len(p.read_text().splitlines()) for p in self.folder.iterdir()], [2, 2]
        )  # facts and point

    def test_two_machines_of_one_name_have_a_timeline_each(self):
        for n, machine in enumerate(("one", "two", "one")):
            here = environment(commit_of(n)) | {"host": {"name_hash": "vm", "cpu": "CPU", "cores": 2, "machine": machine}}
            self.history("add", self.file(here, record(here, 1.0 + n)))
        _, out, _ = self.history("show")
        self.assertIn("CPU, 2 cores, machine A", out)
        self.assertIn("CPU, 2 cores, machine B", out)
        self.assertEqual([p["machine"] for p in self.lines()], ["one", "two", "one"])

    def test_the_machines_of_a_pool_count_as_one_where_that_is_said(self):
        for n in (1, 2):
            here = environment(commit_of(n)) | {"host": {"cpu": "CPU", "cores": 2, "machine": f"lent {n}"}}
            self.history("add", self.file(here, record(here, 1.0)), "--machine", "pool")
        self.assertEqual({p["machine"] for p in self.lines()}, {"pool"})
        self.assertNotIn("machine A", self.history("show")[1])

    def test_two_gpus_of_one_kind_are_two_machines_and_the_processors_are_one(self):
        for n, gpu in enumerate(("one", "two")):
            here = environment(commit_of(n)) | {"gpu": {"name": "Test GPU", "identity": gpu}}
            self.history("add", self.file(here, record(here, 1.0), record(here, 1.0, case=GPU_CASE)))
        machines = {}
        for point in self.lines():
            machines.setdefault(point["case"], set()).add(point["machine"])
        self.assertEqual((len(machines[CASE]), len(machines[GPU_CASE])), (1, 2))

    def test_two_programs_of_one_commit_and_second_are_two_points(self):
        for program in ("first", "second"):
            here = environment(commit_of(1), dirty=True, fingerprint=program)
            self.history("add", self.file(here, record(here, 1.0)))
        self.assertEqual([p["program"] for p in self.lines()], ["first", "second"])

    def test_adding_the_same_again_adds_nothing(self):
        run = self.run_of(1, 1.0)
        self.history("add", run)
        before = {p: p.read_bytes() for p in self.folder.iterdir()}
        status, out, _ = self.history("add", run, run)
        self.assertEqual(status, 0)
        self.assertIn("1 point known already", out)
        self.assertEqual({p: p.read_bytes() for p in self.folder.iterdir()}, before)

    def test_adding_the_same_in_several_processes_at_once_adds_it_once(self):
        here = environment(commit_of(1))
        run = self.file(here, record(here, 1.0), record(here, 1.0, case=GPU_CASE))
        words = [sys.executable, str(ROOT / "scripts/cfdmark"), "history", "--folder", str(self.folder), "add", str(run)]
        running = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(6)]
        self.assertEqual({process.wait() for process in running}, {0})
        self.assertEqual(sorted(point["case"] for point in self.lines()), sorted([CASE, GPU_CASE]))
        self.assertEqual(len(self.lines("facts")), 2)

    def test_files_only_grow(self):
        self.history("add", self.run_of(1, 1.0))
        (path,) = self.folder.iterdir()
        before = path.read_bytes()
        self.history("add", self.run_of(2, 2.0))
        self.assertTrue(path.read_bytes().startswith(before))
        self.assertEqual(len(self.lines()), 2)

    def test_facts_that_stay_the_same_are_written_once(self):
        self.history("add", self.run_of(1, 1.0), self.run_of(2, 1.0))
        self.assertEqual(len(self.lines("facts")), 1)

    def test_the_same_commit_measured_twice_has_two_points(self):
        for day in (1, 2):
            here = environment(commit_of(1), day)
            self.history("add", self.file(here, record(here, 1.0)))
        self.assertEqual(len(self.lines()), 2)

    def test_one_file_may_hold_several_commits(self):
        one, other = environment(commit_of(1)), environment(commit_of(2))
        self.history("add", self.file(one, record(one, 1.0), other, record(other, 2.0)))
        self.assertEqual(
            [(p["commit"], p["median"]) for p in self.lines()], [(commit_of(1), 1.0), (commit_of(2), 2.0)]
        )

    def test_of_two_records_of_a_case_in_one_run_the_later_counts(self):
        here = environment(commit_of(1))
        crashed = record(here, 1.0, status="crashed", reason="it died")
        del crashed["time"]
        self.history("add", self.file(here, crashed, record(here, 3.0)))
        self.assertEqual([p["median"] for p in self.lines()], [3.0])

    def test_a_wrong_answer_is_remembered_without_a_time(self):
        here = environment(commit_of(1))
        self.history("add", self.file(here, record(here, 1.0, status="failed", reason="cell (1, 1)")))
        (point,) = self.lines()
        self.assertEqual(
            (point["status"], point["reason"], "median" in point), ("failed", "cell (1, 1)", False)
        )

    def test_cases_that_did_not_run_are_skipped(self):
        here = environment(commit_of(1))
        self.history(
            "add", self.file(here, record(here, 1.0), record(here, 1.0, case=GPU_CASE, status="not_run"))
        )
        self.assertEqual([p["case"] for p in self.lines()], [CASE])


class BadInput(HistoryCase):
    def refused(self, *words) -> str:
        status, out, err = self.history(*words)
        self.assertEqual((status, out), (2, ""))
        self.assertFalse(self.folder.exists())
        return err

    def test_an_empty_file_is_refused(self):
        self.assertIn("no usable record", self.refused("add", self.file()))

    def test_a_missing_file_is_refused_and_the_others_are_not_added(self):
        self.assertIn(
            "nowhere.jsonl", self.refused("add", self.run_of(1, 1.0), self.scratch / "nowhere.jsonl")
        )

    def test_records_of_another_schema_are_refused(self):
        here = environment(commit_of(1))
        self.assertIn(
            "schema 7 is unknown", self.refused("add", self.file(here, record(here, 1.0, schema=7)))
        )

    def test_records_without_an_environment_are_refused(self):
        lost = self.file(record(environment(commit_of(1)), 1.0))
        self.assertIn("its environment is not in the file", self.refused("add", lost))

    def test_a_program_that_does_not_know_its_commit_needs_one_named(self):
        here = environment("")
        run = self.file(here, record(here, 1.0))
        self.assertIn("--commit", self.refused("add", run))
        self.history("add", run, "--commit", commit_of(9))
        self.assertEqual(self.lines()[0]["commit"], commit_of(9))

    def test_the_good_lines_of_a_truncated_file_are_added_and_the_bad_one_named(self):
        here = environment(commit_of(1))
        run = self.file(here, record(here, 1.0), '{"type": "record", "ca')
        status, _, err = self.history("add", run)
        self.assertEqual((status, len(self.lines())), (0, 1))
        self.assertIn(f"{run}:3: line skipped: not JSON", err)

    def test_a_bad_line_of_the_history_is_named_and_the_rest_shown(self):
        self.history("add", self.run_of(1, 1.0))
        (path,) = self.folder.iterdir()
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"type":"point","schema":2,"cas')
        status, out, err = self.history("show")
        self.assertEqual(status, 0)
        self.assertIn(f"{path}:3: line skipped", err)
        self.assertIn("0101010101", out)

    def test_what_follows_a_line_that_was_cut_off_is_kept(self):
        self.history("add", self.run_of(1, 1.0))
        (path,) = self.folder.iterdir()
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"type":"point","schema":2,"cas')
        self.history("add", self.run_of(2, 1.0))
        self.assertIn("2 points", self.history("show")[1])

    def test_a_full_disk_leaves_the_file_as_it_was_and_ends_with_status_3(self):
        self.history("add", self.run_of(1, 1.0))
        (path,) = self.folder.iterdir()
        before = path.read_bytes()
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            status, _, err = self.history("add", self.run_of(2, 1.0))
        self.assertEqual(status, 3)
        self.assertIn(f"cannot write {path}: No space left on device", err)
        self.assertEqual(path.read_bytes(), before)

    def test_an_unknown_action_is_answered_with_the_nearest(self):
        status, _, err = self.history("chnges")
        self.assertEqual(status, 2)
        self.assertIn("did you mean 'changes'?", err)

    def test_an_unknown_case_is_an_error_with_a_suggestion(self):
        self.history("add", self.run_of(1, 1.0))
        self.assertIn("did you mean", self.history("show", "jaccobi/serial/fp64/plain@8x8")[2])
        self.assertIn("not a regular expression", self.history("show", "(")[2])

    def test_an_empty_history_says_how_to_begin_one(self):
        self.assertIn("history add", self.refused("show"))


if __name__ == "__main__":
    unittest.main()

import contextlib
import errno
import fcntl
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.merge import command  # noqa: E402

SWEEP = """question: Do the parts make the whole?
blocks:
  - kernels: [copy, triad, axpy]
    backends: serial
    methods: default
    precisions: [fp32, fp64]
    grids: [8x8, 16x16, 9x9x9]
"""


def environment(shard: int = 1, count: int = 2, cases: int = 2, time: str = "", **changes) -> dict:
    """Of a shard of a sweep of four cases."""
    return {
        "type": "environment",
        "id": f"env{shard}",
        "time": time or f"2026-03-01T12:00:0{shard}Z",
        "program": {"commit": "abc", "compiler": "GNU 12.2.0"},
        "host": {"machine": f"node{shard}", "cpu": "Test CPU", "cores": 2, "memory_bytes": 1000 + shard},
        "gpu": {"reason": "none"},
        "sweep": {"id": "5ee9", "cases": 4, "shard": {"index": shard, "count": count, "cases": cases}},
        **changes,
    }


def record(case: str, median: float = 1.0, **changes) -> dict:
    return {
        "type": "record",
        "schema": 2,
        "case": f"{case}/serial/fp64/plain@8x8",
        "kind": "kernel",
        "name": case,
        "backend": "serial",
        "precision": "fp64",
        "method": "plain",
        "grid": [8, 8],
        "config": {},
        "status": "ok",
        "time": {"samples": [median], "median": median},
        **changes,
    }


FIRST = [environment(1), record("copy"), record("triad")]
SECOND = [environment(2), record("axpy"), record("sum", status="not_run")]


class MergeCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.out = self.scratch / "out.jsonl"

    def file(self, name: str, *lines) -> Path:
        path = self.scratch / name
        path.write_text(
            "".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines), encoding="utf-8"
        )
        return path

    def merge(self, *words, out: Path | None = None) -> tuple[int, str, str]:
        told, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(err):
            status = command.main([str(word) for word in (out or self.out, *words)])
        told.flush()
        return status, told.buffer.getvalue().decode("utf-8"), err.getvalue()

    def merged(self) -> list[dict]:
        return [json.loads(line) for line in self.out.read_text(encoding="utf-8").splitlines()]


class Whole(MergeCase):
    def test_the_lines_of_all_files_are_there_letter_by_letter(self):
        one, two = self.file("1.jsonl", *FIRST), self.file("2.jsonl", *SECOND)
        status, out, err = self.merge(one, two)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("4 cases (1 not_run and 3 ok) of 2 runs on 2 machines", out)
        self.assertEqual(self.out.read_text(), one.read_text() + two.read_text())

    def test_hosts_of_one_name_that_are_two_are_counted_as_two(self):
        hosts = [{"name_hash": "vm", "cpu": "CPU", "machine": key} for key in ("one", "two")]
        files = [
            self.file(f"{n}.jsonl", environment(n, host=hosts[n - 1]), *lines[1:])
            for n, lines in ((1, FIRST), (2, SECOND))
        ]
        self.assertIn("of 2 runs on 2 machines", self.merge(*files)[1])
        again = self.file("3.jsonl", environment(2, time="2026-03-02T12:00:00Z", host=hosts[1]), record("copy", 9.0))
        self.assertIn("copy/serial/fp64/plain@8x8", err := self.merge(*files, again)[2])
        self.assertIn("measured more than once, on different machines", err)

    def test_nodes_of_one_kind_may_each_have_a_gpu_of_that_kind(self):
        gpus = [{"name": "GPU", "identity": key} for key in ("one", "two")]
        one = self.file("1.jsonl", environment(1, gpu=gpus[0]), *FIRST[1:])
        two = self.file("2.jsonl", environment(2, gpu=gpus[1]), *SECOND[1:])
        self.assertEqual(self.merge(one, two)[0], 0)

    def test_nodes_may_differ_in_who_else_was_on_their_gpu(self):
        gpus = [{"name": "GPU", "load": {"processes": n, "busy_share": 0.1 * n, "busy": n > 0}} for n in (0, 3)]
        one = self.file("1.jsonl", environment(1, gpu=gpus[0]), *FIRST[1:])
        two = self.file("2.jsonl", environment(2, gpu=gpus[1]), *SECOND[1:])
        self.assertEqual(self.merge(one, two)[0], 0)

    def test_the_order_of_the_files_does_not_matter(self):
        again = [environment(2, time="2026-03-01T13:00:00Z"), record("axpy", 3.0)]
        files = [self.file(f"{n}.jsonl", *lines) for n, lines in enumerate([FIRST, SECOND, again])]
        results = set()
        for order in itertools.permutations(files):
            self.out.unlink(missing_ok=True)
            self.merge(*order)
            results.add(self.out.read_bytes())
        self.assertEqual(len(results), 1)

    def test_one_by_one_or_all_at_once_is_the_same(self):
        files = [self.file("2.jsonl", *SECOND), self.file("1.jsonl", *FIRST)]
        self.merge(*files)
        at_once = self.out.read_bytes()
        self.out.unlink()
        for path in files:
            self.merge(path)
        self.assertEqual(self.out.read_bytes(), at_once)

    def test_merges_at_once_into_one_file_keep_every_side(self):
        parts = [self.file(f"{n}.jsonl", environment(n, 8, 1), record(f"case_{n}")) for n in range(1, 9)]
        words = [sys.executable, str(ROOT / "scripts/cfdmark"), "merge", str(self.out)]
        running = [subprocess.Popen([*words, str(part)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for part in parts]
        self.assertLessEqual({process.wait() for process in running}, {0, 1})  # 1: shards are missing as yet
        names = sorted(line["name"] for line in self.merged() if line["type"] == "record")
        self.assertEqual(names, [f"case_{n}" for n in range(1, 9)])

    def test_merging_again_changes_nothing(self):
        files = [self.file("1.jsonl", *FIRST), self.file("2.jsonl", *SECOND)]
        self.merge(*files)
        before = self.out.read_bytes()
        self.assertEqual(self.merge(*files, files[0])[0], 0)
        self.assertEqual(self.out.read_bytes(), before)

    def test_of_two_records_of_a_case_the_later_measured_comes_last_with_a_warning(self):
        late = self.file("late.jsonl", environment(1, time="2026-03-02T00:00:00Z"), record("copy", 9.0))
        early = self.file("1.jsonl", *FIRST)
        _, _, err = self.merge(late, early, self.file("2.jsonl", *SECOND))
        self.assertIn("copy/serial/fp64/plain@8x8: measured more than once", err)
        medians = [r["time"]["median"] for r in self.merged() if r.get("name") == "copy"]
        self.assertEqual(medians, [1.0, 9.0])

    def test_a_retry_in_the_same_file_is_no_conflict(self):
        crashed = record("copy", status="crashed", reason="it died")
        retried = [environment(1, time="2026-03-01T15:00:00Z"), record("copy", 2.0), record("triad")]
        one = self.file("1.jsonl", environment(1), crashed, *retried)
        status, out, err = self.merge(one, self.file("2.jsonl", *SECOND))
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("crashed", out)

    def test_a_record_that_continues_from_an_earlier_one_takes_its_place(self):
        once = record("copy") | {"time": {"samples": [1.0], "median": 1.0}}
        twice = record("copy") | {"time": {"samples": [1.0, 3.0], "median": 2.0, "processes": [1, 1]}}
        other = record("triad")
        path = self.file("a.jsonl", environment(1), once, other, twice)
        self.merge(path)
        self.assertEqual(self.merged()[1:], [other, twice])

    def test_a_clock_that_was_set_back_does_not_make_an_older_record_count(self):
        before = [environment(1, time="2026-03-05T00:00:00Z"), record("copy", 1.0)]
        after = [environment(1, time="2026-03-01T00:00:00Z"), record("copy", 2.0), record("triad")]
        for _ in range(2):
            self.merge(self.file("1.jsonl", *before, *after), self.file("2.jsonl", *SECOND))
            medians = [r["time"]["median"] for r in self.merged() if r.get("name") == "copy"]
            self.assertEqual(medians, [1.0, 2.0])

    def test_a_file_that_grew_since_it_was_merged_adds_what_is_new(self):
        self.merge(self.file("1.jsonl", *FIRST[:2]), self.file("2.jsonl", *SECOND))
        self.assertEqual(self.merge(self.file("1.jsonl", *FIRST))[0], 0)
        self.assertEqual(len(self.merged()), 6)

    def test_an_empty_shard_is_a_part_of_the_whole(self):
        lines = [environment(1, cases=4), *(record(n) for n in ("copy", "triad", "axpy", "sum"))]
        status, _, err = self.merge(
            self.file("1.jsonl", *lines), self.file("2.jsonl", environment(2, cases=0))
        )
        self.assertEqual((status, err), (0, ""))


class NotWhole(MergeCase):
    def test_a_missing_shard_is_named(self):
        status, _, err = self.merge(self.file("1.jsonl", *FIRST))
        self.assertEqual(status, 1)
        self.assertIn("2 of the sweep's 4 cases have no record", err)
        self.assertIn("shard 2/2 is not among the files", err)
        self.assertEqual(len(self.merged()), 3)

    def test_a_shard_that_did_not_end_is_named(self):
        status, _, err = self.merge(self.file("1.jsonl", *FIRST), self.file("2.jsonl", *SECOND[:2]))
        self.assertEqual(status, 1)
        self.assertIn("shard 2/2 has records of 1 of its 2 cases", err)

    def test_a_line_that_was_cut_off_is_named_and_the_rest_merged(self):
        cut = self.file("2.jsonl", *SECOND, '{"type":"record","ca')
        status, _, err = self.merge(self.file("1.jsonl", *FIRST), cut)
        self.assertEqual(status, 1)
        self.assertIn(f"{cut}:4: line skipped: not JSON", err)
        self.assertEqual(len(self.merged()), 6)

    def test_files_that_do_not_name_their_sweep_are_merged_and_it_is_said(self):
        plain = {key: value for key, value in environment().items() if key != "sweep"}
        status, _, err = self.merge(self.file("1.jsonl", plain, record("copy")))
        self.assertEqual(status, 1)
        self.assertIn("do not say what sweep they belong to", err)


class Refused(MergeCase):
    def refused(self, *words) -> str:
        status, out, err = self.merge(*words)
        self.assertEqual((status, out, self.out.exists()), (2, "", False))
        return err

    def test_another_sweep(self):
        other = environment(2, sweep={"id": "0dd", "cases": 9})
        files = self.file("1.jsonl", *FIRST), self.file("2.jsonl", other, record("sum"))
        err = self.refused(*files)
        self.assertIn("sweep: 5ee9 of 4 cases", err)
        self.assertIn("0dd of 9 cases", err)

    def test_another_program_or_machine_with_the_difference_shown_unless_forced(self):
        other = environment(2, program={"commit": "def", "compiler": "GNU 12.2.0"})
        one, two = self.file("1.jsonl", *FIRST), self.file("2.jsonl", other, *SECOND[1:])
        err = self.refused(one, two)
        self.assertIn(f"program.commit: abc ({one}), def ({two})", err)
        self.assertNotIn("compiler", err)
        status, _, err = self.merge(one, two, "--force")
        self.assertEqual(status, 0)
        self.assertIn("merged although they differ in program.commit", err)

    def test_another_fingerprint_and_not_another_commit_of_the_same_sources(self):
        program = {"commit": "abc", "fingerprint": "one"}
        one = self.file("1.jsonl", environment(1, program=program), *FIRST[1:])
        same = self.file("2.jsonl", environment(2, program=program | {"commit": "def"}), *SECOND[1:])
        other = self.file("3.jsonl", environment(2, program=program | {"fingerprint": "two"}), *SECOND[1:])
        self.assertIn("program.fingerprint: one", self.refused(one, other))
        self.assertEqual(self.merge(one, same)[0], 0)

    def test_a_host_of_another_kind_with_the_same_name(self):
        host = {"machine": "vm", "cpu": "CPU", "cores": 2, "memory_bytes": 100 * 2**30}
        one = self.file("1.jsonl", environment(1, host=host), *FIRST[1:])
        for change in ({"memory_bytes": 50 * 2**30}, {"caches": []}, {"board": "B"}, {"processor": {"family": "6"}}):
            other = self.file("2.jsonl", environment(2, host=host | change), *SECOND[1:])
            self.assertIn(f"host.{next(iter(change))}", self.refused(one, other))
        self.assertEqual(self.merge(one, self.file("2.jsonl", environment(2, host=host), *SECOND[1:]))[0], 0)

    def test_not_for_records_that_a_later_build_replaced(self):
        older = environment(1, time="2026-02-01T00:00:00Z", program={"commit": "old"})
        one = self.file("1.jsonl", older, record("copy", 7.0), *FIRST)
        status, out, _ = self.merge(one, self.file("2.jsonl", *SECOND))
        self.assertEqual(status, 0)
        self.assertIn("of 2 runs", out)
        self.assertEqual(len(self.merged()), 8)

    def test_other_threads_or_another_quota_of_processor_time(self):
        one = self.file("1.jsonl", *FIRST)
        host = environment(2)["host"]
        for change, told in (
            ({"kokkos": {"threads": 1}}, "kokkos.threads: absent"),
            ({"openmp": {"proc_bind": "false"}}, "openmp.proc_bind: absent"),
            ({"host": host | {"cpu_quota": 0.5}}, "host.cpu_quota: absent"),
        ):
            other = self.file("2.jsonl", environment(2, **change), *SECOND[1:])
            self.assertIn(told, self.refused(one, other))

    def test_another_gpu(self):
        other = environment(2, gpu={"name": "B"})
        self.assertIn("gpu.name", self.refused(self.file("1.jsonl", *FIRST), self.file("2.jsonl", other)))

    def test_another_schema(self):
        other = self.file("2.jsonl", environment(2), record("axpy", schema=3))
        self.assertIn(f"{other}:2: schema 3", self.refused(self.file("1.jsonl", *FIRST), other))

    def test_a_record_of_an_unknown_machine(self):
        self.assertIn("before any environment line", self.refused(self.file("1.jsonl", record("copy"))))

    def test_empty_and_missing_files(self):
        self.assertIn("holds no run", self.refused(self.file("1.jsonl")))
        self.assertIn("nowhere.jsonl", self.refused(self.scratch / "nowhere.jsonl"))

    def test_to_write_over_something_else(self):
        readme = self.file("README.md", "# not records\n")
        status, _, err = self.merge(self.file("1.jsonl", *FIRST), out=readme)
        self.assertEqual(status, 2)
        self.assertEqual(readme.read_text(), "# not records\n")

    def test_a_file_that_a_run_is_writing(self):
        self.out.write_text(json.dumps(FIRST[0]) + "\n")
        before = self.out.read_bytes()
        with open(self.out, "ab") as run, mock.patch("cfdmark.output.SECONDS_TO_WAIT", 0.1):
            fcntl.flock(run, fcntl.LOCK_EX)
            status, _, err = self.merge(self.file("a.jsonl", *FIRST))
        self.assertEqual((status, self.out.read_bytes()), (3, before))
        self.assertIn("another process is writing it", err)

    def test_a_refused_merge_leaves_no_new_file(self):
        self.assertEqual(self.merge(self.file("a.jsonl", ""))[0], 2)
        self.assertFalse(self.out.exists())

    def test_a_full_disk_leaves_out_as_it_was(self):
        self.merge(self.file("1.jsonl", *FIRST))
        before = self.out.read_bytes()
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            status, _, err = self.merge(self.file("2.jsonl", *SECOND))
        self.assertEqual(status, 3)
        self.assertIn("No space left", err)
        self.assertEqual(self.out.read_bytes(), before)


@unittest.skipUnless("CFDMARK_PROGRAM" in os.environ, "CFDMARK_PROGRAM does not name the program; ctest does")
class Program(MergeCase):
    def cfdmark(self, *words) -> subprocess.CompletedProcess:
        command = [os.environ["CFDMARK_PROGRAM"], *map(str, words)]
        return subprocess.run(command, cwd=self.scratch, capture_output=True, text=True, check=False)

    def cases(self, path: Path) -> list[str]:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return sorted(line["case"] for line in lines if line["type"] == "record")

    def test_the_merged_shards_of_a_sweep_hold_the_cases_of_the_whole_sweep(self):
        self.file("tiny.yaml", SWEEP)
        quick = ["--no-roofs", "--processes", "1", "--case-seconds", "0.02"]
        whole = self.cfdmark("run", "tiny.yaml", *quick)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for n in (3, 1, 2):
            shard = self.cfdmark("run", "tiny.yaml", "--shard", f"{n}/3", *quick)
            self.assertEqual(shard.returncode, 0, shard.stderr)
        parts = [f"out/tiny.{n}-of-3.jsonl" for n in (2, 3, 1)]
        merged = self.cfdmark("merge", "out/all.jsonl", *parts)
        self.assertEqual((merged.returncode, merged.stderr), (0, ""))
        self.assertEqual(
            self.cases(self.scratch / "out/all.jsonl"), self.cases(self.scratch / "out/tiny.jsonl")
        )
        self.assertEqual(len(self.cases(self.scratch / "out/all.jsonl")), 18)
        two = self.cfdmark("merge", "out/two.jsonl", *parts[:2])
        self.assertEqual(two.returncode, 1)
        self.assertIn("shard 1/3 is not among the files", two.stderr)


if __name__ == "__main__":
    unittest.main()

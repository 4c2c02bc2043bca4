"""Records in Google Benchmark's format."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401
from cfdmark_export import command
from cfdmark_export.gbench import gbench


def ok(case, samples) -> dict:
    time = {"samples": samples, "steps_per_sample": 5}
    return {"type": "record", "case": case, "status": "ok", "time": time}


ENVIRONMENT = {
    "type": "environment",
    "time": "2026-01-01T00:00:00Z",
    "host": {"cores": 2, "name_hash": "abc", "caches": [{"level": 1, "bytes": 32768, "shared_by": 1}]},
    "program": {"version": "1.2.3", "build_type": "Debug"},
}


class Gbench(unittest.TestCase):
    def test_has_one_entry_a_sample_of_the_last_record_of_each_case_in_nanoseconds(self):
        lines = [ENVIRONMENT, ok("not asked for", [1.0]), ok("a", [7.0]), ok("a", [1e-3, 2e-3])]
        found = gbench(lines, ["a"])["benchmarks"]
        self.assertEqual(len(found), 2)
        self.assertEqual((found[1]["name"], found[1]["run_type"]), ("a", "iteration"))
        self.assertEqual((found[1]["repetition_index"], found[1]["iterations"]), (1, 5))
        self.assertEqual((found[1]["real_time"], found[1]["time_unit"]), (2e6, "ns"))

    def test_says_where_the_numbers_come_from(self):
        context = gbench([ENVIRONMENT], [])["context"]
        self.assertEqual((context["num_cpus"], context["executable"]), (2, "cfdmark 1.2.3"))
        self.assertEqual((context["library_build_type"], context["host_name"]), ("debug", "abc"))
        self.assertEqual(
            context["caches"], [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}]
        )

    def test_leaves_out_what_has_no_time(self):
        failed = {"type": "record", "case": "a", "status": "failed", "reason": "wrong"}
        self.assertEqual(gbench([ok("a", [1.0]), failed], ["a", "b"])["benchmarks"], [])

    def test_the_command_writes_the_file(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            out.reconfigure = lambda **_: None
            words = {"lines": [ENVIRONMENT, ok("a", [1.0])], "cases": ["a"]}
            with mock.patch("sys.stdin", io.StringIO(json.dumps(words))):
                self.assertEqual(command.gbench_main([f"{folder}/g.json"]), 0)
            self.assertEqual(len(json.loads(Path(folder, "g.json").read_text())["benchmarks"]), 1)


if __name__ == "__main__":
    unittest.main()

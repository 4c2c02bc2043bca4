"""Records in Google Benchmark's format."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401

from cfdmark.export import command
from cfdmark.export.gbench import gbench_text, smaller_is_better
from cfdmark.stats.statistics import summary_of


def ok(case, samples) -> dict:
    time = {"samples": samples, "steps_per_sample": 5, **summary_of(tuple(samples))}
    return {"type": "record", "case": case, "status": "ok", "time": time}


ENVIRONMENT = {
    "type": "environment",
    "time": "2026-01-01T00:00:00Z",
    "host": {"cores": 2, "name_hash": "abc", "caches": [{"level": 1, "bytes": 32768, "shared_by": 1}]},
    "program": {"version": "1.2.3", "build_type": "Debug"},
}


def gbench(lines: list[dict], cases: list[str]) -> dict:
    return json.loads(gbench_text(lines, cases))


class Gbench(unittest.TestCase):
    def test_has_one_entry_a_sample_of_the_last_record_of_each_case_in_nanoseconds(self):
        lines = [ENVIRONMENT, ok("not requested", [1.0]), ok("a", [7.0]), ok("a", [1e-3, 2e-3])]
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

    def test_what_google_benchmark_wrote_itself_is_passed_on_as_it_was(self):
        context, entries = '{"date": "d", "num_cpus": 4}', ['{"name": "a", "cpu_time": 5, "rate": NaN}', '{"name": "a", "cpu_time": 6}']
        failed = {"type": "record", "case": "b", "status": "error", "reason": "r", "entries": ['{"name": "b", "error_occurred": true}']}
        lines = [{"type": "environment", "google_benchmark": context}, {**ok("a", [1.0, 2.0]), "entries": entries}, failed]
        text = gbench_text(lines, ["a", "b"])
        for part in (context, *entries, *failed["entries"]):
            self.assertIn(part, text)
        self.assertEqual([b["name"] for b in json.loads(text)["benchmarks"]], ["a", "a", "b"])

    def test_what_else_another_program_measured_becomes_counters(self):
        record = {**ok("a", [1.0]), "counters": {"nv/cold/bw/global/utilization": 0.5}}
        self.assertEqual(gbench([ENVIRONMENT, record], ["a"])["benchmarks"][0]["nv/cold/bw/global/utilization"], 0.5)

    def test_for_github_action_benchmark_each_case_is_one_number_in_one_unit(self):
        failed = {"type": "record", "case": "c", "status": "failed", "reason": "wrong"}
        long = ok("b", [float(n) for n in range(1, 8)])
        long["time"]["processes"] = [7]
        found = smaller_is_better([ENVIRONMENT, ok("a", [1e-3, 3e-3]), long, failed], ["a", "b", "c"])
        self.assertEqual([set(entry) for entry in found], [{"name", "unit", "value", "extra"}, {"name", "unit", "value", "range", "extra"}])
        self.assertEqual([(entry["name"], entry["unit"]) for entry in found], [("a", "us"), ("b", "us")])
        self.assertAlmostEqual(found[0]["value"], 2000)
        self.assertEqual((found[1]["value"], found[1]["range"], found[1]["extra"]), (4e6, "3000000.000", "7 samples"))

    def test_the_command_writes_the_file(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            out.reconfigure = lambda **_: None
            words = {"lines": [ENVIRONMENT, ok("a", [1.0])], "cases": ["a"]}
            with mock.patch("sys.stdin", io.StringIO(json.dumps(words))):
                self.assertEqual(command.gbench_main([f"{folder}/g.json"]), 0)
            self.assertEqual(len(json.loads(Path(folder, "g.json").read_text())["benchmarks"]), 1)
            with mock.patch("sys.stdin", io.StringIO(json.dumps(words))):
                self.assertEqual(command.gbench_main([f"{folder}/s.json", "--format", "smaller-is-better"]), 0)
            self.assertEqual(json.loads(Path(folder, "s.json").read_text())[0]["unit"], "us")


if __name__ == "__main__":
    unittest.main()

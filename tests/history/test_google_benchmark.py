"""Others' benchmarks in a history: what Google Benchmark writes."""

import json
import unittest

from support import HistoryCase, commit_of, environment, record


def run(name: str, real_time: float, unit: str = "us", **more) -> dict:
    return {"name": name, "run_name": name, "run_type": "iteration", "real_time": real_time, "time_unit": unit, **more}


def file_of(*runs: dict, day: int = 1, **context) -> dict:
    facts = {"date": f"2026-03-{day:02d}T12:00:00+01:00", "host_name": "h", "num_cpus": 4, "library_build_type": "release"}
    return {"context": {**facts, **context}, "benchmarks": list(runs)}


class GoogleBenchmark(HistoryCase):
    def written(self, content: dict):
        path = self.scratch / "theirs.json"
        path.write_text(json.dumps(content, indent=2), encoding="utf-8")
        return path

    def test_each_repetition_is_a_sample_and_an_aggregate_is_none(self):
        mean = {**run("BM_flux/64", 99.0), "run_type": "aggregate", "aggregate_name": "mean"}
        runs = [run("BM_flux/64", 1.0 + n / 100) for n in range(7)]
        status, _, err = self.history("add", self.written(file_of(*runs, mean)), "--commit", commit_of(1))
        self.assertEqual((status, err), (0, ""))
        (point,) = self.lines()
        self.assertEqual((point["case"], point["samples"], point["time"]), ("BM_flux/64", 7, "2026-03-01T11:00:00Z"))
        self.assertAlmostEqual(point["median"], 1.03e-6)
        self.assertLess(point["ci_low"], point["median"])

    def test_a_jump_is_found_as_in_our_own(self):
        for n in range(20):
            slow = 1.3 if n >= 12 else 1.0
            runs = [run("BM_flux", slow * (100 + (n * 7 + k) % 5 / 10), "ns") for k in range(7)]
            self.history("add", self.written(file_of(*runs, day=1 + n)), "--commit", commit_of(n))
        out = self.history("changes")[1]
        self.assertIn("1 slower", out)
        self.assertIn("BM_flux", out)

    def test_it_is_added_once_and_shown_with_our_records(self):
        here = environment(commit_of(1))
        theirs = self.written(file_of(run("BM_flux", 1.0)))
        for _ in range(2):
            status, out, _ = self.history("add", self.file(here, record(here, 1.0)), theirs, "--commit", commit_of(1))
        self.assertEqual(status, 0)
        self.assertIn("2 points known already", out)

    def test_the_commit_may_stand_in_the_context_and_must_stand_somewhere(self):
        self.assertEqual(self.history("add", self.written(file_of(run("BM", 1.0), commit=commit_of(3))))[0], 0)
        self.assertEqual(self.lines()[0]["commit"], commit_of(3))
        status, _, err = self.history("add", self.written(file_of(run("BM", 1.0))))
        self.assertEqual(status, 2)
        self.assertIn("name it with --commit", err)

    def test_what_cannot_be_used_is_named(self):
        for content, words in (
            (file_of(run("BM", 1.0), date="soon"), "`context.date` is missing or not a date"),
            (file_of(run("BM", 1.0), date="0001-01-01T00:00:00+23:59"), "`context.date` is missing or not a date"),
            (file_of(run("BM", 1.0), json_schema_version=2), "`context.json_schema_version` is 2: this program reads version 1"),
            (file_of({**run("BM", 1.0), "run_type": "aggregate"}), "it has aggregates alone"),
            (file_of("BM"), "`benchmarks` must hold objects alone"),
            (file_of(), "it holds no benchmark"),
        ):
            with self.subTest(words):
                status, _, err = self.history("add", self.written(content), "--commit", commit_of(1))
                self.assertEqual(status, 2)
                self.assertIn(words, err)

    def test_an_odd_benchmark_is_wrong_by_name_and_the_others_are_remembered(self):
        for odd, words in (
            (run("BM_odd", 1.0, "fortnights"), "`time_unit` is fortnights: expected one of ns, us, ms, s"),
            (run("BM_odd", 0.0), "`real_time` is 0.0, which is not a time"),
            (run("BM_odd", -1.0), "`real_time` is -1.0, which is not a time"),
            (run("BM_odd", float("nan")), "`real_time` is nan, which is not a time"),
            (run("BM_odd", "soon"), "`real_time` is soon, which is not a time"),
        ):
            with self.subTest(words):
                self.setUp()
                status, _, err = self.history("add", self.written(file_of(run("BM", 1.0), odd)), "--commit", commit_of(1))
                self.assertEqual(status, 0)
                self.assertIn(f"BM_odd is stored without a time: {words}", err)
                self.assertEqual({p["case"]: p["status"] for p in self.lines()}, {"BM": "ok", "BM_odd": "error"})
                self.assertEqual([p.get("reason") for p in self.lines()], [None, words])

    def test_which_time_counts_is_remembered_and_may_be_chosen(self):
        both = self.written(file_of(run("BM", 2.0, cpu_time=1.0)))
        for words, median in (((), 1e-6), (("--time", "real"), 2e-6), (("--time", "cpu"), 1e-6)):
            with self.subTest(words):
                self.setUp()
                self.history("add", both, "--commit", commit_of(1), *words)
                self.assertAlmostEqual(self.lines()[0]["median"], median)
                self.assertEqual(self.lines("facts")[0]["facts"]["time"], words[-1] if words else "cpu")

    def test_a_benchmark_that_failed_is_remembered_without_a_time(self):
        broken = run("BM", 0.0, error_occurred=True, error_message="no device")
        self.history("add", self.written(file_of(broken)), "--commit", commit_of(1))
        (point,) = self.lines()
        self.assertEqual((point["status"], point["reason"], "median" in point), ("error", "no device", False))

    def test_a_benchmark_that_was_skipped_leaves_no_point(self):
        skipped = run("BM", 0.0, skipped=True, skip_message="too small")
        self.history("add", self.written(file_of(skipped, run("BM_flux", 1.0))), "--commit", commit_of(1))
        self.assertEqual([point["case"] for point in self.lines()], ["BM_flux"])


if __name__ == "__main__":
    unittest.main()

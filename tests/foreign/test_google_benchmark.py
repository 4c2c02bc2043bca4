"""Google Benchmark's files since version 1.5: repetitions, the time that counts, names of counters."""

import json
import unittest

from support import ForeignCase

NEW = {"date": "2026-03-01T12:00:00+01:00", "host_name": "h", "num_cpus": 4, "json_schema_version": 1}


def new(name: str, nanoseconds: float, repetition: int = 0, family: int = 0, **more) -> dict:
    indices = {"family_index": family, "per_family_instance_index": 0, "run_name": name, "run_type": "iteration"}
    times = {"iterations": 10, "real_time": nanoseconds, "cpu_time": nanoseconds, "time_unit": "ns"}
    return {"name": name, **indices, "repetition_index": repetition, **times, **more}


def aggregate(name: str, nanoseconds: float, kind: str) -> dict:
    typed = {"name": f"{name}_{kind}", "run_type": "aggregate", "aggregate_name": kind}
    return {**new(name, nanoseconds), **typed}


def file_of(*entries: dict, context: dict = NEW) -> dict:
    return {"context": context, "benchmarks": list(entries)}


class Entries(ForeignCase):
    def test_repetitions_are_samples_aggregates_and_complexities_are_not(self):
        kinds = ("mean", "median", "stddev", "cv", "BigO", "RMS", "p99")
        aggregates = [aggregate("BM", 1, kind) for kind in kinds]
        self.assertEqual(self.times(file_of(new("BM", 50), new("BM", 51, 1), *aggregates)), {"BM": [50, 51]})

    def test_two_benchmarks_of_one_name_are_distinguished_by_family_or_by_repetition(self):
        by_family = file_of(new("BM", 50), new("BM", 51, 1), new("BM", 900, 0, 1), new("BM", 901, 1, 1))
        interleaved = file_of(new("BM", 50), new("BM", 900, 0, 1), new("BM", 51, 1), new("BM", 901, 1, 1))
        by_repetition = json.loads(json.dumps(by_family))
        for entry in by_repetition["benchmarks"]:
            del entry["family_index"]
        for content in (by_family, interleaved, by_repetition):
            self.assertEqual(self.times(content), {"BM": [50, 51], "BM #2": [900, 901]})
            self.assertIn("2 benchmarks are called BM", self.read(content).warnings[0])

    def test_a_benchmark_that_is_named_like_the_second_of_another_is_kept(self):
        content = file_of(new("BM", 50), new("BM", 900, family=1), new("BM #2", 70, family=2))
        self.assertEqual(self.times(content), {"BM": [50], "BM #2": [900], "BM #2 #2": [70]})

    def test_a_benchmark_whose_name_ends_like_an_aggregate_is_one(self):
        content = file_of(new("BM", 50), aggregate("BM", 50, "mean"), new("BM_mean", 60, family=1))
        self.assertEqual(self.times(content), {"BM": [50], "BM_mean": [60]})

    def test_aggregates_alone_are_refused_and_the_fix_is_named(self):
        entries = [aggregate("BM/8", 50, kind) for kind in ("mean", "median", "stddev")]
        self.refuses(file_of(*entries), "aggregates alone", "without --benchmark_report_aggregates_only")

    def test_aggregates_of_one_benchmark_alone_are_one_sample_and_named(self):
        entries = [aggregate("BM/8", n, kind) for kind, n in (("mean", 60), ("median", 50), ("stddev", 1))]
        content = file_of(*entries, new("BM_x", 7, family=1))
        self.assertEqual(self.times(content), {"BM/8": [50], "BM_x": [7]})
        (warning,) = self.read(content).warnings
        self.assertIn("of 1 benchmarks it has aggregates alone, the first BM/8", warning)

    def test_a_file_of_before_version_1_5_is_an_error_that_says_so(self):
        entry = new("BM", 50)
        del entry["run_type"]
        self.refuses(file_of(entry), "`benchmarks[0].run_type`", "as since version 1.5")

    def test_an_odd_benchmark_costs_itself(self):
        for odd, reason in (
            ({"cpu_time": 0.0}, "`cpu_time` is 0.0, which is not a time"),
            ({"cpu_time": -1}, "`cpu_time` is -1, which is not a time"),
            ({"cpu_time": float("inf")}, "`cpu_time` is inf, which is not a time"),
            ({"time_unit": "fortnights"}, "`time_unit` is fortnights"),
        ):
            found = self.cases(file_of(new("BM", 50), new("BM_odd", 7), new("BM_odd", 7, 1, **odd)))
            self.assertEqual((found["BM"].status, found["BM_odd"].status), ("ok", "error"))
            self.assertIn(reason, found["BM_odd"].reason)

    def test_what_failed_or_was_skipped_says_why(self):
        found = self.cases(
            file_of(
                new("BM_bad", 0, error_occurred=True, error_message="no memory"),
                new("BM_none", 0, skipped=True, skip_message="too small"),
            )
        )
        self.assertEqual([(b.status, b.reason) for b in found.values()], [("error", "no memory"), ("not_run", "too small")])


class Counters(ForeignCase):
    def test_counters_may_be_called_as_fields_are(self):
        """They stand flat behind the fields, so that a key may be there twice: the first is the field."""
        for key in ("skipped", "error_occurred", "rms", "big_o", "aggregate_name", "label", "repetitions", "threads"):
            with self.subTest(key):
                self.assertEqual(self.times(file_of(new("BM", 50, **{key: 3.0}), new("BM", 51, 1, **{key: 0.0}))), {"BM": [50, 51]})
        for key in ("real_time", "cpu_time", "time_unit", "iterations", "run_name", "run_type", "name", "family_index"):
            with self.subTest(key):
                text = json.dumps(file_of(new("BM", 50), new("BM", 51, 1)))
                twice = text.replace('"time_unit": "ns"', f'"time_unit": "ns", "{key}": 4.2000000000000000e+01')
                self.assertEqual(self.times(twice), {"BM": [50, 51]})

    def test_counters_without_a_value_cost_nothing(self):
        for word in ("NaN", "Infinity", "-Infinity"):
            with self.subTest(word):
                text = json.dumps(file_of(new("BM nan inf", 50, rate=1))).replace('"rate": 1', f'"rate": {word}')
                self.assertEqual(self.times(text), {"BM nan inf": [50]})

    def test_entries_and_context_are_kept_as_they_are_for_who_passes_them_on(self):
        text = json.dumps(file_of(new("BM", 50, rate=1, label="x"))).replace('"rate": 1', '"rate": NaN, "cpu_time": 4.5')
        (benchmark,) = self.read(text).benchmarks
        self.assertTrue(benchmark.entries[0].endswith('"rate": NaN, "cpu_time": 4.5, "label": "x"}'))
        self.assertEqual(json.loads(benchmark.place.environment["google_benchmark"]), NEW)


class Times(ForeignCase):
    def test_cpu_time_counts_unless_the_name_says_real_or_manual_time(self):
        names = ("BM/8", "BM/8/real_time", "BM/8/process_time/real_time/threads:2", "BM/8/manual_time", "BM/process_time", "BM_real_time")
        content = file_of(*(new(name, 9, cpu_time=5) for name in names))
        self.assertEqual([times[0] for times in self.times(content).values()], [5, 9, 9, 9, 5, 5])
        for time, value in (("real", 9), ("cpu", 5)):
            self.assertEqual({times[0] for times in self.times(content, time=time).values()}, {value})

    def test_without_cpu_time_real_time_counts_unless_cpu_time_is_requested(self):
        entry = new("BM", 9)
        del entry["cpu_time"]
        self.assertEqual(self.times(file_of(entry)), {"BM": [9]})
        self.assertEqual(self.cases(file_of(entry), time="cpu")["BM"].reason, "`cpu_time` is null, which is not a time")

    def test_dates_with_and_without_a_time_zone_are_read(self):
        for date in ("2016-02-15 12:30:09", "2016-02-15T12:30:09+00:00"):
            with self.subTest(date):
                self.assertRegex(self.read(file_of(new("BM", 1), context={**NEW, "date": date})).time, r"^2016-02-1[456]T")

    def test_a_comparison_needs_no_date(self):
        results = self.read(file_of(new("BM", 1), context={**NEW, "date": "0001-01-01T00:00:00+23:59"}))
        self.assertIsNone(results.time)


if __name__ == "__main__":
    unittest.main()

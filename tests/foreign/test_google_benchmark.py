"""Google Benchmark's files of every version: which entries are repetitions, which time counts, what counters may be called."""

import json
import unittest

from support import ForeignCase

OLD = {"date": "2016-02-15 12:30:09", "num_cpus": 4, "mhz_per_cpu": 2300, "library_build_type": "release"}
NEW = {"date": "2026-03-01T12:00:00+01:00", "host_name": "h", "num_cpus": 4, "json_schema_version": 1}


def old(name: str, nanoseconds: float, **more) -> dict:
    """An entry of version 1.1 to 1.4."""
    return {"name": name, "iterations": 10, "real_time": nanoseconds, "cpu_time": nanoseconds, "time_unit": "ns", **more}


def new(name: str, nanoseconds: float, repetition: int = 0, family: int = 0, **more) -> dict:
    """An entry since 1.6."""
    indices = {"family_index": family, "per_family_instance_index": 0, "run_name": name, "run_type": "iteration"}
    return {"name": name, **indices, "repetition_index": repetition, **old(name, nanoseconds), **more}


def file_of(*entries: dict, context: dict = NEW) -> dict:
    return {"context": context, "benchmarks": list(entries)}


class Untyped(ForeignCase):
    """Versions before 1.5, whose entries do not say what they are."""

    def test_version_1_0_has_nanoseconds_alone_and_two_aggregates(self):
        entries = [{"name": "BM/8", "iterations": 10, "real_time": n, "cpu_time": n} for n in (50, 51, 52)]
        entries += [{"name": "BM/8_mean", "iterations": 10, "real_time": 51, "cpu_time": 51}]
        entries += [{"name": "BM/8_stddev", "iterations": 0, "real_time": 1, "cpu_time": 1}]
        self.assertEqual(self.times(file_of(*entries, context=OLD)), {"BM/8": [50, 51, 52]})

    def test_aggregates_are_known_by_their_names_those_of_users_too(self):
        runs = [old("BM/8", n) for n in (50, 51, 52)]
        ends = ("mean", "median", "stddev", "cv", "fastest")
        found = self.times(file_of(*runs, *(old(f"BM/8_{end}", 7) for end in ends), context=OLD))
        self.assertEqual(found, {"BM/8": [50, 51, 52]})

    def test_a_benchmark_whose_name_ends_like_an_aggregate_is_one(self):
        once = file_of(old("BM", 50), old("BM_mean", 60), old("BM_fast", 70), context=OLD)
        self.assertEqual(self.times(once), {"BM": [50], "BM_mean": [60], "BM_fast": [70]})
        groups = [
            *(old("BM", n) for n in (50, 51)),
            *(old(f"BM_{end}", 1) for end in ("mean", "median", "stddev")),
            *(old("BM_mean", n) for n in (60, 61)),
            *(old(f"BM_mean_{end}", 1) for end in ("mean", "median", "stddev")),
            *(old("BM_fast", n) for n in (70, 71)),
        ]
        expected = {"BM": [50, 51], "BM_mean": [60, 61], "BM_fast": [70, 71]}
        self.assertEqual(self.times(file_of(*groups, context=OLD)), expected)

    def test_complexities_are_no_benchmarks(self):
        fit = [{"name": "BM_BigO", "cpu_coefficient": 2.0, "real_coefficient": 2.0, "big_o": "N", "time_unit": "ns"}]
        fit += [{"name": "BM_RMS", "rms": 0.03}]
        self.assertEqual(self.times(file_of(old("BM/8", 50), old("BM/16", 99), *fit, context=OLD)), {"BM/8": [50], "BM/16": [99]})

    def test_two_benchmarks_of_one_name_are_distinguished_by_the_aggregates_between_them(self):
        first, second = ([old("BM", n), old("BM", n + 1), old("BM_mean", n), old("BM_stddev", 1)] for n in (50, 900))
        content = file_of(*first, *second, context=OLD)
        self.assertEqual(self.times(content), {"BM": [50, 51], "BM #2": [900, 901]})
        self.assertIn("2 benchmarks are called BM", self.read(content).warnings[0])

    def test_a_benchmark_that_is_named_like_the_second_of_another_is_kept(self):
        content = []
        for name, n in (("BM", 50), ("BM", 900), ("BM #2", 70)):
            content += [old(name, n), old(name, n + 1), old(f"{name}_mean", n), old(f"{name}_stddev", 1)]
        expected = {"BM": [50, 51], "BM #2": [900, 901], "BM #2 #2": [70, 71]}
        self.assertEqual(self.times(file_of(*content, context=OLD)), expected)

    def test_aggregates_alone_are_refused_and_the_fix_is_named(self):
        entries = [old(f"BM/8_{end}", 50) for end in ("mean", "median", "stddev")]
        self.refuses(file_of(*entries, context=OLD), "aggregates alone", "without --benchmark_report_aggregates_only")

    def test_aggregates_of_one_benchmark_alone_are_one_sample_and_named(self):
        entries = [old(f"BM/8_{end}", n) for end, n in (("mean", 60), ("median", 50), ("stddev", 1))]
        content = file_of(*entries, old("BM_x", 7), context=OLD)
        self.assertEqual(self.times(content), {"BM/8": [50], "BM_x": [7]})
        self.assertIn("of 1 benchmarks it has aggregates alone, the first BM/8", self.read(content).warnings[0])


class Typed(ForeignCase):
    def test_repetitions_are_samples_aggregates_and_complexities_are_not(self):
        kinds = ("mean", "median", "stddev", "cv", "BigO", "RMS", "p99")
        aggregates = [{**new("BM", 1), "name": f"BM_{k}", "run_type": "aggregate", "aggregate_name": k} for k in kinds]
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
        for word in ("NaN", "-NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf", "-nan(ind)"):
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

    def test_dates_of_every_version_are_read(self):
        for date in ("2016-02-15 12:30:09", "02/15/16 12:30:09", "2016/02/15-12:30:09", "2016-02-15T12:30:09+00:00"):
            with self.subTest(date):
                self.assertRegex(self.read(file_of(new("BM", 1), context={**NEW, "date": date})).time, r"^2016-02-1[456]T")

    def test_a_comparison_needs_no_date(self):
        results = self.read(file_of(new("BM", 1), context={**NEW, "date": "0001-01-01T00:00:00+23:59"}))
        self.assertIsNone(results.time)
        self.assertIn("`context.date` is missing or not a date", results.why_no_time)


if __name__ == "__main__":
    unittest.main()

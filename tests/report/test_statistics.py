import json
import unittest
from pathlib import Path

import support

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity, time_of
from cfdmark.stats.statistics import speedup_text, quotient, sample_interval, times_faster, verdict


class RatioOfMedians(unittest.TestCase):
    def test_a_ratio_has_the_interval_of_the_examples_that_the_tuner_is_tested_on(self):
        # Worked by hand: the distances 3 and 4 octaves from the medians to their intervals' ends give 5.
        examples = json.loads((Path(__file__).parents[2] / "tests/examples/median_ratio.json").read_text(encoding="utf-8"))
        for example in (e for e in examples if len(e["above"]) == len(e["below"]) == 1):
            with self.subTest(example):
                ratio = quotient(*(sample_interval(tuple(*example[side])) for side in ("above", "below")))
                self.assertAlmostEqual(ratio.value, example["ratio"])
                self.assertEqual(ratio.has_interval, "low" in example)
                if "low" in example:
                    self.assertAlmostEqual(ratio.low, example["low"])
                    self.assertAlmostEqual(ratio.high, example["high"])


class FewSamples(unittest.TestCase):
    def test_below_six_samples_a_process_a_time_has_their_number_and_no_interval(self):
        for samples, count in (([1.0], "one sample"), ([1.0] * 5, "5 samples"), ([1.0] * 6, "")):
            for time in (sample_interval(tuple(samples)), time_of({"samples": samples, "median": 1, "ci_low": 1, "ci_high": 1})):
                self.assertEqual((time.has_interval, time.count), (count == "", count))
        self.assertEqual(time_of({"samples": [1.0] * 6, "processes": [3, 3], "median": 1}).count, "2×3 samples")
        self.assertEqual(time_of({"samples": [1.0] * 33, "processes": [3, 30], "median": 1}).count, "3 and 30 samples")

    def test_a_record_of_five_samples_has_none_whatever_it_says_itself(self):
        few = Record(support.kernel(samples=[1.0, 2.0, 3.0, 4.0, 5.0]))
        self.assertEqual((few.time.has_interval, few.time.count), (False, "5 samples"))
        self.assertTrue(Record(support.kernel(samples=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).time.has_interval)

    def test_a_ratio_has_the_number_of_the_side_with_fewer_and_decides_nothing(self):
        slow, fast = (Record(support.kernel(samples=samples)) for samples in ([8.0] * 5, [1.0] * 3))
        ratio = times_faster(fast, slow)
        self.assertEqual((ratio.value, ratio.count, verdict(ratio)), (8.0, "3 samples", "unsure"))
        self.assertEqual(speedup_text(ratio, "cuda/plain"), "8.00 times as fast as cuda/plain, by 3 samples")


class TimesFaster(unittest.TestCase):
    def setUp(self):
        self.slow = Record(support.solver([10.0] * 6, iterations=100))
        self.fast = Record(support.solver([4.0] * 6, iterations=20, backend="cuda"))

    def test_counts_the_time_of_an_iteration(self):
        # 0.1 s an iteration against 0.2 s
        self.assertAlmostEqual(times_faster(self.fast, self.slow).value, 0.5)

    def test_counts_the_whole_solve_on_request(self):
        self.assertAlmostEqual(times_faster(self.fast, self.slow, per_iteration=False).value, 2.5)


class Verdict(unittest.TestCase):
    def test_is_faster_only_when_the_whole_interval_lies_above_one(self):
        self.assertEqual(verdict(Quantity(1.2, 1.1, 1.3)), "faster")
        self.assertEqual(verdict(Quantity(1.2, 0.99, 1.3)), "tied")
        self.assertEqual(verdict(Quantity(0.8, 0.7, 0.9)), "slower")

    def test_is_a_tie_below_the_smallest_effect_however_sure_the_samples_are(self):
        self.assertEqual(verdict(Quantity(1.008, 1.007, 1.009)), "tied")
        self.assertEqual(verdict(Quantity(0.992, 0.991, 0.993)), "tied")

    def test_is_unsure_without_an_interval(self):
        self.assertEqual(verdict(Quantity(5.0)), "unsure")


if __name__ == "__main__":
    unittest.main()

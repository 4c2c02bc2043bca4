import unittest

import support
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.statistics import median_ratio, times_faster, verdict


class RatioOfMedians(unittest.TestCase):
    def test_below_six_samples_the_interval_is_the_whole_range_of_ratios(self):
        ratio = median_ratio((10.0, 20.0, 30.0), (1.0, 2.0, 4.0))
        self.assertEqual((ratio.value, ratio.low, ratio.high), (10.0, 10 / 4, 30 / 1))

    def test_a_single_sample_gives_no_interval(self):
        self.assertEqual(median_ratio((6.0,), (1.0, 2.0, 3.0)), Quantity(3.0))

    def test_equal_samples_give_an_interval_of_no_width(self):
        self.assertEqual(median_ratio((6.0,) * 8, (2.0,) * 9), Quantity(3.0, 3.0, 3.0))

    def test_the_bootstrap_of_seven_samples_cuts_one_from_each_end(self):
        # P(resampled median <= k-th of 7) = P(Binomial(7, k/7) >= 4): 0.010 for k=1 and 0.10 for k=2,
        # so the 2.5 % point is the second sample, and by symmetry the 97.5 % point the sixth.
        ratio = median_ratio(tuple(float(k) for k in range(1, 8)), (1.0,) * 7)
        self.assertEqual((ratio.value, ratio.low, ratio.high), (4.0, 2.0, 6.0))

    def test_the_same_samples_give_the_same_interval_twice(self):
        above, below = (1.0, 1.2, 0.9, 1.1, 1.3, 1.05, 0.97), (2.0, 2.1, 1.9, 2.2, 1.8, 2.05, 2.3)
        self.assertEqual(median_ratio(above, below), median_ratio(above, below))


class TimesFaster(unittest.TestCase):
    def setUp(self):
        self.slow = Record(support.solver([10.0] * 6, iterations=100))
        self.fast = Record(support.solver([4.0] * 6, iterations=20, backend="cuda"))

    def test_counts_the_time_of_an_iteration(self):
        # 0.1 s an iteration against 0.2 s
        self.assertAlmostEqual(times_faster(self.fast, self.slow).value, 0.5)

    def test_counts_the_whole_solve_when_asked(self):
        self.assertAlmostEqual(times_faster(self.fast, self.slow, per_iteration=False).value, 2.5)


class Verdict(unittest.TestCase):
    def test_is_faster_only_when_the_whole_interval_lies_above_one(self):
        self.assertEqual(verdict(Quantity(1.2, 1.1, 1.3)), "faster")
        self.assertEqual(verdict(Quantity(1.2, 0.99, 1.3)), "tied")
        self.assertEqual(verdict(Quantity(0.8, 0.7, 0.9)), "slower")

    def test_is_unsure_without_an_interval(self):
        self.assertEqual(verdict(Quantity(5.0)), "unsure")


if __name__ == "__main__":
    unittest.main()

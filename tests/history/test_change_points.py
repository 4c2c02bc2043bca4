"""Change points: small cases worked by hand, a search of all paths, many histories whose steps are known."""

from __future__ import annotations

import itertools
import math
import unittest

import numpy
import support  # noqa: F401  (finds the scripts)
from score import LARGE, Score
from synthetic import history

from cfdmark.history import change_points as method
from cfdmark.history.change_points import change_points, fit

SEEDS = range(70_000, 70_400)


def alternating(count: int, level: float = 100.0, swing: float = 0.5) -> list[float]:
    """Noise that a hand can follow: swing above and below the level in turn."""
    return [level + (swing if n % 2 else -swing) for n in range(count)]


class ByHand(unittest.TestCase):
    def test_a_level_that_does_not_change_has_no_change(self):
        self.assertEqual(change_points([3.0] * 40), [])
        self.assertEqual(change_points(alternating(40)), [])

    def test_a_step_is_found_at_its_first_point_with_its_size(self):
        (change,) = change_points(alternating(20) + alternating(20, 110.0))
        self.assertEqual(change.index, 20)
        self.assertAlmostEqual(change.ratio, 1.10, delta=0.01)
        self.assertAlmostEqual(change.before, 100.0, delta=0.7)

    def test_a_step_down_is_found_too(self):
        (change,) = change_points(alternating(20, 110.0) + alternating(20))
        self.assertEqual(change.index, 20)
        self.assertAlmostEqual(change.ratio, 1 / 1.10, delta=0.01)

    def test_two_steps_are_two_changes(self):
        found = change_points(alternating(15) + alternating(15, 108.0) + alternating(15, 102.0))
        self.assertEqual([c.index for c in found], [15, 30])

    def test_spikes_are_no_changes_alone_or_in_pairs(self):
        series = alternating(40)
        series[10], series[25], series[26] = 150.0, 130.0, 131.0
        self.assertEqual(change_points(series), [])

    def test_two_late_points_are_no_new_level_and_three_are(self):
        self.assertEqual(change_points(alternating(30) + [120.0, 121.0]), [])
        (change,) = change_points(alternating(30) + [120.0, 121.0, 120.0])
        self.assertEqual(change.index, 30)

    def test_a_drift_of_ten_percent_over_a_hundred_points_is_no_change(self):
        self.assertEqual(change_points([v * (1 + 0.001 * n) for n, v in enumerate(alternating(100))]), [])

    def test_a_step_on_a_drift_is_found_and_its_size_holds_little_of_the_drift(self):
        series = [v * (1 + 0.001 * n) for n, v in enumerate(alternating(50) + alternating(50, 108.0))]
        (change,) = change_points(series)
        self.assertEqual(change.index, 50)
        self.assertAlmostEqual(change.ratio, 1.08, delta=0.02)  # the means before and after differ by 13 %

    def test_a_step_below_the_smallest_effect_is_reported_only_on_request(self):
        series = alternating(30, swing=0.1) + alternating(30, 102.0, swing=0.1)
        self.assertEqual(change_points(series), [])
        (change,) = change_points(series, smallest_effect=0.01)
        self.assertEqual(change.index, 30)

    def test_a_short_series_has_no_changes(self):
        self.assertEqual(change_points([1.0] * 4 + [2.0] * 3), [])
        self.assertEqual(len(change_points([1.0] * 4 + [2.0] * 4)), 1)

    def test_the_unit_does_not_matter(self):
        series = alternating(20) + alternating(20, 110.0)
        scaled = change_points([1e-6 * v for v in series])
        self.assertEqual([c.index for c in scaled], [c.index for c in change_points(series)])
        self.assertAlmostEqual(scaled[0].before, 1e-6 * change_points(series)[0].before, places=12)

    def test_a_clear_step_has_one_possible_place_and_a_blurred_one_several(self):
        (clear,) = change_points(alternating(20) + alternating(20, 120.0))
        self.assertEqual((clear.first, clear.last), (20, 20))
        # The points 18 and 19 lie half-way between the levels: the new one may begin at 18, 19 or 20.
        (blurred,) = change_points(alternating(18) + [102.5, 103.5] + alternating(18, 106.0))
        self.assertEqual((blurred.first, blurred.last), (18, 20))

    def test_the_levels_follow_the_series_without_its_spikes(self):
        series = alternating(20) + alternating(20, 110.0)
        series[5] = 160.0
        levels = fit(series).levels
        self.assertEqual(len(levels), 40)
        self.assertAlmostEqual(levels[5], 100.0, delta=1)
        self.assertAlmostEqual(levels[30], 110.0, delta=1)


class LeastCost(unittest.TestCase):
    """The dynamic programme against a search of all paths, with the cost written down a second time."""

    def cost(self, logs, path, levels, noise) -> float:
        penalty = method.penalty_of(len(logs))
        total = sum(min(((y - levels[i]) / noise) ** 2, method.BOUND) for y, i in zip(logs, path))
        for a, b in zip(path, path[1:]):
            total += min(((levels[b] - levels[a]) / method.DRIFT) ** 2, penalty)
        return total

    def test_the_path_found_is_a_cheapest_of_all(self):
        random = numpy.random.RandomState(5)
        levels, noise = numpy.linspace(0.0, 0.06, 4), 0.01
        for _ in range(6):
            logs = random.uniform(-0.01, 0.07, size=6)
            path, _ = method.best_path(logs, levels, noise)
            least = min(self.cost(logs, p, levels, noise) for p in itertools.product(range(4), repeat=6))
            self.assertAlmostEqual(self.cost(logs, path, levels, noise), least)

    def test_with_levels_close_enough_to_drift_too(self):
        random = numpy.random.RandomState(6)
        levels, noise = numpy.linspace(0.0, 0.006, 4), 0.002
        for _ in range(6):
            logs = random.uniform(-0.001, 0.007, size=6)
            path, _ = method.best_path(logs, levels, noise)
            least = min(self.cost(logs, p, levels, noise) for p in itertools.product(range(4), repeat=6))
            self.assertAlmostEqual(self.cost(logs, path, levels, noise), least)


class ManyHistories(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.histories = [history(seed) for seed in SEEDS]
        cls.score = Score()
        for invented in cls.histories:
            cls.score.add(invented)

    def test_at_least_95_of_100_reported_changes_are_steps_and_95_of_100_steps_of_5_percent_and_more_are_reported(
        self,
    ):
        self.assertGreaterEqual(self.score.precision, 0.95, "\n".join(self.score.wrong))
        self.assertGreaterEqual(self.score.recall, 0.95)

    def test_the_stretch_reported_for_a_change_holds_its_true_place_in_95_of_100_cases(self):
        self.assertGreaterEqual(self.score.covered / self.score.told_right, 0.95)

    def test_the_histories_hold_every_noise_and_drift_and_hundreds_of_steps_of_both_signs(self):
        self.assertEqual(len({h.kind for h in self.histories}), 12)
        sizes = [s.size for h in self.histories for s in h.steps]
        self.assertGreater(sum(s >= LARGE for s in sizes), 150)
        self.assertGreater(sum(s <= -LARGE for s in sizes), 150)
        self.assertGreater(sum(not h.steps for h in self.histories), 80)
        self.assertTrue(all(0.03 <= abs(s) <= 0.20 for s in sizes))

    def test_a_method_that_reports_a_change_at_every_jump_of_neighbours_would_fail(self):
        """The histories are hard enough to separate methods: a threshold between neighbours fails on them."""
        right = told = 0
        for invented in self.histories[:100]:
            logs = [math.log(t) for t in invented.times]
            jumps = [n for n in range(1, len(logs)) if abs(logs[n] - logs[n - 1]) > math.log(1.04)]
            told += len(jumps)
            right += sum(any(s.index == n for s in invented.steps) for n in jumps)
        self.assertLess(right / told, 0.5)


if __name__ == "__main__":
    unittest.main()

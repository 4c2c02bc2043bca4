import unittest

import support  # noqa: F401  (finds the package)
from cfdmark_report.quantity import Quantity
from cfdmark_reproduce.verdict import (
    AGREES,
    DIFFERS,
    NOT_COMPARABLE,
    Verdict,
    above_one,
    overall,
    rising,
    same_count,
    within,
)


class Trend(unittest.TestCase):
    def test_a_ratio_whose_interval_lies_above_one_agrees(self):
        self.assertEqual(above_one(Quantity(2.0, 1.01, 3.0)).word, AGREES)

    def test_a_ratio_whose_interval_lies_below_one_is_the_opposite_trend(self):
        verdict = above_one(Quantity(0.5, 0.4, 0.99))
        self.assertEqual(verdict.word, DIFFERS)
        self.assertIn("opposite", verdict.reason)

    def test_a_median_above_one_does_not_agree_if_its_interval_holds_one(self):
        self.assertEqual(above_one(Quantity(1.3, 0.9, 1.7)).word, DIFFERS)

    def test_an_interval_that_holds_one_and_the_published_ratio_tells_nothing(self):
        self.assertEqual(above_one(Quantity(1.3, 0.9, 1.7), published=1.5).word, NOT_COMPARABLE)
        self.assertEqual(above_one(Quantity(1.3, 0.9, 1.7), published=8.0).word, DIFFERS)

    def test_a_single_sample_cannot_be_compared(self):
        self.assertEqual(above_one(Quantity(5.0)).word, NOT_COMPARABLE)


class Size(unittest.TestCase):
    def test_a_value_within_the_factor_agrees_on_both_sides(self):
        for value in (510.0, 1000.0, 1990.0):
            self.assertEqual(
                within(Quantity(value, value * 0.99, value * 1.01), Quantity(1000.0), 2).word, AGREES
            )

    def test_a_value_beyond_the_factor_differs(self):
        for value in (3.5, 490.0, 2050.0):
            self.assertEqual(
                within(Quantity(value, value * 0.99, value * 1.01), Quantity(1000.0), 2).word, DIFFERS
            )

    def test_a_published_range_is_compared_with_its_ends(self):
        published = Quantity(2.5, 2.0, 3.0)
        self.assertEqual(within(Quantity(1.9, 1.85, 1.95), published, 1.1).word, AGREES)
        self.assertEqual(within(Quantity(1.7, 1.65, 1.75), published, 1.1).word, DIFFERS)

    def test_a_count_agrees_only_if_it_is_the_same(self):
        self.assertEqual(same_count(Quantity(8), Quantity(8)).word, AGREES)
        self.assertEqual(same_count(Quantity(7), Quantity(8)).word, DIFFERS)


class Order(unittest.TestCase):
    def test_numbers_with_intervals_apart_in_the_named_order_agree(self):
        self.assertEqual(rising([("a", Quantity(1, 0.9, 1.1)), ("b", Quantity(2, 1.9, 2.1))]).word, AGREES)

    def test_another_order_and_overlapping_intervals_differ_and_name_the_two(self):
        wrong = rising([("a", Quantity(2, 1.9, 2.1)), ("b", Quantity(1, 0.9, 1.1))])
        near = rising([("a", Quantity(1, 0.9, 1.3)), ("b", Quantity(1.2, 1.1, 1.4))])
        self.assertEqual((wrong.word, near.word), (DIFFERS, DIFFERS))
        self.assertIn("b comes before a", wrong.reason)
        self.assertIn("overlap", near.reason)


class Overall(unittest.TestCase):
    yes, no, open = Verdict(AGREES, "yes"), Verdict(DIFFERS, "no"), Verdict(NOT_COMPARABLE, "no GPU")

    def test_an_experiment_agrees_only_if_everything_that_can_be_compared_does(self):
        self.assertEqual(overall([self.yes, self.yes, self.open]).word, AGREES)
        self.assertEqual(overall([self.yes, self.no]).word, DIFFERS)
        self.assertEqual(overall([self.no, self.yes]).word, DIFFERS)

    def test_it_cannot_be_compared_if_its_main_finding_cannot(self):
        verdict = overall([self.open, self.yes, self.no])
        self.assertEqual(verdict.word, NOT_COMPARABLE)
        self.assertEqual(verdict.reason, "no GPU; 1 of 2 of the other comparable findings hold here")


if __name__ == "__main__":
    unittest.main()

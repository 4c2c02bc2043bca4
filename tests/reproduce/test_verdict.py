import unittest

import support  # noqa: F401  (finds the package)

from cfdmark.reproduce.verdict import (
    AGREES,
    DIFFERS,
    NOT_COMPARABLE,
    SAME_DIRECTION,
    TESTS,
    Verdict,
    as_published,
    overall,
    rising,
    within,
)
from cfdmark.stats.quantity import Quantity


def around(value: float) -> Quantity:
    return Quantity(value, value * 0.99, value * 1.01)


class PublishedRatio(unittest.TestCase):
    """A ratio that was published as above 1."""

    def test_the_same_direction_and_a_size_within_the_factor_agree(self):
        for value in (11.5, 22.0, 43.0):
            self.assertEqual(as_published(around(value), Quantity(22.0)).word, AGREES)

    def test_another_size_is_the_same_direction_and_says_how_far_off_it_is(self):
        far, near = as_published(around(237.0), Quantity(22.0)), as_published(around(3.5), Quantity(1000.0))
        self.assertEqual((far.word, near.word), (SAME_DIRECTION, SAME_DIRECTION))
        self.assertIn("10.8 times the published", far.reason)
        self.assertIn("1/286 of the published", near.reason)

    def test_hardly_any_difference_where_a_large_one_was_published_differs_in_size(self):
        verdict = as_published(Quantity(1.08, 1.06, 1.09), Quantity(1000.0))
        self.assertEqual(verdict.word, DIFFERS)
        self.assertIn("another size: 1/926 of the published", verdict.reason)
        self.assertEqual(as_published(Quantity(1.08, count="3 samples"), Quantity(1000.0)).word, DIFFERS)
        self.assertEqual(as_published(Quantity(1.08, count="3 samples"), Quantity(1.5)).word, NOT_COMPARABLE)

    def test_a_direction_without_a_published_size_is_no_more_than_that(self):
        verdict = as_published(around(2.0))
        self.assertEqual(verdict.word, SAME_DIRECTION)
        self.assertIn("states no size", verdict.reason)

    def test_a_ratio_whose_interval_lies_below_one_is_the_opposite_direction(self):
        verdict = as_published(Quantity(0.5, 0.4, 0.98), Quantity(8.0))
        self.assertEqual(verdict.word, DIFFERS)
        self.assertIn("opposite", verdict.reason)

    def test_an_interval_that_holds_no_difference_and_a_large_one_shows_neither_a_direction_nor_its_absence(self):
        for ratio in (Quantity(1.3, 0.9, 1.7), Quantity(1.02, 1.0, 1.04)):
            verdict = as_published(ratio)
            self.assertEqual(verdict.word, NOT_COMPARABLE)
            self.assertIn("too noisy to decide", verdict.reason)

    def test_less_than_the_smallest_effect_is_no_difference(self):
        self.assertEqual(as_published(Quantity(1.008, 1.006, 1.01)).word, DIFFERS)
        self.assertEqual(as_published(Quantity(1.03, 1.02, 1.04)).word, SAME_DIRECTION)

    def test_an_interval_that_holds_one_and_the_published_ratio_decides_nothing(self):
        self.assertEqual(as_published(Quantity(1.3, 0.9, 1.7), Quantity(1.5)).word, NOT_COMPARABLE)
        self.assertEqual(as_published(Quantity(1.3, 0.9, 1.7), Quantity(8.0)).word, DIFFERS)

    def test_a_published_range_is_compared_with_its_ends(self):
        published = Quantity(2.5, 2.0, 3.0)
        self.assertEqual(as_published(Quantity(1.9, 1.85, 1.95), published, 1.1).word, AGREES)
        self.assertEqual(as_published(Quantity(1.7, 1.65, 1.75), published, 1.1).word, SAME_DIRECTION)

    def test_a_ratio_known_more_precisely_than_the_smallest_effect_is_not_too_noisy(self):
        above, below = Quantity(1.0103, 1.0095, 1.011), Quantity(1.0097, 1.009, 1.0105)
        self.assertEqual((as_published(above).word, as_published(below).word), (SAME_DIRECTION, DIFFERS))
        self.assertIn("1.0097 [1.0090, 1.0105]", as_published(below).reason)

    def test_a_single_sample_decides_where_it_is_far_from_one(self):
        self.assertEqual(as_published(Quantity(5.0), Quantity(5.0)).word, AGREES)
        self.assertEqual(as_published(Quantity(5.0), Quantity(50.0)).word, SAME_DIRECTION)
        self.assertEqual(as_published(Quantity(0.5), Quantity(5.0)).word, DIFFERS)
        self.assertEqual(as_published(Quantity(1.05), Quantity(1.5)).word, NOT_COMPARABLE)


class NoTest(unittest.TestCase):
    def test_what_is_not_stated_or_was_written_so_is_no_finding(self):
        for obstacle in (TESTS[name] for name in ("not stated", "by construction", "another machine")):
            self.assertEqual(obstacle(Quantity(2.0)).word, NOT_COMPARABLE)


class Size(unittest.TestCase):
    def test_a_value_within_the_factor_agrees_on_both_sides(self):
        for value in (510.0, 1000.0, 1990.0):
            self.assertEqual(within(around(value), Quantity(1000.0), 2).word, AGREES)

    def test_a_value_beyond_the_factor_differs(self):
        for value in (3.5, 490.0, 2050.0):
            self.assertEqual(within(around(value), Quantity(1000.0), 2).word, DIFFERS)


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
    other_size = Verdict(SAME_DIRECTION, "ten times")

    def test_an_experiment_is_as_its_main_finding_unless_another_differs(self):
        self.assertEqual(overall([self.yes, self.other_size, self.open]).word, AGREES)
        self.assertEqual(overall([self.other_size, self.yes]).word, SAME_DIRECTION)
        self.assertEqual(overall([self.yes, self.no]).word, DIFFERS)
        self.assertEqual(overall([self.no, self.yes]).word, DIFFERS)

    def test_it_counts_its_findings(self):
        self.assertEqual(
            overall([self.yes, self.yes, self.other_size, self.open]).reason,
            "2 of the findings agree, 1 has the same direction, 1 cannot be compared",
        )

    def test_it_says_where_its_main_finding_rests_on_one_sample(self):
        verdict = overall([Verdict(AGREES, "yes", by="by one sample"), self.yes])
        self.assertEqual(verdict.reason, "2 of the findings agree, the main one by one sample")

    def test_it_cannot_be_compared_if_its_main_finding_cannot(self):
        verdict = overall([self.open, self.yes, self.no])
        self.assertEqual(verdict.word, NOT_COMPARABLE)
        self.assertEqual(verdict.reason, "no GPU; 1 of the other findings agrees; 1 differs")


if __name__ == "__main__":
    unittest.main()

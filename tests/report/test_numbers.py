import unittest

import support  # noqa: F401  sets the path

from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import (
    brackets,
    digits,
    plus_minus,
    quantity_with_unit,
    scale_for,
    scientific,
    short_count,
    three_digits,
    with_unit,
)


class Rounding(unittest.TestCase):
    def test_shows_one_digit_of_the_uncertainty(self):
        self.assertEqual(plus_minus(Quantity(12.3456, 12.31, 12.38)), "12.35 ± 0.04")

    def test_shows_two_digits_of_an_uncertainty_that_starts_with_one(self):
        self.assertEqual(plus_minus(Quantity(12.3456, 12.33, 12.36)), "12.346 ± 0.016")

    def test_rounds_to_tens_where_the_uncertainty_is_that_large(self):
        self.assertEqual(plus_minus(Quantity(12345.0, 12285.0, 12400.0)), "12,340 ± 60")

    def test_takes_the_longer_arm_of_an_uneven_interval(self):
        self.assertEqual(plus_minus(Quantity(10.0, 9.9, 10.5)), "10.0 ± 0.5")

    def test_gives_three_digits_without_an_interval(self):
        self.assertEqual(plus_minus(Quantity(0.0123456)), "0.0123")

    def test_an_interval_in_brackets_has_the_digits_of_its_number(self):
        self.assertEqual(brackets(Quantity(3.2111, 3.1499, 3.2799)), "3.21 [3.15, 3.28]")

    def test_ends_of_a_wide_interval_differ_from_each_other_and_from_zero(self):
        for low, value, high, text in (
            (0.3, 1.2, 3.4, "1.2 [0.3, 3.4]"),  # 1 [0, 3] would say nothing
            (0.004, 1.24, 3.41, "1.24 [0.004, 3.41]"),
            (0.9, 1.4, 3.1, "1.4 [0.9, 3.1]"),
            (46.46, 48.63, 49.04, "48.6 [46.5, 49.0]"),
            (2.6, 13.4, 41.2, "13 [3, 41]"),
            (0.0, 1.2, 3.4, "1 [0, 3]"),  # whose low end is zero
            (1.0, 1.0, 1.0, "1.00 [1.00, 1.00]"),
        ):
            with self.subTest(text):
                self.assertEqual(brackets(Quantity(value, low, high)), text)

    def test_however_wide_an_interval_no_end_that_is_not_zero_reads_as_zero(self):
        for n in range(-6, 4):
            for m in range(0, 5):
                text = brackets(Quantity(1.37, 1.37 * 10.0**n if n < 0 else 1.3, 1.37 * 10.0**m + 0.1))
                value, low, high = (float(part.replace(",", "")) for part in text.replace("[", "").replace("]", "").replace(", ", " ").split())
                with self.subTest(text):
                    self.assertTrue(0 < low < value < high)

    def test_a_time_from_1000_s_on_is_in_hours_minutes_and_seconds(self):
        self.assertEqual(with_unit(999.4, "seconds"), "999 s")
        self.assertEqual(with_unit(1003.5, "seconds"), "0:16:44")
        self.assertEqual(with_unit(5025.0, "seconds"), "1:23:45")
        self.assertEqual(quantity_with_unit(Quantity(7203.5, 7200.5, 7206.5), "seconds"), "2:00:04 ± 3.00 s")
        self.assertEqual(quantity_with_unit(Quantity(7200.0, 5400.0, 9600.0), "seconds"), "2:00:00 [1:30:00, 2:40:00]")
        self.assertEqual(with_unit(1e12, "seconds"), "1,000,000,000,000 s")

    def test_a_missing_interval_is_said(self):
        self.assertEqual(brackets(Quantity(3.2)), "3.20 (no interval)")


class Units(unittest.TestCase):
    def test_a_column_gets_the_unit_of_its_typical_value(self):
        self.assertEqual(scale_for("seconds", [2e-6, 5e-3]), (1e-6, "µs"))
        self.assertEqual(scale_for("seconds", [2e-3, 5.0]), (1e-3, "ms"))

    def test_a_number_in_running_text_carries_its_unit(self):
        self.assertEqual(with_unit(0.00123, "seconds"), "1.23 ms")
        self.assertEqual(with_unit(3e-13, "seconds"), "300 fs")
        self.assertEqual(with_unit(4.2e12, "bytes_per_second"), "4,200 GB/s")

    def test_errors_are_short(self):
        self.assertEqual([scientific(v) for v in (1e-8, 3.24e-4, 0)], ["1e-8", "3.2e-4", "0"])

    def test_counts_on_axes_are_short(self):
        self.assertEqual([short_count(v) for v in (100, 65536, 2**20)], ["100", "65.5k", "1.05M"])


class ThreeDigits(unittest.TestCase):
    def test_a_wide_interval_keeps_its_ends_apart_from_what_they_are_compared_with(self):
        self.assertEqual(three_digits(Quantity(2.42, 1.29, 4.491)), "2.42 [1.29, 4.49]")

    def test_zeros_that_tell_nothing_are_left_out_and_large_numbers_are_written_out(self):
        told = [digits(value) for value in (22.0, 1.25, 0.33, 999.6, 1000.0, 16777216.0)]
        self.assertEqual(told, ["22", "1.25", "0.33", "1,000", "1,000", "16,777,216"])

    def test_a_number_without_an_interval_stands_alone(self):
        self.assertEqual(three_digits(Quantity(8)), "8")


if __name__ == "__main__":
    unittest.main()

"""The published numbers agree with each other wherever the files do not name a contradiction."""

import unittest

from intervals import printed
from statements import every_statement
from support import Number, experiments


class Contradictions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.experiments = experiments()
        cls.statements = every_statement()
        cls.listed = {
            contradiction.name: experiment.path.name
            for experiment in cls.experiments.values()
            for contradiction in experiment.contradictions
        }

    def test_every_contradiction_between_the_numbers_is_listed_and_no_other(self):
        for name, holds in self.statements.items():
            with self.subTest(name):
                if holds(self.experiments):
                    self.assertNotIn(
                        name, self.listed, f"{self.listed.get(name)} lists a contradiction, but the values agree"
                    )
                else:
                    self.assertIn(name, self.listed, "the numbers contradict each other and no file says so")

    def test_every_listed_contradiction_is_tested(self):
        self.assertEqual(set(self.listed) - set(self.statements), set())

    def test_no_contradiction_is_listed_in_two_files(self):
        names = [item.name for made in self.experiments.values() for item in made.contradictions]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_the_tolerance_of_a_number_is_half_its_last_printed_digit(self):
        for text, half in (("0.80", 0.005), ("300", 0.5), ("1.2e-8", 0.05e-8), ("2.0e+9", 0.05e9)):
            self.assertAlmostEqual(Number(text).half_digit / half, 1.0)
        self.assertTrue(printed(Number("0.80")).agrees(printed(Number("0.804"))))
        self.assertFalse(printed(Number("0.80")).agrees(printed(Number("0.807"))))


if __name__ == "__main__":
    unittest.main()

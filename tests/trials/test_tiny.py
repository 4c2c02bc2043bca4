"""A short trial: linear solvers on grids of a few cells."""

import unittest

from support import PROGRAM

from trials import tiny


class Tiny(unittest.TestCase):
    def test_every_solver_has_an_answer_within_its_tolerance_on_a_few_cells(self):
        found = tiny.run(PROGRAM, 5, 1)
        self.assertEqual(found.faults, [])
        self.assertGreater(found.tried["solves in fp64"], 50)


if __name__ == "__main__":
    unittest.main()

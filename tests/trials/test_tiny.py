"""A short trial: linear solvers on grids of a few cells."""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark_trials import tiny  # noqa: E402


class Tiny(unittest.TestCase):
    def test_every_solver_has_an_answer_within_its_tolerance_on_a_few_cells(self):
        found = tiny.run(PROGRAM, 5, 1)
        self.assertEqual(found.faults, [])
        self.assertGreater(found.tried["solves in fp64"], 50)


if __name__ == "__main__":
    unittest.main()

"""A short trial: runs that are killed, and disks that fill up, lose nothing."""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark_trials import stops  # noqa: E402


class Stops(unittest.TestCase):
    def test_a_disk_that_fills_up_costs_no_line_that_was_written(self):
        self.assertEqual(stops.run(PROGRAM, 3, "disks", 2).faults, [])

    def test_a_run_that_is_killed_goes_on(self):
        self.assertEqual(stops.run(PROGRAM, 3, "kills", 1).faults, [])


if __name__ == "__main__":
    unittest.main()

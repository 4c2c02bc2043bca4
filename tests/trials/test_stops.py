"""A short trial: runs that are killed, and disks that fill up, lose nothing."""

import unittest

from support import PROGRAM

from trials import stops


class Stops(unittest.TestCase):
    def test_a_disk_that_fills_up_costs_no_line_that_was_written(self):
        self.assertEqual(stops.run(PROGRAM, 3, "disks", 2).faults, [])

    def test_a_run_that_is_killed_continues(self):
        self.assertEqual(stops.run(PROGRAM, 3, "kills", 1).faults, [])


if __name__ == "__main__":
    unittest.main()

"""A short trial: spoiled records, others' benchmarks, histories, tables, published figures and sweeps bring nothing down."""

import unittest

from support import PROGRAM

from trials import mutation


class Mutation(unittest.TestCase):
    def test_no_spoiled_input_ends_in_a_signal_a_traceback_or_a_difference_of_the_readers(self):
        counts = {"records": 160, "readers": 2000, "others": 80, "histories": 80, "tables": 8, "figures": 40, "sweeps": 30}
        found = mutation.run(PROGRAM, 20261122, counts, None)
        self.assertEqual(found.faults, [])
        self.assertEqual(sum(found.tried.values()), sum(counts.values()))


if __name__ == "__main__":
    unittest.main()

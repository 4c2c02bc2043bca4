"""A short trial: spoiled records, others' benchmarks, histories, tables, published figures and sweeps bring nothing down."""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark_trials import mutation  # noqa: E402


class Mutation(unittest.TestCase):
    def test_no_spoiled_input_ends_in_a_signal_a_traceback_or_a_difference_of_the_readers(self):
        counts = {"records": 160, "readers": 2000, "others": 80, "histories": 80, "tables": 8, "figures": 40, "sweeps": 30}
        found = mutation.run(PROGRAM, 20261122, counts, None)
        self.assertEqual(found.faults, [])
        self.assertEqual(sum(found.tried.values()), sum(counts.values()))


if __name__ == "__main__":
    unittest.main()

"""The orders that docs/flows.md states are those that the program has: the coarser two grids of each row are solved again."""

import csv
import math
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from test_pages import PROGRAM, ROOT

PAGE = (ROOT / "docs/flows.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\w+) \| (simple|projection) \| (central|upwind) \| ([\d.e-]+) \| ([\d.e-]+) \| ([\d.e-]+) \| ([\d.]+) \|$", re.M)
PISO = re.compile(r"at time 0\.5 on 64x64 is ([\d.e-]+), ([\d.e-]+) and ([\d.e-]+) at Courant\s+numbers of 0\.4, 0\.2 and 0\.1")


def error(*words: str) -> float:
    """Returns the error of u (L2) that `solve` prints."""
    done = subprocess.run([PROGRAM, "solve", *words], capture_output=True, text=True, timeout=300)
    return float(re.search(r"error_u_l2\s+([\d.e+-]+)", done.stdout)[1])


class Orders(unittest.TestCase):
    def test_errors_on_two_grids_and_the_order_are_as_stated(self):
        rows = ROW.findall(PAGE)
        self.assertGreaterEqual(len(rows), 5)

        def solved(row, side: int) -> float:
            problem, solver, convection, *_ = row
            size = f"{side}x{side}"
            return error("--problem", problem, "--solver", solver, "--grid", size, "--set", f"convection={convection}", "--tolerance", "1e-7", "--backend", "serial")

        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda case: solved(*case), [(row, side) for row in rows for side in (16, 32)]))
        for row, coarse, fine in zip(rows, found[::2], found[1::2]):
            with self.subTest(row=row, coarse=coarse, fine=fine):
                self.assertAlmostEqual(coarse / float(row[3]), 1, delta=0.01)
                self.assertAlmostEqual(fine / float(row[4]), 1, delta=0.01)
                stated = float(row[6])
                self.assertAlmostEqual(math.log2(float(row[4]) / float(row[5])), stated, delta=0.1)
                self.assertAlmostEqual(math.log2(coarse / fine), stated, delta=0.2)

    def test_the_error_of_piso_in_time_is_as_stated(self):
        stated = [float(text) for text in PISO.search(PAGE).groups()]
        for courant, expected in zip(("0.4", "0.2"), stated):
            found = error("--problem", "taylor_green", "--solver", "piso", "--grid", "64x64", "--courant", courant, "--end-time", "0.5", "--backend", "serial")
            self.assertAlmostEqual(found / expected, 1, delta=0.02)
        self.assertAlmostEqual(math.log2(stated[0] / stated[2]) / 2, 1, delta=0.1)


class Published(unittest.TestCase):
    def test_values_next_to_published_ones_are_those_of_the_kept_records(self):
        words = ["--format", "csv", "--output", "-"]
        done = subprocess.run([PROGRAM, "report", ROOT / "results/nvidia-h200/flow_reference.jsonl", *words], capture_output=True, text=True)
        table = done.stdout.partition("# published.csv\n")[2].partition("\n\n")[0]
        kept = {(r["grid"], r["quantity"], r["here"]): r for r in csv.DictReader(table.splitlines())}
        rows = re.findall(r"^\| .*?\| ([\dx]+) \| `(\w+)` \| (-?[\d.]+) \| (-?[\d.]+) \| ([\d.]+) %", PAGE, re.M)
        self.assertGreaterEqual(len(rows), 12)
        for grid, quantity, here, published, percent in rows:
            with self.subTest(grid=grid, quantity=quantity, here=here):
                found = next(r for (g, q, h), r in kept.items() if (g, q, float(h)) == (grid, quantity, float(here)))
                self.assertAlmostEqual(float(found["published"]), float(published), places=4)
                self.assertAlmostEqual(100 * float(found["deviation"]), float(percent), delta=0.05)


if __name__ == "__main__":
    unittest.main()

import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (finds the packages)
from support import ENVIRONMENT, ROOT, absent, kernel, measured, solver

from cfdmark.records.records import Dataset, Record
from cfdmark.reproduce.command import records_in
from cfdmark.reproduce.experiments.normore_convergence import predicted
from cfdmark.reproduce.measured import BEFORE, CORES, Absent, Measured, divided, less, newest_machine, rate
from cfdmark.reproduce.measures import iterations_to
from cfdmark.stats.quantity import Quantity


class SeveralFiles(unittest.TestCase):
    def test_of_two_the_one_measured_last_counts_whatever_the_order_they_were_written_in(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, time, seconds in (("a", "2026-11-24T09:00:00Z", 2.0), ("b", "2026-11-25T09:00:00Z", 1.0)):
                record = kernel("k", "cuda/fp32/plain", 512, seconds) | {"environment": name}
                lines = [ENVIRONMENT | {"id": name, "time": time}, record]
                paths.append(Path(folder) / f"{name}.jsonl")
                paths[-1].write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
            for newest in paths:
                for path in paths:
                    os.utime(path, (0, 1 if path == newest else 0))
                found = records_in(paths)
                self.assertEqual([record.time.value for record in found.records], [1.0])
                self.assertEqual(found.files, paths)


    def two_machines(self, folder: str) -> list[Path]:
        """SIMPLE on one host, and PISO a day later on another."""
        paths = []
        for name, day in (("simple", "24"), ("piso", "25")):
            host = ENVIRONMENT["host"] | {"machine": name}
            lines = [
                ENVIRONMENT | {"id": name, "host": host, "time": f"2026-11-{day}T09:00:00Z"},
                solver(name, "cuda/fp32/paper", 64, 1.0) | {"environment": name},
            ]
            paths.append(Path(folder) / f"{name}.jsonl")
            paths[-1].write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return paths

    def test_each_file_keeps_its_own_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            found = records_in(self.two_machines(folder))
        self.assertEqual({r.name for r in found.records}, {"simple", "piso"})

    def test_times_of_two_machines_are_not_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            found = Measured(records_in(self.two_machines(folder)))
        with self.assertRaisesRegex(Absent, "measured on different machines"):
            found.pairs({"name": "simple"}, {"name": "piso"})


class Differences(unittest.TestCase):
    def test_have_the_widest_interval_that_both_ends_allow(self):
        self.assertEqual(less(Quantity(10, 9, 12), Quantity(4, 3, 5)), Quantity(6, 4, 9))
        self.assertEqual(less(Quantity(10, 9, 12), Quantity(4)), Quantity(6))


class Picking(unittest.TestCase):
    def test_two_rows_are_compared_on_the_largest_grid_that_both_have(self):
        found = measured(
            kernel("k", "cuda/fp32/plain", 512, 1.0),
            kernel("k", "cuda/fp32/plain", 1024, 2.0),
            kernel("k", "cuda/fp32/plain", 2048, 4.0),
            kernel("k", "serial/fp32/plain", 512, 10.0),
            kernel("k", "serial/fp32/plain", 1024, 40.0),
            absent(kernel("k", "serial/fp32/plain", 2048, 80.0), "the grid is too large"),
        )
        ratio, fast, slow = found.ratio({"backend": "cuda"}, {"backend": "serial"})
        self.assertEqual((fast.grid, slow.grid), ((1024, 1024), (1024, 1024)))
        self.assertAlmostEqual(ratio.value, 20.0)
        self.assertLess(ratio.low, 20.0)
        self.assertGreater(ratio.high, 20.0)

    def test_of_several_rows_that_fit_the_fastest_is_taken(self):
        found = measured(kernel("k", "cuda/fp32/plain", 512, 2.0), kernel("k", "cuda/fp32/split", 512, 1.0))
        self.assertEqual(found.largest(backend="cuda").method, "split")
        self.assertEqual(found.largest(backend="cuda", method=("plain", "shared")).method, "plain")

    def test_a_setting_that_came_after_a_record_has_its_default_there(self):
        old = solver("block_jacobi", "cuda/fp32/plain", 8, 2.0, config={"transfers": "pinned"})
        new = solver("block_jacobi", "cuda/fp32/plain", 8, 1.0, config={"transfers": "pinned", "overlap": "matrices"})
        found = measured(old, new)
        self.assertEqual([r.time.value for r in found.all(transfers="pinned", overlap="none")], [2.0])
        self.assertEqual([r.time.value for r in found.all(transfers="pinned", overlap="matrices")], [1.0])
        with self.assertRaisesRegex(Absent, "no record of block_jacobi with threads=1"):
            found.all(name="block_jacobi", threads=1)

    def test_what_such_a_record_did_is_what_the_program_does_by_default(self):
        for setting, before in BEFORE.items():
            declared = re.compile(rf'choice_setting\(\s*"{setting}", {{[^}}]*}}, "([^"]*)"')
            said = [m for path in (ROOT / "solvers").rglob("*.cpp") for m in declared.findall(path.read_text("utf-8"))]
            self.assertEqual(said, [before])

    def test_a_kokkos_that_was_built_for_a_device_is_no_processor(self):
        on_device = kernel("k", "kokkos/fp32/plain", 512, 1.0)
        on_device["resources"] = {"tile": "64x4x1"}
        on_host = kernel("k", "kokkos/fp32/plain", 256, 1.0)
        on_host["resources"] = {"threads": 2, "tile": "rows"}
        found = measured(on_device, on_host, kernel("k", "openmp/fp32/plain", 128, 3.0))
        self.assertEqual([r.grid for r in found.by_grid(**CORES)], [(128, 128), (256, 256)])

    def test_a_backend_that_ran_nothing_is_the_reason(self):
        found = measured(
            absent(kernel("k", "cuda/fp32/plain", 8, 1.0), "no driver"),
            kernel("k", "serial/fp32/plain", 8, 1.0),
        )
        with self.assertRaisesRegex(Absent, "nothing ran on cuda: no driver"):
            found.all(backend="cuda", method="shared")

    def test_a_wrong_answer_is_not_a_measurement_and_has_a_reason(self):
        bad = {**absent(kernel("k", "cuda/fp32/plain", 8, 1.0), "cell (0, 0) is wrong"), "status": "failed"}
        found = measured(bad, kernel("k", "cuda/fp32/split", 8, 1.0))
        with self.assertRaisesRegex(Absent, r"no k/cuda/plain: cell \(0, 0\) is wrong"):
            found.all(name="k", backend="cuda", method="plain")

    def test_a_case_without_a_record_is_reported(self):
        with self.assertRaisesRegex(Absent, "no record of k/serial with rmin=32"):
            measured(kernel("k", "cuda/fp32/plain", 8, 1.0)).all(name="k", backend="serial", rmin=32)

    def test_records_of_an_earlier_machine_are_left_out_with_a_word(self):
        environments = {"a": {"host": {"machine": "a"}}, "b": {"host": {"machine": "b"}}}
        records = [Record(kernel("k", "serial/fp32/plain", 8, 1.0, environment=e)) for e in ("a", "b")]
        kept = newest_machine(Dataset(records, environments))
        self.assertEqual([r.environment for r in kept.records], ["b"])
        self.assertIn("1 records of another machine", kept.warnings[0])


class Numbers(unittest.TestCase):
    def test_a_rate_is_operations_over_time_with_the_ends_exchanged(self):
        record = measured(kernel("axpy", "serial/fp32/plain", 1000, 1e-3)).largest(name="axpy")
        found = rate(record, 2)  # two operations on a million elements in a millisecond
        self.assertAlmostEqual(found.value / 1e9, 2.0)
        self.assertAlmostEqual(found.low / 1e9, 2.0 / 1.004)
        self.assertAlmostEqual(found.high / 1e9, 2.0 / 0.996)

    def test_a_ratio_of_rates_has_the_widest_interval(self):
        found = divided(Quantity(6, 5, 8), Quantity(2, 1, 4))
        self.assertEqual((found.value, found.low, found.high), (3, 1.25, 8))

    def test_iterations_are_known_to_the_distance_of_two_looks(self):
        history = [[0, 1.0], [10, 0.5], [20, 0.09], [30, 0.009]]
        record = measured(
            solver("sor", "serial/fp64/plain", 31, 1.0, facts={"error_history": history})
        ).largest(name="sor")
        found = iterations_to(record, 10)
        self.assertEqual((found.value, found.low, found.high), (20, 11, 20))
        with self.assertRaisesRegex(Absent, "did not reduce the error 1000 times"):
            iterations_to(record, 1000)

    def test_theory_gives_gauss_seidel_half_of_jacobi_and_sor_a_share_of_h(self):
        jacobi = measured(solver("jacobi", "serial/fp64/plain", 31, 1.0)).largest(name="jacobi")
        expected = predicted(jacobi, 1000)
        self.assertAlmostEqual(expected["jacobi"] / expected["gauss_seidel"], 2.0)
        # Of the error an iteration of Jacobi takes (pi h)^2 / 2, one of SOR 2 pi h, for small h = 1/32.
        self.assertAlmostEqual(expected["jacobi"] / expected["sor"], 4 * 32 / 3.14159, delta=0.8)


if __name__ == "__main__":
    unittest.main()

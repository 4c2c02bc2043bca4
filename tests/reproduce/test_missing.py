"""The page names each case of the sweep that has no record."""

import unittest

import support  # noqa: F401  (finds the packages)
from support import DOCUMENTS, SWEEPS, absent, compared, kernel, measured, mesh_kernel, solver

from cfdmark.reproduce import page
from cfdmark.reproduce.missing import blocks_of, domains_of, grids_of, without_record

LOCAL = {"config": {"rmin": 32}}
SUMS = [kernel("sum", "cuda/fp32/local", side, 1e-6, **LOCAL) for side in (32, 64, 128, 256, 512, 1024, 2048)]


class Asked(unittest.TestCase):
    def test_grids_are_read_as_sweeps_have_them(self):
        self.assertEqual(grids_of("64x32"), {(64, 32)})
        several = [{"powers_of_two": [64, 128], "plus": 1}, "8x8"]
        self.assertEqual(grids_of(several), {(65, 65), (129, 129), (8, 8)})
        self.assertEqual(grids_of({"powers_of_two": [4, 4], "dims": 3}), {(4, 4, 4)})
        self.assertEqual(grids_of({"range": [10, 30, 10]}), {(10, 10), (20, 20), (30, 30)})

    def test_what_a_run_ended_before_is_named_and_what_did_not_run_for_a_reason_is_not(self):
        failed = absent(kernel("sum", "cuda/fp32/local", 4096, 1e-6, **LOCAL), "the grid is too large")
        missing = without_record(measured(*SUMS, failed).dataset, SWEEPS / "menon-figure-4.4.yaml")
        self.assertEqual(missing, ["sum on cuda/fp32/local at 16384×16384"])

    def test_what_only_one_backend_is_required_is_not_missing_on_the_others(self):
        records = [solver("sor", f"{b}/fp32/plain", 64, 1.0) for b in ("serial", "cuda")]
        missing = without_record(measured(*records).dataset, SWEEPS / "normore-figure-6.1.yaml")
        self.assertIn("sor on cuda/fp32/plain at 4096×4096", missing)
        self.assertNotIn("sor on serial/fp32/plain at 4096×4096", missing)
        self.assertIn("sor on serial/fp32/plain at 2048×2048", missing)

    def test_a_mesh_that_was_not_measured_is_named_with_its_numbering(self):
        done = ["triangles-120x120+17256", "tetrahedra-7x22x271+8629"]
        records = [mesh_kernel("mesh_gradient", "cuda/fp32/plain", mesh, 1e-6) for mesh in done]
        records.append(mesh_kernel("mesh_gradient", "serial/fp32/plain", done[1], 1e-6, "random"))
        records.append(mesh_kernel("mesh_gradient", "openmp/fp32/plain", done[0], 1e-6, "hilbert"))
        self.assertEqual(without_record(measured(*records).dataset, SWEEPS / "menon-table-8.3.yaml"), [])
        in_figure = without_record(measured(*records).dataset, SWEEPS / "menon-figure-5.2.yaml")
        self.assertIn("mesh_gradient on cuda/fp32/plain at triangles-22x22, lattice", in_figure)
        self.assertIn("mesh_gradient on cuda/fp32/plain at tetrahedra-220x220x220, lattice", in_figure)
        self.assertNotIn("mesh_gradient on serial/fp32/plain at tetrahedra-220x220x220, random", in_figure)
        self.assertFalse([case for case in in_figure if "hilbert" in case])

    def test_the_page_says_so(self):
        comparison = compared("menon-figure-4.4", SUMS)
        text = [t for s in page.sections_of(DOCUMENTS["menon-figure-4.4"], comparison) for t in s.text]
        (said,) = [t for t in text if t.startswith("Not measured")]
        self.assertIn("sum on cuda/fp32/local at 16384×16384 and sum on cuda/fp32/local at 4096×4096", said)

    def test_every_sweep_can_be_read_so(self):
        for path in SWEEPS.glob("*.yaml"):
            with self.subTest(path.stem):
                self.assertTrue(all(domains_of(block) for block in blocks_of(path)))


if __name__ == "__main__":
    unittest.main()

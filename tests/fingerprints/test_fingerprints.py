"""Which edits cost a tuned table its validity: cmake/source_hashes.cmake on a copy of the source."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Fingerprints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = pathlib.Path(folder.name)
        for room in ("kernels", "solvers"):
            shutil.copytree(ROOT / room, self.copy / room)
        self.before = self.fingerprints()

    def fingerprints(self):
        output = self.copy / "hashes.cpp"
        subprocess.run(["cmake", f"-DROOT={self.copy}", f"-DOUTPUT={output}", "-P",
                        str(ROOT / "cmake/source_hashes.cmake")], check=True)
        return re.findall(r'\{"(\S+)", "(\S+)", "(\w+)"\}', output.read_text())

    def changed_by_editing(self, name, line="int edited;"):
        """The (source, backend) pairs whose fingerprints differ once a line is added to a file."""
        with open(self.copy / name, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        after = self.fingerprints()
        changed = {old[:2] for old, new in zip(self.before, after) if old != new}
        self.before = after
        return changed

    @staticmethod
    def kernels(changed):
        return {entry for entry in changed if entry[0].startswith("kernels/")}

    def test_each_file_of_device_code_changes_its_kernel_on_cuda_and_no_other_kernel(self):
        for name, kernel in (("smoothing/smoothing.cu", "smoothing"), ("smoothing/smoothing_cuda.cpp", "smoothing"),
                             ("red_black_sor/red_black_sor.cu", "red_black_sor"),
                             ("red_black_sor/red_black_pipelined.cu", "red_black_sor"),
                             ("reduction/reduction_levels_cuda.cpp", "reduction"),
                             ("reduction/reduction_levels.cu", "reduction")):
            with self.subTest(name):
                changed = self.kernels(self.changed_by_editing(f"kernels/{name}"))
                self.assertEqual(changed, {(f"kernels/{kernel}", "cuda")})

    def test_the_cell_of_a_kernel_changes_it_on_every_backend(self):
        changed = self.kernels(self.changed_by_editing("kernels/jacobi/jacobi.hpp"))
        self.assertEqual(changed, {("kernels/jacobi", backend) for backend in ("cpu", "kokkos", "cuda")})

    def test_an_edit_of_a_kernel_changes_the_solvers_that_use_it_and_no_other(self):
        solvers = {entry[:2] for entry in self.before if entry[0].startswith("solvers/")}
        changed = self.changed_by_editing("kernels/gauss_seidel/gauss_seidel.hpp") & solvers
        self.assertTrue(changed)
        names = {pathlib.PurePosixPath(entry[0]).stem for entry in changed}
        self.assertFalse(names & {"cg_fused", "cg_cusparse", "cg"}, names)

    def test_an_edit_of_what_flow_solvers_share_changes_all_of_them_and_of_one_that_one(self):
        def of_flows(name):
            changed = self.changed_by_editing(name)
            return {pathlib.PurePosixPath(file).stem for file, _ in changed if file.startswith("solvers/flow/")}

        shared = ["solvers/linear/krylov/cg.cpp", "solvers/linear/stationary/sor.cpp"]
        parts = ("coupling", "inner_solve", "flow_system", "pressure_velocity", "momentum_solve", "sweeps")
        shared += [f"solvers/flow/{name}.cpp" for name in parts]
        for name in shared:
            with self.subTest(name):
                self.assertLessEqual({"simple", "piso"}, of_flows(name))
        self.assertEqual(of_flows("solvers/flow/piso.cpp"), {"piso"})
        self.assertEqual(of_flows("solvers/linear/stationary/jacobi.cpp"), set())

    def test_an_edit_of_a_problem_changes_that_problem_and_of_what_they_share_all_of_them(self):
        problems = {file for file, _, _ in self.before if file.startswith("solvers/problems/")}
        self.assertIn("solvers/problems/taylor_green_3d.cpp", problems)
        changed = {file for file, _ in self.changed_by_editing("solvers/problems/cavity.cpp")}
        self.assertEqual(changed, {"solvers/problems/cavity.cpp"})
        changed = {file for file, _ in self.changed_by_editing("solvers/problems/flow_box.cpp")}
        self.assertEqual(changed, problems)

    def test_the_plain_methods_change_the_kernels_that_say_their_cells(self):
        changed = self.kernels(self.changed_by_editing("kernels/cells/cuda/cells.cuh"))
        self.assertIn(("kernels/jacobi", "cuda"), changed)
        self.assertIn(("kernels/copy", "cuda"), changed)
        self.assertIn(("kernels/reduction", "cuda"), changed)
        self.assertNotIn(("kernels/cg_iteration", "cuda"), changed)
        self.assertFalse({entry for entry in changed if entry[1] != "cuda"})

    def test_the_layout_of_fields_changes_every_kernel_on_every_backend(self):
        every = {entry[:2] for entry in self.before if entry[0].startswith("kernels/")}
        self.assertEqual(self.kernels(self.changed_by_editing("kernels/core/grid.hpp")), every)

    def test_what_a_description_names_still_counts(self):
        # Of these, field.hpp and config.hpp are reached through descriptions alone from most kernels.
        for name in ("kernels/device/field.hpp", "kernels/core/config.hpp", "kernels/core/step.hpp"):
            with self.subTest(name):
                self.assertIn(("kernels/jacobi", "cuda"), self.changed_by_editing(name))

    def test_what_only_describes_changes_nothing(self):
        for name in ("kernels/core/cost.hpp", "kernels/core/method.hpp", "kernels/core/source_place.hpp",
                     "kernels/cells/timed_problem.hpp", "kernels/cells/cell_kernel.hpp",
                     "kernels/jacobi/jacobi.cpp", "kernels/reduction/reduction.cpp"):
            with self.subTest(name):
                self.assertEqual(self.changed_by_editing(name), set())

    def test_a_comment_or_a_blank_line_changes_nothing(self):
        for line in ("// edited", "", "  // edited\n\n// twice"):
            for name in ("kernels/jacobi/jacobi.hpp", "kernels/smoothing/smoothing.cu", "kernels/core/grid.hpp"):
                with self.subTest(name=name, line=line):
                    self.assertEqual(self.changed_by_editing(name, line), set())
        text = (self.copy / "kernels/core/grid.hpp").read_text(encoding="utf-8")
        (self.copy / "kernels/core/grid.hpp").write_text(text.replace(";\n", ";  // edited\n\n"), encoding="utf-8")
        self.assertEqual(self.fingerprints(), self.before)


if __name__ == "__main__":
    unittest.main()

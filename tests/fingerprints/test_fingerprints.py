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

    def changed_by_editing(self, name):
        """The (folder, backend) pairs whose fingerprints differ once a comment is added to a file."""
        with open(self.copy / name, "a", encoding="utf-8") as file:
            file.write("// edited\n")
        return {old[:2] for old, new in zip(self.before, self.fingerprints()) if old != new}

    def test_a_kernel_on_a_backend_changes_that_and_the_solvers_on_it(self):
        self.assertEqual(self.changed_by_editing("kernels/jacobi/jacobi_cuda.cpp"),
                         {("kernels/jacobi", "cuda"), ("solvers", "cuda")})

    def test_the_layout_of_fields_changes_every_kernel_on_every_backend(self):
        every = {entry[:2] for entry in self.before}
        self.assertEqual(self.changed_by_editing("kernels/core/grid.hpp"), every)

    def test_what_a_description_names_still_counts(self):
        # Of these, field.hpp and config.hpp are reached through descriptions alone from most kernels.
        for name in ("kernels/backends/field.hpp", "kernels/core/config.hpp", "kernels/core/step.hpp"):
            with self.subTest(name):
                self.assertIn(("kernels/jacobi", "cuda"), self.changed_by_editing(name))
                self.before = self.fingerprints()

    def test_what_only_describes_changes_nothing(self):
        for name in ("kernels/core/cost.hpp", "kernels/core/method.hpp", "kernels/core/source_place.hpp",
                     "kernels/backends/timed_problem.hpp"):
            with self.subTest(name):
                self.assertEqual(self.changed_by_editing(name), set())


if __name__ == "__main__":
    unittest.main()

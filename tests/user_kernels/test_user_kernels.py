"""External kernels: CMake rejects unusable folders, and `cfdmark new-kernel` creates a usable one."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["CFDMARK_PROGRAM"]


class UserKernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def new_kernel(self, name):
        subprocess.run([PROGRAM, "new-kernel", name, "--in", self.folder], check=True, capture_output=True)
        return self.folder / name

    def configure(self, *folders, testing="OFF"):
        """Runs CMake with these kernel folders, without building, and returns its result."""
        return subprocess.run(
            ["cmake", "-S", ROOT, "-B", self.folder / "build", "-DCFDMARK_KERNELS=" + ";".join(map(str, folders)),
             f"-DBUILD_TESTING={testing}", "-DCFDMARK_KOKKOS=OFF", "-DCFDMARK_OPENBLAS=OFF"],
            capture_output=True, text=True, check=False)

    def flags(self):
        """Returns the compiler flags by target. make rebuilds a whole target if they change."""
        return {path.parent.name: path.read_text() for path in (self.folder / "build").rglob("flags.make")}

    def assert_error(self, result, *words):
        self.assertNotEqual(result.returncode, 0)
        text = " ".join(result.stderr.split())  # CMake breaks lines
        for word in words:
            self.assertIn(word, text)

    def test_a_new_kernel_has_two_files_and_compiles_unchanged(self):
        folder = self.new_kernel("my_stencil")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["my_stencil.cpp", "my_stencil.hpp"])
        result = self.configure(folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(folder), result.stdout)

    def test_a_first_external_kernel_rebuilds_only_files_that_include_it(self):
        self.assertEqual(self.configure(testing="ON").returncode, 0)
        before = self.flags()
        folder = self.new_kernel("my_stencil")
        (folder.parent / "shared").mkdir()
        (folder.parent / "shared/weights.hpp").write_text("#pragma once\n")
        header = folder / "my_stencil.hpp"
        include = '#include "kernels/cells/cell.hpp"\n'
        header.write_text(header.read_text().replace(include, include + '#include "shared/weights.hpp"\n'))
        result = self.configure(folder, testing="ON")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.flags(), before)
        forwarded = self.folder / "build/user_kernels"
        self.assertEqual((forwarded / "my_stencil/my_stencil.hpp").read_text(), f'#include "{header}"\n')
        self.assertTrue((forwarded / "shared/weights.hpp").exists())
        self.assertEqual(self.configure(testing="ON").returncode, 0)
        self.assertEqual([path for path in forwarded.rglob("*") if path.is_file()], [])

    def test_a_new_kernel_overwrites_nothing(self):
        folder = self.new_kernel("my_stencil")
        (folder / "my_stencil.hpp").write_text("mine\n")
        result = subprocess.run([PROGRAM, "new-kernel", "my_stencil", "--in", self.folder], capture_output=True,
                                text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn(str(folder), result.stderr)
        self.assertEqual((folder / "my_stencil.hpp").read_text(), "mine\n")

    def test_an_invalid_or_existing_kernel_name_is_an_error(self):
        for name in ("My Kernel", "jacobi"):
            result = subprocess.run([PROGRAM, "new-kernel", name, "--in", self.folder], capture_output=True,
                                    text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn(name, result.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_kernel_that_does_not_compile_is_an_error_with_its_first_line(self):
        folder = self.new_kernel("broken")
        header = folder / "broken.hpp"
        header.write_text(header.read_text().replace("C(s)", "C(no_such_thing)"))
        line = 1 + header.read_text()[:header.read_text().index("no_such_thing")].count("\n")
        self.assert_error(self.configure(folder), "broken", f"broken.hpp:{line}:", "no_such_thing")

    def test_a_kernel_folder_without_its_files_is_an_error(self):
        folder = self.folder / "half"
        folder.mkdir()
        self.assert_error(self.configure(folder), "half.hpp", "new-kernel half")

    def test_a_folder_named_like_an_existing_kernel_is_an_error(self):
        folder = self.folder / "jacobi"
        folder.mkdir()
        self.assert_error(self.configure(folder), "CFDMARK_KERNELS", "jacobi", str(folder))


if __name__ == "__main__":
    unittest.main()

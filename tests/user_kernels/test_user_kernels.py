"""Kernels from outside: what the configuration says of a folder that is none, and that `cfdmark new-kernel` makes one."""

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
        """What CMake says, once it has looked at the kernels; the build is not made."""
        return subprocess.run(
            ["cmake", "-S", ROOT, "-B", self.folder / "build", "-DCFDMARK_KERNELS=" + ";".join(map(str, folders)),
             f"-DBUILD_TESTING={testing}", "-DCFDMARK_KOKKOS=OFF", "-DCFDMARK_OPENBLAS=OFF"],
            capture_output=True, text=True, check=False)

    def flags(self):
        """What the compiler is called with, by target: make builds all of a target again where that changes."""
        return {path.parent.name: path.read_text() for path in (self.folder / "build").rglob("flags.make")}

    def assert_refused(self, said, *words):
        self.assertNotEqual(said.returncode, 0)
        text = " ".join(said.stderr.split())  # CMake breaks lines
        for word in words:
            self.assertIn(word, text)

    def test_a_new_kernel_is_two_files_and_compiles_as_it_is(self):
        folder = self.new_kernel("my_stencil")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["my_stencil.cpp", "my_stencil.hpp"])
        said = self.configure(folder)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("kernel my_stencil from", said.stdout)

    def test_a_first_kernel_of_ones_own_rebuilds_only_what_includes_it(self):
        self.assertEqual(self.configure(testing="ON").returncode, 0)
        before = self.flags()
        folder = self.new_kernel("my_stencil")
        (folder.parent / "shared").mkdir()
        (folder.parent / "shared/weights.hpp").write_text("#pragma once\n")
        header = folder / "my_stencil.hpp"
        include = '#include "kernels/core/cell.hpp"\n'
        header.write_text(header.read_text().replace(include, include + '#include "shared/weights.hpp"\n'))
        said = self.configure(folder, testing="ON")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.flags(), before)
        forwarded = self.folder / "build/user_kernels"
        self.assertEqual((forwarded / "my_stencil/my_stencil.hpp").read_text(), f'#include "{header}"\n')
        self.assertTrue((forwarded / "shared/weights.hpp").exists())
        self.assertEqual(self.configure(testing="ON").returncode, 0)
        self.assertEqual([path for path in forwarded.rglob("*") if path.is_file()], [])

    def test_a_new_kernel_overwrites_nothing(self):
        folder = self.new_kernel("my_stencil")
        (folder / "my_stencil.hpp").write_text("mine\n")
        said = subprocess.run([PROGRAM, "new-kernel", "my_stencil", "--in", self.folder], capture_output=True, text=True,
                              check=False)
        self.assertEqual(said.returncode, 2)
        self.assertIn(f"{folder}", said.stderr)
        self.assertEqual((folder / "my_stencil.hpp").read_text(), "mine\n")

    def test_a_name_that_is_none_or_is_taken_is_refused(self):
        for name, word in (("My Kernel", "'My Kernel'"), ("jacobi", "'jacobi'")):
            said = subprocess.run([PROGRAM, "new-kernel", name, "--in", self.folder], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(said.returncode, 2)
            self.assertIn(word, said.stderr)

    def test_a_kernel_that_does_not_compile_is_named_with_the_first_error(self):
        folder = self.new_kernel("broken")
        header = folder / "broken.hpp"
        header.write_text(header.read_text().replace("C(s)", "C(no_such_thing)"))
        line = 1 + header.read_text()[:header.read_text().index("no_such_thing")].count("\n")
        self.assert_refused(self.configure(folder), "the kernel broken", "does not compile", f"broken.hpp:{line}:",
                            "no_such_thing")

    def test_a_folder_without_its_two_files_is_refused(self):
        folder = self.folder / "half"
        folder.mkdir()
        self.assert_refused(self.configure(folder), "has no half.hpp", "new-kernel half")

    def test_a_folder_of_a_kernel_that_there_is_already_is_refused(self):
        folder = self.folder / "jacobi"
        folder.mkdir()
        self.assert_refused(self.configure(folder), "kernel jacobi", f"{folder}")


if __name__ == "__main__":
    unittest.main()

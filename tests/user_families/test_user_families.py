"""External families of solvers: CMake lists those of a folder and rejects unusable folders."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROJECT = """cmake_minimum_required(VERSION 3.21)
project(families NONE)
include({root}/solvers/families.cmake)
cfdmark_list_families({folder}/families.hpp {families})
"""


class UserFamilies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def family(self, name):
        folder = self.folder / name
        folder.mkdir()
        (folder / "family.hpp").write_text("#pragma once\n")
        return folder

    def listed(self, *families):
        """Runs CMake and returns its result."""
        text = PROJECT.format(root=ROOT, folder=self.folder, families=" ".join(map(str, families)))
        (self.folder / "CMakeLists.txt").write_text(text)
        return subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build"], capture_output=True, text=True,
                              check=False)

    def assert_error(self, result, *words):
        self.assertNotEqual(result.returncode, 0)
        text = " ".join(result.stderr.split())  # CMake breaks lines
        for word in words:
            self.assertIn(word, text)

    def test_a_family_from_outside_follows_those_of_the_program(self):
        folder = self.family("heat_pipes")
        result = self.listed(folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        header = (self.folder / "families.hpp").read_text()
        self.assertIn(f'#include "{folder}/family.hpp"\n', header)
        self.assertIn("{linear_family(), flow_family(), block_family(), mesh_family(), mesh_flow_family(), matrix_family(), heat_pipes_family()}", header)

    def test_an_invalid_or_existing_name_is_an_error_that_names_the_folder(self):
        for name in ("Heat-pipes", "linear"):
            with self.subTest(name=name):
                folder = self.family(name)
                self.assert_error(self.listed(folder), "CFDMARK_FAMILIES", str(folder), name)

    def test_the_same_name_twice_is_an_error(self):
        folder = self.family("heat_pipes")
        self.assert_error(self.listed(folder, folder), "family heat_pipes already exists")

    def test_a_folder_without_a_header_is_an_error_that_says_what_it_declares(self):
        folder = self.folder / "empty"
        folder.mkdir()
        self.assert_error(self.listed(folder), "has no family.hpp", "Family empty_family()")


if __name__ == "__main__":
    unittest.main()

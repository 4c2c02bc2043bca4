"""`ctest -T memcheck -L gpu`: which tests have the label, and what CTest makes of the sanitizer's messages. A
stand-in for compute-sanitizer prints the given messages and ends as the tool does with --error-exitcode."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, ROOT

STAND_IN = """#!/bin/bash
while [[ $1 == --* ]]; do
  case $1 in --log-file) log=$2 ;; --tool) tool=$2 ;; --error-exitcode) status=$2 ;; esac
  shift 2
done
printf '========= %s\\n' "$SAYS" "tool: $tool" >"$log"
[[ $SAYS == *SUMMARY* ]] || exit "${status:-0}"
exec "$@"
"""
PROJECT = f"""cmake_minimum_required(VERSION 3.21)
project(checked LANGUAGES NONE)
include({ROOT}/cmake/options.cmake)
add_test(NAME passes COMMAND true)
"""
RACECHECK = ("--overwrite", "MemoryCheckCommandOptions=--tool racecheck --error-exitcode 1")


class Memcheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        stand_in = self.folder / "compute-sanitizer"
        stand_in.write_text(STAND_IN)
        stand_in.chmod(0o755)
        subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build", f"-DMEMORYCHECK_COMMAND={stand_in}"],
                       check=True, capture_output=True)  # fmt: skip

    def check(self, says: str, *options: str) -> tuple[int, str, str]:
        command = ["ctest", "--test-dir", self.folder / "build", "-T", "memcheck", *options]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"SAYS": says}, check=False)
        return done.returncode, done.stdout, (self.folder / "build/Testing/Temporary/MemoryChecker.1.log").read_text()

    def test_an_error_of_the_tool_fails_a_test_that_passes_and_is_named(self):
        for says, found, tool, options in (
            ("Invalid __global__ read of size 8 bytes", "Invalid __global__ read - 1", "memcheck", ()),
            ("Error: Race reported between Write access at k and Read access at k", "Race reported - 1", "racecheck", RACECHECK),
        ):
            status, output, log = self.check(says, *options)
            self.assertNotEqual(status, 0)
            self.assertIn(found, output)
            self.assertIn(f"tool: {tool}", log)

    def test_without_an_error_of_the_tool_the_test_decides(self):
        self.assertEqual(self.check("ERROR SUMMARY: 0 errors")[0], 0)

    def test_tests_that_need_a_device_have_the_label_but_the_one_that_loses_it(self):
        build = PROGRAM.parent
        if not (build / "tests/cfdmark_cuda_tests").exists():
            self.skipTest("built without CUDA")
        listed = subprocess.run(["ctest", "-N", "-L", "gpu"], cwd=build, capture_output=True, text=True, check=True).stdout
        self.assertIn("every cuda method computes its kernel, fp64", listed)
        self.assertIn("a step reports its registers and occupancy, and takes time", listed)
        self.assertNotIn("a device that is lost in the middle of a run", listed)
        self.assertNotIn("without NVML no device is found", listed)


if __name__ == "__main__":
    unittest.main()

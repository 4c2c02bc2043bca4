"""The suite under compute-sanitizer, with a stand-in for it that prints the given messages."""

import os
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM

from trials import memcheck
from trials.memcheck import Memcheck, Test

# Its last argument is what the test would do; the words before it are the tool's.
STAND_IN = """#!/bin/bash
while [[ $1 == --* ]]; do [[ $1 == --log-file ]] && log=${2//%p/$$}; shift 2; done
printf '========= COMPUTE-SANITIZER\\n%s\\n' "$SAYS" >"$log"
exec "$@"
"""
CLEAN = "========= ERROR SUMMARY: 0 errors"
WRONG = "========= Invalid __global__ read of size 8 bytes\n=========     at cells_plain\n========= ERROR SUMMARY: 3 errors"


class Outcomes(unittest.TestCase):
    def outcome(self, says: str, *command: str, seconds: float = 60) -> memcheck.Outcome:
        with tempfile.TemporaryDirectory() as folder:
            stand_in = Path(folder) / "compute-sanitizer"
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
            os.environ["SAYS"] = says
            return Memcheck(str(stand_in), "memcheck", seconds, Path(folder)).run((0, Test("t", list(command), None)))

    def faults(self, *outcomes: memcheck.Outcome) -> list[str]:
        return memcheck.findings_of(list(outcomes), {}).faults

    def test_errors_are_a_fault_with_their_words_though_the_test_passes(self):
        outcome = self.outcome(WRONG, "true")
        self.assertEqual((outcome.errors, outcome.passed), (3, True))
        self.assertIn("Invalid __global__ read", self.faults(outcome)[0])

    def test_errors_of_a_process_that_was_killed_count_though_it_wrote_no_summary(self):
        self.assertEqual(self.outcome(WRONG.rsplit("\n", 1)[0], "true").errors, 1)

    def test_a_test_that_fails_is_reported_and_is_not_a_memory_fault(self):
        outcome = self.outcome(CLEAN, "false")
        found = memcheck.findings_of([outcome], {})
        self.assertEqual((found.faults, outcome.passed), ([], False))
        self.assertIn("failed without an error", found.remarks[0])

    def test_tests_that_the_time_limit_ends_are_reported(self):
        outcome = self.outcome(CLEAN, "sleep", "30", seconds=0.3)
        self.assertTrue(outcome.cut_off)
        self.assertIn("cut off", memcheck.findings_of([outcome], {}).remarks[0])

    def test_a_tool_that_saw_no_device_has_shown_nothing(self):
        untouched = self.outcome("========= Error: Target application terminated before first instrumented API call", "true")
        self.assertEqual(len(self.faults(untouched)), 1)
        self.assertEqual(self.faults(untouched, self.outcome(CLEAN, "true")), [])

    def test_a_test_that_touches_no_device_is_not_reported_as_failed(self):
        untouched = self.outcome("========= Error: Target application terminated before first instrumented API call", "false")
        self.assertEqual(memcheck.findings_of([untouched, self.outcome(CLEAN, "true")], {}).remarks, [])


class Choice(unittest.TestCase):
    def test_every_test_that_looks_for_a_device_is_run_but_the_one_that_loses_it(self):
        build = PROGRAM.parent
        of_a_device = memcheck.those_of_a_device(build / "tests/cfdmark_cuda_tests")
        if not of_a_device:
            self.skipTest("built without CUDA")
        tests = {test.name: memcheck.why_left_out(test, of_a_device) for test in memcheck.tests_of(build)}
        self.assertEqual(tests["every cuda method computes its kernel, fp64"], "")
        self.assertEqual(tests["a step reports its registers and occupancy, and takes time"], "")
        self.assertIn("on purpose", tests["a device that is lost in the middle of a run is reported as lost"])
        self.assertIn("touch no device", tests["includes run in one direction"])
        self.assertIn("emulate", tests["without NVML no device is found"])


if __name__ == "__main__":
    unittest.main()

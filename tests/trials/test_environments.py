"""A short trial of environments, and what it sees of a program that does not bear them."""

import tempfile
import unittest
from pathlib import Path

from support import PROGRAM

from trials import environments


class Environments(unittest.TestCase):
    def test_odd_environments_end_with_a_word_and_a_status_that_the_help_names(self):
        found = environments.run(PROGRAM, 5, 15)
        self.assertEqual((found.faults, found.tried["environments"]), ([], 15))


class WhatTheTrialSees(unittest.TestCase):
    def faults_of(self, script):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\n" + script)
            program.chmod(0o755)
            return environments.run(program, 5, 10).faults

    def test_a_program_that_bears_everything_has_no_faults(self):
        self.assertEqual(self.faults_of("exit 0"), [])

    def test_a_crash_a_trace_silence_and_colours_are_found_out(self):
        for script, seen in {
            "kill -SEGV $$": "status -11",
            "echo 'Traceback (most recent call last):' >&2; exit 1": "it says 'Traceback (most recent'",
            "echo 'cannot write it: Success'; exit 3": "it says ': Success'",
            "exit 2": "without a word",
            "printf '\\033[1mbold'": "changes colours",
        }.items():
            with self.subTest(script):
                self.assertTrue(any(seen in fault for fault in self.faults_of(script)))

    def test_a_record_that_names_other_threads_than_ran_is_found_out(self):
        line = '{"case":"c","config":{"threads":2},"resources":{"threads":1}}'
        self.assertIn("c ran on 1 threads", str(self.faults_of(f"echo '{line}' > r.jsonl")))


if __name__ == "__main__":
    unittest.main()

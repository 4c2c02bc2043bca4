"""What a program prints arrives, or its status is 3 with one line that says why."""

import subprocess
import sys
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
PROGRAMS = ["plot-solution --help", "plot-flow --help", "published --help", "site --help", "spaces --help"]


class Output(unittest.TestCase):
    def test_output_that_cannot_be_written_ends_with_status_3(self):
        for program in PROGRAMS:
            for nowhere in (">/dev/full", ">&-"):
                with self.subTest(program, nowhere=nowhere):
                    done = subprocess.run(
                        f"exec {sys.executable} {SCRIPTS}/cfdmark {program} {nowhere}",
                        shell=True,
                        stdin=subprocess.DEVNULL,
                        stderr=subprocess.PIPE,
                        text=True,
                        check=False,
                    )
                    self.assertEqual(done.returncode, 3)
                    self.assertRegex(done.stderr, r"^[\w -]+: cannot write to the standard output: [\w ]+\n$")


if __name__ == "__main__":
    unittest.main()

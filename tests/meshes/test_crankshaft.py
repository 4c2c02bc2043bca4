"""`mesh-crankshaft`: a mesh from NetGen, or a reason why there is none."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.meshes import command  # noqa: E402

# Stands for NetGen: the same arguments, output and file.
STAND_IN = """import sys
open(sys.argv[3], "w").write(f"mesh of {sys.argv[1]} up to {sys.argv[2]}")
print('Find points')
print('{"nodes": 4, "cells": 1, "boundary_faces": 4}')
"""


class Crankshaft(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.geometry = self.folder / "cube.geo"
        self.geometry.write_text("algebraic3d\n")
        self.output = self.folder / "cube.msh"

    def run_command(self, *words, python=sys.executable, maker=STAND_IN):
        """Returns the exit status, the standard output and the standard error."""
        script = self.folder / "maker.py"
        script.write_text(maker)
        out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
        found = mock.patch.object(command, "python_with_netgen", return_value=python)
        with mock.patch.object(command, "MAKER", script), found:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = command.main(list(map(str, words)))
        out.seek(0)
        return status, out.read(), err.getvalue()

    def test_the_mesh_is_written_and_counted(self):
        status, out, _ = self.run_command("--geometry", self.geometry, "--maxh", "0.5", "--output", self.output)
        self.assertEqual(status, 0)
        self.assertEqual(self.output.read_text(), f"mesh of {self.geometry.resolve()} up to 0.5")
        self.assertIn("4 nodes, 1 cells, 4 boundary faces", out)

    def test_without_netgen_it_is_skipped_with_a_reason(self):
        with mock.patch.object(command.subprocess, "run", return_value=mock.Mock(returncode=1)):
            with self.assertRaisesRegex(command.Skipped, "apt install python3-netgen"):
                command.python_with_netgen()

    def test_without_the_geometry_of_the_crankshaft_it_is_skipped_with_a_reason(self):
        with mock.patch.object(command, "SHAFT", self.folder / "absent.geo"):
            status, _, err = self.run_command("--geometry", self.folder / "absent.geo")
        self.assertEqual(status, command.SKIPPED)
        self.assertRegex(err, "skipped: .*absent.geo is missing; on Debian: apt install netgen-doc")

    def test_a_geometry_of_the_user_that_is_missing_is_an_error(self):
        status, _, err = self.run_command("--geometry", self.folder / "absent.geo")
        self.assertEqual(status, 2)
        self.assertIn("absent.geo: there is no such file", err)

    def test_a_failure_of_netgen_is_an_error_with_its_last_line(self):
        status, _, err = self.run_command("--geometry", self.geometry, "--output", self.output, maker="1 / 0\n")
        self.assertEqual(status, 2)
        self.assertIn("NetGen failed with status 1: ZeroDivisionError", err)
        self.assertFalse(self.output.exists())

    def test_an_edge_length_must_be_positive(self):
        for length in ("0", "-1", "nan", "inf", "x"):
            self.assertEqual(self.run_command("--maxh", length)[0], 2)

    def test_the_version_of_netgen_is_the_real_one(self):
        for text, version in (
            ("6.2.2006+really6.2.1905+dfsg-5.1+b1", "6.2.1905"),
            ("6.2.2501+dfsg1-1", "6.2.2501"),
            ("", "unknown"),
        ):
            with mock.patch.object(command.subprocess, "run", return_value=mock.Mock(stdout=text)):
                self.assertEqual(command.netgen_version(), version)


if __name__ == "__main__":
    unittest.main()

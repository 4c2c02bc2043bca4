"""A short trial: compiled device code that is spoiled on disk is compiled again, and never believed."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM

from trials import cache

WAYS = 7  # of spoiling an entry: each once


class Cache(unittest.TestCase):
    def setUp(self):
        if subprocess.run([PROGRAM, "inspect", "--help"], capture_output=True).returncode != 0:
            self.skipTest("built without CUDA")

    def test_no_way_to_spoil_an_entry_changes_what_is_reported_of_the_code(self):
        found = cache.run(PROGRAM, 5, {"spoil": WAYS})
        self.assertEqual((found.faults, found.tried["spoiled entries"]), ([], WAYS))

    def test_full_disks_kills_and_starts_at_once_leave_a_cache_that_works(self):
        found = cache.run(PROGRAM, 5, {"full_disks": 1, "kills": 1, "at_once": 1})
        self.assertEqual(found.faults, [])


class WhatTheTrialSees(unittest.TestCase):
    def test_a_program_that_believes_the_cache_is_found_out(self):
        with tempfile.TemporaryDirectory() as folder:
            believer = Path(folder) / "believer"
            believer.write_text(BELIEVER)
            believer.chmod(0o755)
            found = cache.run(believer, 5, {"spoil": WAYS})
        self.assertTrue(any("cut" in fault for fault in found.faults), found.faults)
        self.assertTrue(any("a file outside the cache was written" in fault for fault in found.faults), found.faults)


# Keeps its answer, prints whatever it finds, and writes to what lies there.
BELIEVER = """#!/usr/bin/env python3
import os, sys
folder = os.path.join(os.environ["CFDMARK_CACHE_DIR"], "nvrtc")
os.makedirs(folder, mode=0o700, exist_ok=True)
entry = os.path.join(folder, sys.argv[-1])
if not os.path.isfile(entry) or os.path.islink(entry):
    if os.path.exists(entry) and not os.path.isfile(entry):
        os.remove(entry)
    with open(entry, "w") as file:
        file.write("right " + sys.argv[-1] + "\\\\n")
        if os.path.islink(entry):
            file.write("and more")
with open(entry, errors="replace") as file:
    print(file.read())
"""

if __name__ == "__main__":
    unittest.main()

"""The parts of the GPU trials that need no GPU: they say why they cannot run, and tell apart what is a fault and what is not."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, ROOT

from trials import gpu, stops


class Gpu(unittest.TestCase):
    def test_without_a_gpu_they_are_refused_with_the_reason(self):
        hidden = os.environ | {"CUDA_VISIBLE_DEVICES": "-1"}
        command = [sys.executable, ROOT / "tests/trials/run", "gpu", "--program", PROGRAM]
        done = subprocess.run(command, capture_output=True, text=True, env=hidden, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "trials: no GPU can be used: .+")

    def test_a_case_that_went_wrong_must_be_reported_and_have_no_time_and_the_others_must_be_sound(self):
        sound = {"type": "record", "name": "copy", "status": "ok", "time": {}}
        hung = {"type": "record", "name": "triad", "status": "timeout", "reason": "timeout: preparing took longer than 4.00 s"}
        for lines, faults in (
            ([sound] * 4 + [hung] * 2, 0),
            ([sound] * 3 + [hung] * 2, 1),  # one is missing
            ([sound] * 3 + [sound | {"status": "error"}] + [hung] * 2, 1),
            ([sound] * 4 + [hung, hung | {"status": "ok"}], 1),
            ([sound] * 4 + [hung, hung | {"time": {}}], 1),
        ):
            with tempfile.TemporaryDirectory() as folder:
                trial = gpu.Gpu.__new__(gpu.Gpu)
                trial.folder, trial.found = Path(folder), gpu.Findings()
                text = "\n".join(json.dumps(line | {"case": str(n)}) for n, line in enumerate(lines))
                trial.output("hang").write_text(text + "\n")
                trial.only_the_faulty("hang", "timeout", "took longer than 4")
                self.assertEqual(len(trial.found.faults), faults, trial.found.faults)

    def test_a_process_that_ended_is_not_alive_and_this_one_is(self):
        child = subprocess.Popen(["true"])
        while gpu.is_alive(child.pid):
            pass  # until it is a zombie
        child.wait()
        self.assertFalse(gpu.is_alive(child.pid))
        self.assertTrue(gpu.is_alive(os.getpid()))

    def test_the_newest_record_of_a_case_counts_and_half_a_line_does_not(self):
        lines = [{"type": "record", "case": "a", "status": status} for status in ("ok", "crashed")]
        text = "\n".join(map(json.dumps, lines)) + '\n{"type": "record", "case": "b", "sta'
        self.assertEqual(stops.newest_records(text.encode()), {"a": lines[1]})


if __name__ == "__main__":
    unittest.main()

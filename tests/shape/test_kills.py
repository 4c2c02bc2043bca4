"""A search that is killed at random moments goes on, loses no evaluation, and ends as one that was not killed."""

import os
import random
import subprocess
import time
import unittest

from support import PROGRAM, QUICK, ShapeCase, evaluations, has_optimiser, lines_of

KILLS = int(os.environ.get("CFDMARK_KILLS", "12"))


def results_of(path) -> list[tuple]:
    """Returns what a search found, without times and without the order in which flows of a batch ended."""
    keys = ("purpose", "generation", "parameters", "offset", "status", "objective", "drag", "lift", "iterations")
    return sorted(str([e.get(key) for key in keys]) for e in evaluations(path))


@unittest.skipUnless(has_optimiser(), "this build has no pagmo")
class Kills(ShapeCase):
    def test_a_search_killed_at_random_moments_ends_as_an_unkilled_one_and_solves_nothing_twice(self):
        self.kill_and_compare(QUICK + "until: {evaluations: 60}\n", KILLS)

    def test_the_same_holds_for_flows_that_start_from_the_nearest_one_and_are_stopped_early(self):
        text = QUICK + "start: nearest\nstop: {margin: 0.5 %, audit: 20 %}\nuntil: {evaluations: 60}\n"
        self.kill_and_compare(text, KILLS // 2)

    def kill_and_compare(self, text: str, kills: int):
        file = self.file(text)
        started = time.monotonic()
        self.assertEqual(self.ran(file, "--output", "whole.jsonl").returncode, 0)
        took = time.monotonic() - started
        killed, chance = self.folder / "killed.jsonl", random.Random(1)
        kept, cut_off = 0, 0
        for _ in range(kills):
            search = subprocess.Popen([PROGRAM, "shape", file, "--output", killed], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.05, 0.5) * took)
            cut_off += search.poll() is None
            search.kill()
            search.wait()
            now = len(lines_of(killed)) if killed.exists() else 0
            self.assertGreaterEqual(now, kept, "an evaluation was lost")
            kept = now
        self.assertGreater(cut_off, 1)
        self.assertEqual(self.ran(file, "--output", killed).returncode, 0)
        self.assertEqual(results_of(killed), results_of(self.folder / "whole.jsonl"))

    def test_ctrl_c_ends_with_130_and_says_how_to_go_on(self):
        file = self.file(QUICK + "until: {evaluations: 5000}\n")
        search = subprocess.Popen([PROGRAM, "shape", file, "--output", "e.jsonl"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        while len(evaluations(self.folder / "e.jsonl") if (self.folder / "e.jsonl").exists() else []) < 5:
            time.sleep(0.05)
        search.send_signal(2)
        out, _ = search.communicate(timeout=60)
        self.assertEqual(search.returncode, 130)
        self.assertIn("the same command continues", out)


if __name__ == "__main__":
    unittest.main()

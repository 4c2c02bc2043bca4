"""What is kept under results/ was measured with programs that anybody can build again, of clean commits; and an
experiment on one machine."""

import json
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from support import RESULTS, ROOT, machines_of, why_not_clean

from cfdmark.records.records import Record


def kept() -> list[Path]:
    """Records, histories and tuned tables."""
    return sorted([*RESULTS.rglob("*.jsonl"), *RESULTS.glob("tuned/*/*.json")])


class CleanCommits(unittest.TestCase):
    maxDiff = None

    def test_there_is_something_to_look_at(self):
        self.assertGreater(len(kept()), 10)

    def test_every_kept_number_is_of_a_clean_commit(self):
        unclean = {p.relative_to(RESULTS).as_posix(): why for p in kept() if (why := why_not_clean(p))}
        self.assertEqual(unclean, {})


class OneMachine(unittest.TestCase):
    """A comparison with published numbers mixes no two machines, so records of a second one would be lost in it."""

    def test_every_kept_experiment_is_of_one_machine(self):
        experiments = [p for p in kept() if p.parent.name == "reproduce"]
        self.assertGreater(len(experiments), 10)
        several = {p.relative_to(RESULTS).as_posix(): found for p in experiments if len(found := machines_of(p)) != 1}
        self.assertEqual(several, {})


def cases_in(path: Path) -> list[str]:
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [line["case"] for line in lines if line["type"] == "record"]


class Size(unittest.TestCase):
    def twice(self, cases: list[str]) -> list[str]:
        return [case for case, count in Counter(cases).items() if count > 1]

    def test_a_device_s_runs_hold_each_case_once_and_so_does_each_experiment(self):
        devices = sorted({path.parent for path in RESULTS.glob("*/*.jsonl")} - {RESULTS / "history"})
        self.assertGreater(len(devices), 1)
        for device in devices:
            cases = [case for path in device.glob("*.jsonl") for case in cases_in(path)]
            self.assertEqual(self.twice(cases), [], device.name)
            for path in device.glob("reproduce/*.jsonl"):
                self.assertEqual(self.twice(cases_in(path)), [], path.name)

    def test_all_that_is_kept_takes_at_most_15_megabytes_and_no_file_more_than_one(self):
        sizes = [path.stat().st_size for path in RESULTS.rglob("*") if path.suffix in (".json", ".jsonl", ".md", ".yaml", ".svg")]
        self.assertLessEqual(sum(sizes), 15e6)
        self.assertLess(max(sizes), 2**20)


class SubnormalNumbers(unittest.TestCase):
    """An Intel host that does not flush subnormal numbers takes up to nine times as long for flows from rest."""

    FLUSHES = "9283bdc9"  # the first commit whose hosts flush them
    FLOWS = {"simple", "piso", "projection"}

    def git(self, *words: str) -> int:
        try:
            return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False).returncode
        except OSError:
            self.skipTest("there is no git here")

    def slowed(self, path: Path) -> set[str]:
        """The commits of programs whose flow records on an Intel host may be slowed."""
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        of = {line["id"]: line for line in lines if line["type"] == "environment"}
        hosts = [
            of[line["environment"]]
            for line in lines
            if line["type"] == "record" and line["name"] in self.FLOWS and Record(line).on_host
        ]
        return {e["program"]["commit"] for e in hosts if "Intel" in e["host"].get("cpu", "")}

    def test_no_kept_flow_of_an_intel_host_is_of_a_program_that_does_not_flush_them(self):
        if self.git("cat-file", "-e", f"{self.FLUSHES}^{{commit}}"):
            self.skipTest("the repository does not hold that commit")
        flows = {path.name: self.slowed(path) for path in RESULTS.rglob("*.jsonl") if path.parent.name != "history"}
        found = {(name, c) for name, commits in flows.items() for c in commits}
        self.assertNotEqual(found, set())
        slow = {pair for pair in found if self.git("merge-base", "--is-ancestor", self.FLUSHES, pair[1])}
        self.assertEqual(slow, set())


class WhatIsClean(unittest.TestCase):
    def why(self, *lines: dict, name: str = "run.jsonl") -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
            return why_not_clean(path)

    def environment(self, **program) -> dict:
        return {"type": "environment", "id": "e", "program": program}

    def test_a_run_of_a_clean_commit(self):
        record = {"type": "record", "environment": "e"}
        self.assertEqual(self.why(self.environment(commit="abc", dirty=False), record), "")

    def test_not_a_run_one_of_whose_starts_was_dirty_or_does_not_say(self):
        clean = self.environment(commit="abc", dirty=False)
        for other in ({"commit": "abc", "dirty": True}, {"commit": "abc"}, {}):
            self.assertTrue(self.why(clean, self.environment(**other)), other)

    def test_not_a_record_of_a_program_that_the_file_does_not_tell(self):
        clean = self.environment(commit="abc", dirty=False)
        self.assertTrue(self.why(clean, {"type": "record", "environment": "another"}))

    def test_not_a_history_with_a_dirty_point(self):
        points = [{"type": "point", "commit": "abc", "dirty": dirty} for dirty in (False, True)]
        self.assertEqual(self.why(points[0]), "")
        self.assertTrue(self.why(*points))

    def test_not_a_tuned_table_with_an_entry_that_does_not_say(self):
        clean, unknown = ({"program": {"commit": "abc", **more}} for more in ({"dirty": False}, {}))
        self.assertEqual(self.why({"entries": [clean]}, name="tuned.json"), "")
        self.assertTrue(self.why({"entries": [clean, unknown]}, name="tuned.json"))


if __name__ == "__main__":
    unittest.main()

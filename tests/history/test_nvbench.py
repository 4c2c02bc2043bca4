"""Others' benchmarks in a history: what nvbench writes."""

import copy
import json
import struct
import unittest

from support import HistoryCase, commit_of

VERSION = {"json": {"major": 1, "minor": 0, "patch": 0, "string": "1.0.0"}, "nvbench": {"string": "0.1.0"}}


def summary(tag: str, **values) -> dict:
    """Numbers stand in text."""
    return {"tag": tag, "data": [{"name": name, "value": str(value)} for name, value in values.items()]}


def state(mean: float, block: int, device: int = 0, **more) -> dict:
    return {
        "name": f"Device={device} Block={block}",
        "device": device,
        "axis_values": [{"name": "Block", "type": "int64", "value": str(block)}],
        "summaries": [summary("nv/cold/sample_size", value=100), summary("nv/cold/time/gpu/mean", value=mean)],
        "is_skipped": False,
        **more,
    }


def file_of(*states: dict, **changes) -> dict:
    device = {"name": "Test GPU", "sm_version": 900, "number_of_sms": 132, "global_memory_size": 85899345920}
    whole = {
        "meta": {"argv": ["./flux"], "version": VERSION},
        "devices": [{"id": 0, **device}, {"id": 1, **device, "name": "Other GPU"}],
        "benchmarks": [{"name": "flux", "index": 0, "axes": [], "states": list(states)}],
    }
    return {**whole, **changes}


class Nvbench(HistoryCase):
    def add(self, content: dict):
        path = self.scratch / "theirs.json"
        path.write_text(json.dumps(content, indent=2), encoding="utf-8")
        return self.history("add", path, "--commit", commit_of(1))

    def points(self) -> list[dict]:
        return [line for line in self.lines() if line["type"] == "point"]

    def test_a_state_is_a_case_named_by_its_axes_and_its_mean_is_one_sample(self):
        status, _, err = self.add(file_of(state(1.25e-5, 64), state(2.5e-5, 128)))
        self.assertEqual((status, err), (0, ""))
        found = {p["case"]: p for p in self.points()}
        self.assertEqual(list(found), ["flux/Block=64", "flux/Block=128"])
        self.assertEqual((found["flux/Block=64"]["median"], found["flux/Block=64"]["samples"]), (1.25e-5, 1))
        self.assertEqual(found["flux/Block=64"]["device"], "Test GPU")
        self.assertNotIn("ci_low", found["flux/Block=64"])

    def test_the_file_of_samples_next_to_it_gives_each_of_them(self):
        (self.scratch / "theirs.json-bin").mkdir()
        (self.scratch / "theirs.json-bin/0.bin").write_bytes(struct.pack("<7f", *(n * 1e-3 for n in range(1, 8))))
        beside = summary("nv/json/bin:nv/cold/sample_times", filename="theirs.json-bin/0.bin", size=7)
        one = state(9.0, 64)
        one["summaries"].append(beside)
        self.add(file_of(one))
        (point,) = self.points()
        self.assertEqual(point["samples"], 7)
        self.assertAlmostEqual(point["median"], 4e-3)
        self.assertLess(point["ci_low"], point["ci_high"])

    def test_without_that_file_the_mean_counts_and_that_is_reported(self):
        one = state(1e-3, 64)
        one["summaries"].append(summary("nv/json/bin:nv/cold/sample_times", filename="gone/0.bin", size=7))
        status, _, err = self.add(file_of(one))
        self.assertEqual(status, 0)
        self.assertIn("1 files of samples are missing next to it, the first gone/0.bin of flux/Block=64: their means count as one", err)
        self.assertEqual(self.points()[0]["samples"], 1)

    def test_states_on_two_devices_are_two_cases(self):
        self.add(file_of(state(1e-3, 64), state(2e-3, 64, device=1)))
        self.assertEqual(
            {p["case"]: p["device"] for p in self.points()},
            {"flux/Block=64/device=0": "Test GPU", "flux/Block=64/device=1": "Other GPU"},
        )

    def test_what_runs_on_the_host_alone_is_read_too(self):
        one = {**state(0, 64), "device": None, "summaries": [summary("nv/cpu_only/time/cpu/mean", value=0.5)]}
        self.assertEqual(self.add(file_of(one, devices=None))[0], 0)
        self.assertEqual(self.points()[0]["median"], 0.5)

    def test_a_skipped_state_leaves_no_point(self):
        self.add(file_of(state(1e-3, 64), state(0, 128, is_skipped=True, summaries=None, skip_reason="too large")))
        self.assertEqual([p["case"] for p in self.points()], ["flux/Block=64"])

    def test_what_cannot_be_used_is_named_with_its_field(self):
        newer = copy.deepcopy(file_of(state(1e-3, 64)))
        newer["meta"]["version"]["json"]["major"] = 2
        unversioned = file_of(state(1e-3, 64))
        del unversioned["meta"]["version"]
        for content, words in (
            (newer, "theirs.json: `meta.version.json.major` is 2: this program reads version 1"),
            (unversioned, "`meta.version.json.major` is null: this program reads version 1"),
            (file_of(benchmarks=[{"name": "flux", "states": "none"}]), "`benchmarks[flux].states` is not a list"),
            (file_of(benchmarks=[{"states": []}]), "`benchmarks[0].name` is missing or no text"),
            (file_of(benchmarks=None), "it holds no benchmark"),
            ({"benchmarks": []}, "neither `context`, as Google Benchmark writes it, nor `meta`, as nvbench does"),
        ):
            with self.subTest(words):
                status, _, err = self.add(content)
                self.assertEqual(status, 2)
                self.assertIn(words, err)

    def test_an_odd_state_is_wrong_by_name_and_the_others_are_remembered(self):
        cut = state(1e-3, 64)
        cut["summaries"].append(summary("nv/json/bin:nv/cold/sample_times", filename="cut.bin", size=7))
        endless = state(1e-3, 64)
        endless["summaries"].append(summary("nv/json/bin:nv/cold/sample_times", filename="cut.bin", size=10**12))
        for odd, words in (
            (state("soon", 64), "`nv/cold/time/gpu/mean` is 'soon': expected a number"),
            (state(float("nan"), 64), "`nv/cold/time/gpu/mean` is nan, which is not a time"),
            (state(0, 64), "is 0.0, which is not a time"),
            (state(1e-3, 64, summaries=None), "its summaries have none of"),
            (cut, "cut.bin: it has 5 bytes where 7 samples of 4 bytes are announced"),
            (endless, "1000000000000 samples are announced in cut.bin"),
        ):
            with self.subTest(words):
                self.setUp()
                (self.scratch / "cut.bin").write_bytes(b"\0" * 5)
                status, _, err = self.add(file_of(state(1e-3, 32), odd))
                self.assertEqual(status, 0)
                self.assertIn("flux/Block=64 is stored without a time: ", err)
                self.assertIn(words, err)
                self.assertEqual([p["status"] for p in self.points()], ["ok", "error"])

    def test_two_states_of_one_name_are_distinguished(self):
        _, _, err = self.add(file_of(state(1e-3, 64), state(2e-3, 64)))
        self.assertEqual({p["case"]: p["median"] for p in self.points()}, {"flux/Block=64": 1e-3, "flux/Block=64 #2": 2e-3})
        self.assertIn("2 benchmarks are called flux/Block=64", err)


if __name__ == "__main__":
    unittest.main()

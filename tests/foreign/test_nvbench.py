"""nvbench's files of every version, and their files of samples."""

import os
import struct
import unittest

from support import ForeignCase

VERSION = {"json": {"major": 1, "minor": 0, "patch": 0}, "nvbench": {"string": "0.1.0"}}
GPU = {"id": 0, "name": "Test GPU", "sm_version": 900, "number_of_sms": 132, "global_memory_size": 8 << 30}
TAG = "nv/json/bin:nv/cold/sample_times"


def value(text: str, kind: str = "float64") -> dict:
    return {"type": kind, "value": text}


def data(**values) -> list[dict]:
    return [{"name": name, **value(str(text))} for name, text in values.items()]


def state(*summaries: dict, **more) -> dict:
    axes = [{"name": "Block", "type": "int64", "value": "64"}]
    return {"name": "Device=0 Block=64", "device": 0, "axis_values": axes, "summaries": list(summaries), "is_skipped": False, **more}


def mean(seconds: float) -> dict:
    return {"tag": "nv/cold/time/gpu/mean", "data": data(value=seconds)}


def samples(**values) -> dict:
    return {"tag": TAG, "name": "Sample Times File", "hint": "file/sample_times", "data": data(**values)}


def file_of(*states: dict, **changes) -> dict:
    benchmarks = [{"name": "flux", "index": 0, "axes": None, "states": list(states) or None}]
    return {"meta": {"argv": ["./flux"], "version": VERSION}, "devices": [GPU], "benchmarks": benchmarks, **changes}


class Versions(ForeignCase):
    def test_lists_of_2021_with_values_and_other_names(self):
        summaries = [{"index": 0, "name": "Average GPU Time (Cold)", "values": [{"name": "value", **value(5e-8)}]}]
        axes = [{"name": "Block", "type": "int64", "value": 64}]
        states = [{"index": 0, "device": 0, "axis_values": axes, "summaries": summaries, "is_skipped": False}]
        whole = {"devices": [GPU], "benchmarks": [{"index": 0, "name": "flux", "axes": None, "states": states}]}
        self.assertEqual(self.times(whole), {"flux/Block=64": [50]})

    def test_objects_by_name_of_2021(self):
        for name, inside in (
            ("Average GPU Time (Cold)", {"values": {"value": value("5e-08")}}),
            ("nv/cold/time/gpu/mean", {"name": value("GPU Time", "string"), "value": value("5e-08")}),
        ):
            one = {"device": 0, "axis_values": {"Block": value("64", "int64")}, "summaries": {name: inside}, "is_skipped": False}
            skipped = {"device": 0, "axis_values": {"Block": value("128", "int64")}, "is_skipped": True, "skip_reason": "too large"}
            states = {"Device=0 Block=64": one, "Device=0 Block=128": skipped}
            found = self.cases({"devices": [GPU], "benchmarks": [{"name": "flux", "axes": None, "states": states}]})
            self.assertEqual({name: b.status for name, b in found.items()}, {"flux/Block=64": "ok", "flux/Block=128": "not_run"})
            self.assertEqual(found["flux/Block=64"].samples, (5e-8,))

    def test_lists_that_are_empty_are_null(self):
        self.assertEqual(self.times(file_of(state(mean(5e-8), axis_values=None))), {"flux": [50]})
        both = [{"name": "none", "states": None}, {"name": "flux", "states": [state(mean(5e-8))]}]
        self.assertEqual(self.times(file_of(benchmarks=both)), {"flux/Block=64": [50]})
        self.assertEqual(self.cases(file_of(state(mean(5e-8)), devices=None))["flux/Block=64"].place.name, "unknown processor")
        self.refuses(file_of(), "it holds no benchmark")
        self.refuses(file_of(benchmarks=None), "it holds no benchmark")

    def test_a_list_of_benchmarks_is_no_result(self):
        self.refuses({"benchmarks": [{"name": "flux", "index": 0, "axes": []}]}, "expected results, not a list of names")

    def test_what_else_was_measured_is_kept_for_who_passes_it_on(self):
        rate = {"tag": "nv/cold/bw/item_rate", "data": data(value="inf")}
        share = {"tag": "nv/cold/bw/global/utilization", "data": data(value=0.5)}
        found = self.cases(file_of(state(mean(5e-8), rate, share)))["flux/Block=64"].counters
        self.assertEqual(found, {"nv/cold/time/gpu/mean": 5e-8, "nv/cold/bw/global/utilization": 0.5})


class SampleFiles(ForeignCase):
    def write(self, place: str, count: int = 4) -> None:
        path = self.scratch / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(struct.pack(f"<{count}f", *(n * 1e-6 for n in range(1, count + 1))))

    def found(self, name: str, count: int = 4) -> tuple[int, list[str]]:
        """How many samples are read, and the warnings."""
        results = self.read(file_of(state(samples(filename=name, size=count), mean(9e-9))))
        return len(results.benchmarks[0].samples), results.warnings

    def test_a_name_relative_to_another_folder_or_absolute_is_found_next_to_the_file(self):
        self.write("run.json-bin/0.bin")
        for name in ("run.json-bin/0.bin", "out/perf/run.json-bin/0.bin", "/home/else/run.json-bin/0.bin", "..\\w\\run.json-bin\\0.bin"):
            with self.subTest(name):
                self.assertEqual(self.found(name), (4, []))

    def test_where_the_file_and_its_folder_were_renamed_together_they_are_found(self):
        self.write("theirs.json-bin/0.bin")
        self.assertEqual(self.found("run.json-bin/0.bin"), (4, []))

    def test_what_lies_elsewhere_is_not_opened(self):
        folder = self.scratch.parent / f"{self.scratch.name}-outside"
        folder.mkdir()
        self.addCleanup(lambda: [(folder / "0.bin").unlink(), folder.rmdir()])
        (folder / "0.bin").write_bytes(b"\0\0\0\0" * 4)
        for name in (f"{folder}/0.bin", f"../{folder.name}/0.bin", "/dev/zero", "..", "/", "a\0b"):
            with self.subTest(name):
                count, warnings = self.found(name)
                self.assertEqual(count, 1)
                self.assertIn("1 files of samples are missing next to it", warnings[0])

    def test_only_a_regular_file_is_read(self):
        (self.scratch / "run.json-bin").mkdir()
        os.mkfifo(self.scratch / "run.json-bin/0.bin")
        os.symlink("/dev/zero", self.scratch / "run.json-bin/1.bin")
        os.mkdir(self.scratch / "run.json-bin/2.bin")
        for n in range(3):
            self.assertEqual(self.found(f"run.json-bin/{n}.bin")[0], 1)

    def test_a_file_that_could_not_be_written_leaves_the_mean_and_is_named(self):
        for summary in ({"tag": TAG, "name": "Sample Times File"}, {"tag": TAG, "data": None}):
            results = self.read(file_of(state(summary, mean(9e-9))))
            self.assertEqual(len(results.benchmarks[0].samples), 1)
            self.assertIn("that of flux/Block=64, which nvbench could not write", results.warnings[0])

    def test_a_file_of_another_length_makes_its_state_wrong_alone(self):
        self.write("run.json-bin/0.bin", 3)
        odd = state(samples(filename="run.json-bin/0.bin", size=4), mean(9e-9))
        found = self.cases(file_of(odd, state(mean(5e-8), axis_values=None)))
        self.assertEqual((found["flux/Block=64"].status, found["flux"].status), ("error", "ok"))
        self.assertIn("it has 12 bytes where 4 samples of 4 bytes are announced", found["flux/Block=64"].reason)


if __name__ == "__main__":
    unittest.main()

"""T1 and T4 satisfy their public schemas and agree with the space that they came from."""

import contextlib
import io
import itertools
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support

from cfdmark.export import command, formats, kernel_tuner
from cfdmark.records.records import BadInput


class T1(unittest.TestCase):
    def setUp(self):
        self.t1 = formats.t1(support.space())

    def test_has_what_its_schema_requires_in_the_types_and_words_that_it_allows(self):
        kernel, general = self.t1["KernelSpecification"], self.t1["General"]
        languages = ("OpenCL", "CUDA", "Vulkan")
        self.assertIn(kernel["Language"], languages)
        self.assertIn(kernel["GlobalSizeType"], languages)
        self.assertEqual((kernel["KernelName"], kernel["KernelFile"]), ("jacobi", "kernels/jacobi/jacobi.cu"))
        self.assertEqual(kernel["GlobalSize"], {"X": "64", "Y": "32", "Z": "1"})
        self.assertEqual(kernel["LocalSize"], {"X": "block_x", "Y": "1", "Z": "1"})
        self.assertEqual((kernel["ProblemSize"], kernel["Device"], kernel["Arguments"]), ([64, 32], {"Name": "NVIDIA H200"}, []))
        self.assertEqual(self.t1["Search"], {"Name": "brute_force"})
        self.assertNotIn("SimulationInput", kernel)
        for parameter in self.t1["ConfigurationSpace"]["TuningParameters"]:
            self.assertIn(parameter["Type"], ("int", "uint", "float", "bool", "string"))
            self.assertIsInstance(parameter["Name"], str)
            self.assertIsInstance(parameter["Values"], str)
        for condition in self.t1["ConfigurationSpace"]["Conditions"]:
            self.assertIsInstance(condition["Parameters"], list)
            self.assertIsInstance(condition["Expression"], str)
        self.assertIsInstance(general["FormatVersion"], int)
        self.assertIn(general["TimeUnit"], ("Nanoseconds", "Microseconds", "Milliseconds", "Seconds"))

    def test_values_and_condition_are_the_recorded_configs_in_what_any_python_reads(self):
        found = self.t1["ConfigurationSpace"]
        values = [(p["Name"], p["Values"], p["Default"]) for p in found["TuningParameters"]]
        self.assertEqual(
            values,
            [
                ("method", "['column', 'plain']", "plain"),
                ("block_x", "[32, 64, 128]", 64),
                ("cells", "[0, 4]", 0),
            ],
        )
        self.assertEqual(
            found["Conditions"][0]["Expression"],
            "(method, block_x, cells,) in "
            "[('column', 64, 4,), ('plain', 32, 0,), ('plain', 64, 0,), ('plain', 128, 0,)]",
        )

    def test_holds_words_and_real_numbers_as_they_are_and_none_where_a_method_lacks_them(self):
        space = support.space()
        settings = ({"gap": 0.5, "order": "rows"}, {"gap": 1.5}, {"gap": 0.7}, {"gap": 1.0})
        for candidate, config in zip(space["candidates"], settings):
            candidate["config"] = config
        _, gap, order = formats.t1(space)["ConfigurationSpace"]["TuningParameters"]
        self.assertEqual((gap["Type"], gap["Values"]), ("float", "[0.5, 0.7, 1.0, 1.5]"))
        self.assertEqual((order["Type"], order["Values"]), ("string", "['', 'rows']"))
        results = formats.t4(space)["results"]
        self.assertEqual(results[0]["configuration"], {"method": "column", "gap": 0.5, "order": "rows"})
        self.assertEqual(results[1]["configuration"]["order"], "")

    def test_sorts_numbers_before_words(self):
        space = support.space()
        for candidate, omega in zip(space["candidates"], ("optimal", 1.5, 1.25, "optimal")):
            candidate["config"] = {"omega": omega}
        omega = formats.t1(space)["ConfigurationSpace"]["TuningParameters"][1]
        self.assertEqual((omega["Type"], omega["Values"]), ("string", "[1.25, 1.5, 'optimal']"))

    def test_names_the_kernel_s_file_where_kernel_tuner_looks_for_it(self):
        """Which ends where the file is not there: seen from the T1 file's folder."""
        space = {**support.space(), "kernel_file": "kernels/jacobi/jacobi.hpp"}
        for folder in (Path(), Path("out"), Path("/tmp/elsewhere"), support.ROOT / "out"):
            named = formats.t1(space, folder)["KernelSpecification"]["KernelFile"]
            self.assertTrue((folder.resolve() / named).resolve().samefile(support.ROOT / space["kernel_file"]))

    def test_knows_no_language_of_a_host_and_says_so(self):
        with self.assertRaisesRegex(BadInput, "CUDA, OpenCL and Vulkan only"):
            formats.t1(support.space("openmp"))
        self.assertEqual(len(formats.t4(support.space("openmp"))["results"]), 4)

    def test_a_space_on_a_mesh_is_refused_since_problem_sizes_are_those_of_grids(self):
        space = support.space()
        for candidate in space["candidates"]:
            candidate["mesh"] = "triangles-8x8"
            del candidate["grid"]
        with self.assertRaisesRegex(BadInput, "cannot be written as T1: its problem sizes"):
            formats.t1(space)
        self.assertEqual(len(formats.t4(space)["results"]), 4)


class T4(unittest.TestCase):
    def setUp(self):
        self.t4 = formats.t4(support.space())

    def test_has_what_its_schema_requires_for_every_result(self):
        self.assertRegex(self.t4["schema_version"], r"^\d+\.\d+\.\d+$")
        metadata = self.t4["metadata"]
        self.assertEqual((metadata["timeunit"], metadata["compute_api"]), ("seconds", "CUDA"))
        self.assertEqual((metadata["device"], metadata["autotuner_version"]), ("NVIDIA H200", "1.2.3"))
        self.assertEqual(len(self.t4["results"]), 4)
        allowed = ("timeout", "compile", "runtime", "correctness", "constraints", "correct")
        for result in self.t4["results"]:
            self.assertIsInstance(result["configuration"], dict)
            self.assertIn(result["invalidity"], allowed)
            self.assertEqual(result["correctness"], int(result["invalidity"] == "correct"))
            for part in ("compilation_time", "framework", "search_algorithm", "validation"):
                self.assertIsInstance(result["times"][part], float)
            self.assertIsInstance(result["times"]["runtimes"], list)
            self.assertEqual(result["objectives"], ["time"])
            for measurement in result["measurements"]:
                self.assertEqual(set(measurement), {"name", "value", "unit"})

    def test_says_how_each_config_ended_and_what_it_took(self):
        results = self.t4["results"]
        self.assertEqual(results[0]["configuration"], {"method": "column", "block_x": 64, "cells": 4})
        self.assertEqual(results[0]["times"]["runtimes"], [2.0, 3.0, 4.0])
        self.assertEqual(results[0]["measurements"][0]["value"], 3.0)
        self.assertEqual(results[0]["times"]["compilation_time"], 0.5)
        self.assertEqual(results[0]["timestamp"], "2026-01-01T00:00:00Z")
        self.assertEqual((results[1]["invalidity"], results[1]["configuration"]["cells"]), ("compile", 0))
        self.assertEqual(results[3]["invalidity"], "timeout")


class KernelTunerCache(unittest.TestCase):
    """What its simulation mode looks up: a configuration by its values in the order of the keys, each as text."""

    def setUp(self):
        self.space = support.space()
        self.cache = kernel_tuner.cache(self.space)

    def test_is_of_the_kernel_and_space_of_the_t1_file(self):
        t1 = formats.t1(self.space)
        kernel, parameters = t1["KernelSpecification"], t1["ConfigurationSpace"]["TuningParameters"]
        self.assertEqual(self.cache["kernel_name"], kernel["KernelName"])
        self.assertEqual(self.cache["device_name"], kernel["Device"]["Name"])
        self.assertEqual(self.cache["problem_size"], kernel["ProblemSize"])
        self.assertEqual(self.cache["tune_params_keys"], [p["Name"] for p in parameters])
        self.assertEqual({k: str(v) for k, v in self.cache["tune_params"].items()}, {p["Name"]: p["Values"] for p in parameters})

    def test_has_every_configuration_that_the_t1_file_lets_pass_under_its_key(self):
        names = self.cache["tune_params_keys"]
        condition = formats.t1(self.space)["ConfigurationSpace"]["Conditions"][0]["Expression"]
        passed = [
            values
            for values in itertools.product(*self.cache["tune_params"].values())
            if eval(condition, dict(zip(names, values)))  # as Kernel Tuner does
        ]
        self.assertEqual({",".join(map(str, values)) for values in passed}, set(self.cache["cache"]))
        for key, entry in self.cache["cache"].items():
            self.assertEqual(key, ",".join(str(entry[name]) for name in names))

    def test_times_are_milliseconds_and_what_failed_is_an_error_by_kernel_tuner_s_names(self):
        entries = self.cache["cache"]
        good = entries["column,64,4"]
        self.assertEqual((good["time"], good["times"]), (3000, [2000, 3000, 4000]))
        timings = ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time")
        self.assertEqual([good[name] for name in timings], [500, 250, 9125, 0, 0])
        self.assertEqual(good["timestamp"], "2026-01-01T00:00:00Z")
        self.assertEqual(entries["plain,32,0"]["__error__"], "CompilationFailedConfig")
        self.assertEqual(entries["plain,128,0"]["time"], "RuntimeFailedConfig")

    def test_the_file_ends_as_one_that_kernel_tuner_has_closed(self):
        """Otherwise its reader closes it again."""
        self.assertEqual(command.json_text(self.cache).strip()[-3:], "}\n}")

    def test_spaces_of_a_host_have_one_too(self):
        self.assertEqual(len(kernel_tuner.cache(support.space("openmp"))["cache"]), 4)


class Command(unittest.TestCase):
    def export(self, *words: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            out.reconfigure = lambda **_: None
            with mock.patch("sys.stdin", io.StringIO(json.dumps([support.space()] * 2))):
                self.assertEqual(command.spaces_main(words), 0)

    def test_a_t1_file_names_the_cache_that_is_written_next_to_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.export("--t1", f"{folder}/t1.json", "--cache", f"{folder}/cache.json")
            for end in ("", "-2"):
                t1 = json.loads(Path(folder, f"t1{end}.json").read_text())
                self.assertEqual(t1["KernelSpecification"]["SimulationInput"], f"{folder}/cache{end}.json")
                self.assertTrue(Path(folder, f"cache{end}.json").exists())

    def test_a_file_of_several_spaces_gives_each_its_number(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            out.reconfigure = lambda **_: None
            with mock.patch("sys.stdin", io.StringIO(json.dumps([support.space(), support.space("openmp")]))):
                self.assertEqual(command.spaces_main(["--t4", f"{folder}/space.json"]), 0)
            names = sorted(path.name for path in Path(folder).iterdir())
        self.assertEqual(names, ["space-2.json", "space.json"])


if __name__ == "__main__":
    unittest.main()

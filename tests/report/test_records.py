import unittest
from pathlib import Path

import support
from support import kernel, record_file, solver

from cfdmark.records.records import TRUE_RESIDUAL_FACTOR, BadInput, Record, read_files

CONVERGENCE = Path(__file__).resolve().parents[2] / "solvers/base/convergence.hpp"
ENVIRONMENT_A = {"type": "environment", "id": "a", "host": {"machine": "one"}}
ENVIRONMENT_B = {"type": "environment", "id": "b", "host": {"machine": "two"}}


class Converged(unittest.TestCase):
    def converged(self, config: dict | None = None, **solved) -> bool:
        record = solver([1.0] * 6, 10, solved={"tolerance": 1e-6, **solved})
        return Record(record | {"config": config or {}}).converged

    def test_is_what_the_true_residual_says_whatever_the_solver_claims(self):
        self.assertFalse(self.converged(true_residual=1.6e-6, relative_residual=1e-6, converged=True))
        self.assertTrue(self.converged(true_residual=1.4e-6, relative_residual=1.4e-6, converged=False))

    def test_needs_the_temperature_too_which_the_true_residual_does_not_cover(self):
        self.assertFalse(self.converged(true_residual=1e-7, residuals={"momentum": 1e-7, "heat": 1e-3}))

    def test_is_the_solver_s_word_for_a_flow_that_went_to_an_end_in_time(self):
        self.assertTrue(self.converged(config={"end_time": 100}, true_residual=1e-2, converged=True))
        self.assertTrue(self.converged(true_residual=None, converged=True))

    def test_is_judged_by_the_factor_of_the_program(self):
        self.assertIn(f"true_residual_factor = {TRUE_RESIDUAL_FACTOR};", CONVERGENCE.read_text())


class Reading(unittest.TestCase):
    def test_a_cut_off_last_line_is_named_and_the_rest_kept(self):
        with record_file(kernel(), kernel(backend="cuda"), '{"type": "record", "case": "dot/ser') as path:
            dataset = read_files([path])
            self.assertEqual(len(dataset.records), 2)
            self.assertEqual(len(dataset.warnings), 1)
            self.assertIn(f"{path}:3:", dataset.warnings[0])
            self.assertIn("cut off", dataset.warnings[0])

    def test_garbage_between_good_lines_costs_only_itself(self):
        with record_file(
            "\x00\xff not json\n", kernel(), "[1, 2]\n", '{"type": "weather"}\n', "\n", kernel(backend="cuda")
        ) as path:
            dataset = read_files([path])
            self.assertEqual([r.backend for r in dataset.records], ["serial", "cuda"])
            self.assertEqual([w.split(":")[1] for w in dataset.warnings], ["1", "3", "4"])

    def test_a_later_record_of_a_case_takes_the_place_of_the_earlier(self):
        with record_file(kernel(samples=[2.0, 2.0]), kernel(samples=[1.0, 1.0])) as path:
            (record,) = read_files([path]).records
            self.assertEqual(record.time.value, 1.0)

    def test_a_later_failure_takes_away_the_earlier_time(self):
        with record_file(kernel(), kernel(status="failed", reason="wrong")) as path:
            (record,) = read_files([path]).records
            self.assertIsNone(record.time)

    def test_the_same_case_on_two_machines_is_two_records(self):
        with record_file(
            ENVIRONMENT_A, ENVIRONMENT_B, kernel(environment="a"), kernel(environment="b")
        ) as path:
            dataset = read_files([path])
            self.assertEqual([dataset.where(r) for r in dataset.records], ["serial@A", "serial@B"])

    def test_two_machines_of_one_name_are_two(self):
        hosts = [{"name_hash": "vm", "machine": key} for key in ("one", "two")]
        environments = [ENVIRONMENT_A | {"host": hosts[0]}, ENVIRONMENT_B | {"host": hosts[1]}]
        with record_file(*environments, kernel(environment="a"), kernel(environment="b")) as path:
            dataset = read_files([path])
            self.assertEqual([dataset.where(r) for r in dataset.records], ["serial@A", "serial@B"])

    def test_a_later_run_without_a_gpu_in_sight_takes_the_place_of_the_cases_on_the_processors(self):
        with_gpu = ENVIRONMENT_A | {"gpu": {"name": "GPU", "identity": "one"}}
        without = ENVIRONMENT_A | {"id": "b", "gpu": {"reason": "no driver"}}
        lines = [kernel(environment="a"), kernel(environment="a", backend="cuda"), kernel(environment="b")]
        with record_file(with_gpu, without, *lines) as path:
            dataset = read_files([path])
        self.assertEqual([(r.backend, r.environment) for r in dataset.records], [("cuda", "a"), ("serial", "b")])
        self.assertEqual(len(dataset.machines), 1)

    def test_the_same_case_on_two_devices_is_two_records_of_which_neither_is_on_the_host(self):
        first, second = kernel(backend="cuda"), kernel(backend="cuda", device={"kind": "cuda", "index": 1})
        second["case"] = second["case"].replace("/cuda/", "/cuda:1/")
        with record_file(first, second) as path:
            records = read_files([path]).records
        self.assertEqual([r.backend for r in records], ["cuda", "cuda:1"])
        self.assertEqual([r.on_host for r in records], [False, False])

    def test_the_same_case_on_two_problems_is_two_records(self):
        with record_file(
            support.solver([1.0] * 6, 10), support.solver([1.0] * 6, 10) | {"workload": {"problem": "jump"}}
        ) as path:
            self.assertEqual(len(read_files([path]).records), 2)


class BadRecords(unittest.TestCase):
    def assert_left_out(self, bad: dict, word: str):
        with record_file(kernel(backend="cuda"), bad) as path:
            dataset = read_files([path])
            self.assertEqual(len(dataset.records), 1)
            self.assertIn(word, dataset.warnings[0])

    def test_an_ok_record_without_time_is_skipped(self):
        self.assert_left_out({k: v for k, v in kernel().items() if k != "time"}, "`time`")

    def test_negative_samples_are_left_out(self):
        self.assert_left_out(kernel() | {"time": {"samples": [-1.0], "median": 1.0}}, "`time.samples[0]`")

    def test_processes_that_count_other_samples_are_left_out(self):
        time = {"samples": [1.0, 1.0, 2.0], "median": 1.5, "processes": [2, 2]}
        self.assert_left_out(kernel() | {"time": time}, "`time.processes`")

    def test_samples_are_those_of_each_process(self):
        time = {"samples": [1.0, 1.0, 2.0], "median": 1.5, "processes": [2, 1]}
        with record_file(kernel() | {"time": time}) as path:
            self.assertEqual(read_files([path]).records[0].processes, ((1.0, 1.0), (2.0,)))

    def test_a_null_median_is_skipped(self):
        self.assert_left_out(kernel() | {"time": {"samples": [1.0], "median": None}}, "`time.median`")

    def test_an_unknown_schema_is_skipped(self):
        self.assert_left_out(kernel() | {"schema": 3}, "schema 3")

    def test_an_unknown_status_is_skipped(self):
        self.assert_left_out(kernel() | {"status": "maybe"}, "`status`")

    def test_a_grid_of_words_is_skipped(self):
        self.assert_left_out(kernel() | {"grid": "8x8"}, "`grid`")


class BadFiles(unittest.TestCase):
    def assert_refused(self, path: Path, words: str):
        with self.assertRaises(BadInput) as caught:
            read_files([path])
        self.assertIn(words, str(caught.exception))
        self.assertIn(str(path), str(caught.exception))

    def test_a_missing_file_is_refused(self):
        self.assert_refused(Path("/nowhere/run.jsonl"), "No such file")

    def test_a_folder_is_refused(self):
        self.assert_refused(support.HERE, "directory")

    def test_an_empty_file_is_refused(self):
        with record_file("") as path:
            self.assert_refused(path, "no record")

    def test_a_file_of_garbage_is_refused_with_its_lines_named(self):
        with record_file("what\n", "ever\n") as path:
            self.assert_refused(path, f"{path}:2:")

    def test_a_file_with_environments_only_is_refused(self):
        with record_file(ENVIRONMENT_A) as path:
            self.assert_refused(path, "no record")


if __name__ == "__main__":
    unittest.main()

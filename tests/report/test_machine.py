"""Two machines are two, whatever they are called; a machine is one, whichever of its devices a run saw."""

import json
import unittest
from pathlib import Path

import support  # noqa: F401

from cfdmark.records.machine import machine_ids, host_key, machine_of, nominal_memory

RESULTS = Path(__file__).resolve().parents[2] / "results"
GPU = {"name": "NVIDIA H200", "memory_bytes": 150109880320, "identity": "one"}


def seeing(gpu: dict | None, host: dict | None = None) -> dict:
    return {"host": host or {"machine": "abc"}, "gpu": gpu or {"reason": "no driver"}}


class Machines(unittest.TestCase):
    def test_the_key_that_the_program_wrote_is_taken_as_it_stands(self):
        self.assertEqual(host_key({"host": {"cpu": "CPU", "machine": "0123456789ab"}}), "0123456789ab")

    def test_a_host_or_gpu_that_does_not_say_which_it_is_has_no_key(self):
        self.assertEqual(host_key({"host": {"cpu": "CPU"}}), "")
        self.assertEqual(machine_of({"backend": "cuda"}, {"host": {}, "gpu": {"name": "NVIDIA H200"}}), "+")

    def test_memory_is_what_is_built_in(self):
        for left, built_in in ((25276502016, 24), (135148564480, 128), (16_500_000_000, 16), (2**33, 8)):
            self.assertEqual(nominal_memory(left), built_in * 2**30)

    def test_a_case_on_the_processors_is_of_one_machine_with_and_without_a_gpu_in_sight(self):
        cpu, gpu = {"backend": "openmp"}, {"backend": "cuda"}
        self.assertEqual(machine_of(cpu, seeing(GPU)), machine_of(cpu, seeing(None)))
        self.assertNotEqual(machine_of(gpu, seeing(GPU)), machine_of(gpu, seeing(GPU | {"identity": "two"})))

    def test_kokkos_is_on_the_gpu_only_where_it_was_built_for_one(self):
        record = {"backend": "kokkos"}
        on_device = seeing(GPU) | {"libraries": {"Kokkos device": "Cuda"}}
        self.assertEqual(machine_of(record, on_device), machine_of({"backend": "cuda"}, on_device))
        self.assertEqual(machine_of(record, seeing(GPU)), "abc")

    def test_the_second_gpu_is_another_than_the_first(self):
        both = seeing(GPU) | {"gpus": [GPU | {"identity": "one"}, GPU | {"identity": "two"}]}
        found = [machine_of({"backend": "cuda", "device": {"index": n}}, both) for n in (0, 1)]
        self.assertEqual(found, ["abc+one", "abc+two"])

    def test_a_run_that_saw_no_gpu_belongs_to_the_box_of_its_host(self):
        self.assertEqual(len(set(machine_ids([seeing(GPU), seeing(None)]))), 1)

    def test_two_boxes_that_differ_in_their_gpu_alone_are_two(self):
        self.assertEqual(len(set(machine_ids([seeing(GPU | {"identity": "1"}), seeing(GPU | {"identity": "2"})]))), 2)

    def test_the_two_hosts_of_our_results_that_have_one_name_are_two_machines(self):
        heads = []
        for name in ("nvidia-h200/h200.jsonl", "amd-epyc-zen5-2-cores/quick.jsonl"):
            with open(RESULTS / name, encoding="utf-8") as file:
                heads.append(next(raw for line in file if (raw := json.loads(line))["type"] == "environment"))
        self.assertEqual(len(set(machine_ids(heads))), 2)


if __name__ == "__main__":
    unittest.main()

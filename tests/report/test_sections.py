"""What the sections conclude from records whose answer is known by hand."""

import json
import unittest
from math import hypot, log

import support
from support import SYNTHETIC, dataset_of, kernel, record_file, section, solver, synthetic, table

from cfdmark.records.records import Record, read_files
from cfdmark.report.renderers import csv, latex, markdown
from cfdmark.report.sections import roof


def row_named(rows, **wanted):
    (found,) = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return found


class Headline(unittest.TestCase):
    def test_names_the_fastest_row_and_its_lead(self):
        found = section(
            dataset_of(kernel(samples=[6.0] * 6), kernel(backend="cuda", samples=[2.0] * 6)), "headline"
        )
        (row,) = table(found, "headline")
        self.assertEqual(
            (row["fastest"], row["next"], row["verdict"], row["factor"].value),
            ("cuda/plain", "serial/plain", "clear", 3.0),
        )

    def test_calls_overlapping_rows_a_tie(self):
        noisy = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
        found = section(
            dataset_of(kernel(samples=noisy), kernel(backend="cuda", samples=[t * 1.01 for t in noisy])),
            "headline",
        )
        self.assertEqual(table(found, "headline")[0]["verdict"], "tie")
        self.assertEqual(found.cards[0].verdict, "tied")

    def test_holds_the_contest_on_the_grid_that_most_rows_share(self):
        found = section(
            dataset_of(
                kernel(samples=[6.0] * 6),
                kernel(backend="cuda", samples=[2.0] * 6),
                kernel(backend="cuda", grid=[64, 64], samples=[3.0] * 6),
            ),
            "headline",
        )
        self.assertEqual(table(found, "headline")[0]["grid"], "8×8")

    def test_without_rivals_compares_nothing(self):
        found = section(dataset_of(kernel()), "headline")
        self.assertIn("nothing is compared", found.finding)


class TunedConfigs(unittest.TestCase):
    def test_say_how_well_they_matched_and_how_far_their_size_is(self):
        exact = kernel(tuned={"match": "exact", "device": "a", "grid": "8x8"})
        within = kernel(backend="openmp", tuned={"match": "in_range", "device": "a", "grid": "16x16"})
        outside = kernel(backend="kokkos", tuned={"match": "outside", "device": "a", "grid": "32x32"})
        (text,) = section(dataset_of(exact, within, outside), "cases").text
        self.assertIn("1 exact; 1 in_range, up to 4 times as many points or as few", text)
        self.assertIn("1 outside (the defaults), up to 16 times as many points or as few", text)
        self.assertEqual(section(dataset_of(kernel()), "cases").text, [])


class Unsteady(unittest.TestCase):
    def test_a_case_whose_interval_is_wider_than_its_time_is_unsteady_and_named(self):
        noisy = kernel(samples=[1.0, 2.0, 45.0, 2.0, 2.0, 2.0])
        found = section(dataset_of(kernel(grid=[16, 16]), noisy), "cases")
        self.assertEqual({row["status"] for row in table(found, "cases")}, {"ok", "unsteady"})
        self.assertIn(f"1 case is unsteady, with an interval wider than the time: {noisy['case']}", found.finding)

    def test_a_failed_case_is_failed_and_not_unsteady(self):
        found = section(dataset_of(kernel(status="failed", reason="wrong", samples=[1.0, 45.0])), "cases")
        self.assertEqual([row["status"] for row in table(found, "cases")], ["failed"])


class EqualAccuracy(unittest.TestCase):
    def test_leaves_out_solvers_that_stopped_before_the_tolerance(self):
        found = section(
            dataset_of(
                solver([4.0] * 6, 20), solver([1.0] * 6, 9, name="jacobi", solved={"true_residual": 1e-3, "relative_residual": 1e-3})
            ),
            "accuracy",
        )
        self.assertEqual([r["solver"] for r in table(found, "accuracy")], ["sor"])
        self.assertEqual([r["solver"] for r in table(found, "stopped")], ["jacobi"])

    def test_leaves_out_solvers_whose_true_residual_missed_the_tolerance(self):
        found = section(
            dataset_of(
                solver([4.0] * 6, 20), solver([1.0] * 6, 9, name="cg", solved={"true_residual": 1.6e-8, "relative_residual": 1e-8})
            ),
            "accuracy",
        )
        self.assertEqual(table(found, "stopped")[0]["why"], "true residual too large")

    def test_never_compares_two_tolerances(self):
        found = section(
            dataset_of(solver([4.0] * 6, 20), solver([1.0] * 6, 9, name="cg", solved={"tolerance": 1e-4})),
            "accuracy",
        )
        self.assertEqual([str(r["slower"]) for r in table(found, "accuracy")], ["fastest", "fastest"])

    def test_ranks_by_time_to_the_end_not_by_iteration(self):
        found = section(dataset_of(solver([4.0] * 6, 40), solver([2.0] * 6, 10, name="cg")), "accuracy")
        first, second = table(found, "accuracy")
        self.assertEqual((first["solver"], second["slower"].value), ("cg", 2.0))

    def test_shows_a_library_s_set_up_next_to_its_time_and_not_in_it(self):
        found = section(
            dataset_of(
                solver([4.0] * 6, 40),
                solver([2.0] * 6, 1, name="direct", solved={"setup_seconds": 0.5}),
                solver([8.0] * 6, 9, name="hypre", solved={"setup_seconds": 6.0}),
            ),
            "accuracy",
        )
        rows = table(found, "accuracy")
        self.assertEqual([(r["solver"], r["setup"]) for r in rows], [("direct", 0.5), ("sor", None), ("hypre", 6.0)])
        self.assertIn("of hypre at 8×8 it took 6.00 s, where the solve took 8.00", found.finding)

    def test_has_no_column_for_a_set_up_that_no_record_has(self):
        found = section(dataset_of(solver([4.0] * 6, 40)), "accuracy")
        self.assertNotIn("setup", table(found, "accuracy")[0])
        self.assertNotIn("Set-up", found.finding)


class Precision(unittest.TestCase):
    def test_compares_the_same_row_only(self):
        found = section(
            dataset_of(
                kernel(samples=[8.0] * 6),
                kernel(precision="fp32", samples=[4.0] * 6),
                kernel(precision="fp32", backend="cuda", samples=[1.0] * 6),
            ),
            "precision",
        )
        (row,) = table(found, "precision")
        self.assertEqual((row["row"], row["fp32"].value, row["mixed"]), ("serial/plain", 2.0, None))

    def test_compares_whole_solves_to_one_tolerance_if_it_can(self):
        loose = {"tolerance": 1e-4}
        found = section(
            dataset_of(
                solver([8.0] * 6, 40),
                solver([6.0] * 6, 20, solved=loose),
                solver([3.0] * 6, 20, precision="fp32", solved=loose),
            ),
            "precision",
        )
        (row,) = table(found, "precision")
        self.assertEqual((row["time_fp64"].value, row["fp32_to_tolerance"].value), (0.3, 2.0))

    def test_has_no_time_to_a_tolerance_that_the_true_residual_misses(self):
        records = solver([8.0] * 6, 20), solver([4.0] * 6, 20, precision="fp32", solved={"true_residual": 1.6e-8})
        (row,) = table(section(dataset_of(*records), "precision"), "precision")
        self.assertEqual((row["fp32"].value, row.get("fp32_to_tolerance")), (2.0, None))


class Convergence(unittest.TestCase):
    def test_keeps_tolerances_apart(self):
        found = section(
            dataset_of(solver([8.0] * 6, 40), solver([6.0] * 6, 20, solved={"tolerance": 1e-4})),
            "convergence",
        )
        self.assertEqual([row["iterations"] for row in table(found, "convergence")], [40, 20])

    def test_draws_the_grid_on_which_most_solvers_converge(self):
        history = {"history": [[1, 1.0], [2, 0.1]]}
        small = [solver([1.0] * 6, 2, name=n, solved=history) for n in ("sor", "cg")]
        large = solver([1.0] * 6, 2, grid=[64, 64], solved=history | {"true_residual": 1e-3})
        (figure,) = section(dataset_of(*small, large), "convergence").figures
        self.assertEqual([p.title for p in figure.panels], ["manufactured 8×8"])
        self.assertEqual([p.y.label for p in figure.panels], ["relative residual"])


class Blocks(unittest.TestCase):
    def test_finds_the_best_and_the_worst_shape(self):
        shaped = [
            kernel(backend="cuda", config={"block_x": x, "block_y": y}, samples=[t] * 6)
            for x, y, t in ((32, 4, 2.0), (64, 4, 1.0), (128, 1, 3.0))
        ]
        (row,) = table(section(dataset_of(*shaped), "blocks"), "blocks")
        self.assertEqual(
            (row["best"], row["worst"], row["cost"].value, row["shapes"]), ("64×4", "128×1", 3.0, 3)
        )


class Memory(unittest.TestCase):
    def test_added_is_after_less_before(self):
        record = kernel(
            backend="cuda",
            memory={"device_used_before": 500.0, "device_used_after": 900.0, "field_bytes": 128.0},
        )
        (row,) = table(section(dataset_of(record), "memory"), "memory")
        self.assertEqual((row["relative"], row["per_node"]), (400.0, 2.0))


class Overhead(unittest.TestCase):
    def test_counts_every_step_of_a_sample_as_inside_the_clock(self):
        record = kernel(overhead={"prepare": 1.0, "verify": 2.0, "reset": 0.0})
        record["time"] |= {"samples": [2.0, 3.0], "steps_per_sample": 6}
        (row,) = table(section(dataset_of(record), "overhead"), "overhead")
        self.assertEqual((row["measured"], row["share"]), (30.0, 0.1))


class NotRun(unittest.TestCase):
    def test_groups_by_reason_and_counts(self):
        found = section(synthetic(), "not-run")
        self.assertEqual(found.text, ["4 cases cannot run here: 4 on kokkos (this build has no Kokkos)."])
        self.assertEqual(sum(row["cases"] for row in table(found, "not-run")), 4)
        self.assertEqual(len(table(found, "not-run-cases")), 8)

    def test_says_so_when_everything_ran(self):
        self.assertIn("All 1 case ran", section(dataset_of(kernel()), "not-run").empty)


class Environment(unittest.TestCase):
    def test_says_that_the_machine_was_busy_and_nothing_of_a_quiet_one(self):
        for busy in (True, False):
            load = {"busy": busy, "busy_cores": 1.84, "stolen_cores": 0.5, "average": 14.1}
            data = dataset_of(kernel(environment="e"))
            data.environments["e"] = {"id": "e", "load": load}
            finding = section(data, "environment").finding
            told = "the machine was busy when it began (1.8 processors busy, 0.5 taken by the host of a lent machine"
            self.assertEqual(told in finding, busy)

    def test_says_what_else_than_the_machine_set_the_times(self):
        equal = {"openmp": {"max_threads": 2}, "kokkos": {"threads": 2}}
        for facts, told in (
            ({"program": {"built_on": "CPU A", "built_for_another_processor": True}}, "compiled for another processor than it ran on (CPU A)"),
            ({"host": {"cpu_quota": 0.5}}, "a control group allowed the time of 0.5 processors"),
            ({"openmp": {"max_threads": 2}, "kokkos": {"threads": 1}}, "Kokkos ran on 1 thread and OpenMP on up to 2"),
            (equal | {"program": {"built_on": "CPU A"}}, "without warnings"),
        ):
            data = dataset_of(kernel(environment="e"))
            data.environments["e"] = {"id": "e", **facts}
            self.assertIn(told, section(data, "environment").finding)

    def test_says_that_others_were_on_the_gpu_and_nothing_of_a_free_one(self):
        for busy in (True, False):
            load = {"busy": busy, "processes": 2, "used_bytes": 1_500_000_000, "busy_share": 0.97}
            for gpus in ({"gpu": {"name": "G", "load": load}}, {"gpu": {"name": "G"}, "gpus": [{"name": "G"}, {"name": "G", "load": load}]}):
                data = dataset_of(kernel(environment="e", device_state={"other_processes": int(busy)}))
                data.environments["e"] = {"id": "e", **gpus}
                finding = section(data, "environment").finding
                begun = "others were on the GPU when a run began (2 processes, 1.50 GB held, at work for 97 % of a second)"
                self.assertEqual(begun in finding, busy)
                self.assertEqual("another process was on the GPU in 1 case" in finding, busy)

    def test_a_process_of_the_same_comparison_is_no_other(self):
        data = dataset_of(kernel(environment="e", device_state={"other_processes": 2}, round=1))
        data.environments["e"] = {"id": "e"}
        self.assertNotIn("another process", section(data, "environment").finding)

    def test_warns_of_uncommitted_changes_and_debug_builds(self):
        data = dataset_of(kernel(environment="e"))
        data.environments["e"] = {"id": "e", "program": {"dirty": True, "build_type": "Debug"}}
        finding = section(data, "environment").finding
        self.assertIn("uncommitted changes", finding)
        self.assertIn("Debug", finding)


class SeveralEnvironments(unittest.TestCase):
    def setUp(self):
        self.data = dataset_of(kernel(environment="a"), kernel(environment="b", backend="cuda"))
        host = {"name_hash": "h", "cpu": "C"}
        self.data.environments["a"] = {"id": "a", "host": host, "program": {"commit": "1"}}
        self.data.environments["b"] = {"id": "b", "host": host, "program": {"commit": "2"}}

    def test_of_one_machine_are_shown_by_their_differences(self):
        found = section(self.data, "environment")
        self.assertIn(["processor", "C"], found.tables[0].rows)
        self.assertEqual(found.tables[1].rows, [["commit", "2"]])

    def test_with_different_builds_are_pointed_out(self):
        self.assertIn("2 different builds", section(self.data, "environment").finding)

    def test_of_one_machine_need_no_letters(self):
        self.assertEqual([self.data.machine_label(r) for r in self.data.records], ["", ""])

    def test_of_one_fingerprint_are_one_program_whatever_their_commits(self):
        for environment in self.data.environments.values():
            environment["program"]["fingerprint"] = "the same"
        self.assertNotIn("different builds", section(self.data, "environment").finding)


class Roof(unittest.TestCase):
    def record(self, **facts) -> Record:
        # 80 of 100 GB/s, from a time of 2 s [1.9, 2.1]
        rate = {"bytes_per_second": 80e9} | ({} if "unsound" in facts else {"roof_fraction": 0.8})
        samples = [1.9, 2.0, 2.0, 2.0, 2.0, 2.1]
        found = {"kernel": "copy", "bytes_per_second": 100e9, "write_allocate": True} | facts
        return Record(kernel(samples=samples, rate=rate, roof=found))

    def test_a_share_has_the_intervals_of_the_time_and_of_the_roof(self):
        share = roof.share(self.record(low=100e9 / 1.1, high=120e9))
        self.assertAlmostEqual(share.value, 0.8)
        self.assertAlmostEqual(log(share.value / share.low), hypot(log(2.1 / 2), log(1.2)))
        self.assertAlmostEqual(log(share.high / share.value), hypot(log(2 / 1.9), log(1.1)))

    def test_a_share_of_a_roof_without_an_interval_has_that_of_the_time(self):
        share = roof.share(self.record())
        self.assertAlmostEqual(share.low, 0.8 * 2 / 2.1)

    def host(self, bandwidth: float, roof: dict, **changes) -> Record:
        """Of a second on a host, whose fields are in memory."""
        rate = {"bytes_per_second": bandwidth, "roof_fraction": bandwidth / roof["bytes_per_second"], "lups": 1e9}
        return Record(
            kernel(samples=[1.0] * 6, rate=rate, roof=roof, cache={"regime": "memory"}, cost={"bytes": bandwidth}, **changes)
        )

    def test_the_roof_of_a_host_counts_the_lines_that_a_store_reads_first(self):
        triad, copy = ({"kernel": name, "bytes_per_second": 90e9} for name in ("triad", "copy"))
        self.assertAlmostEqual(roof.share(self.host(90e9, triad)).value, 3 / 4)
        self.assertAlmostEqual(roof.share(self.host(90e9, copy)).value, 2 / 3)
        self.assertAlmostEqual(roof.share(self.host(90e9, triad | {"write_allocate": True})).value, 1)
        self.assertAlmostEqual(roof.share(self.host(90e9, triad, backend="cuda")).value, 1)

    def test_what_moves_more_than_its_roof_has_no_percentage_on_any_page(self):
        record = self.host(178e9, {"kernel": "triad", "bytes_per_second": 75e9})  # of 100 GB/s with such lines
        data = dataset_of(record.raw)
        found = section(data, "roof")
        self.assertEqual(str(table(found, "roof")[0]["fraction"]), "above the measured ceiling")
        self.assertEqual(found.figures, [])
        self.assertIn("1 row is above the measured ceiling", found.finding)
        for renderer in (latex, markdown):
            self.assertNotRegex(renderer.render(support.sections_of(data), "title"), r"178 ?\?%|237")

    def test_what_caches_give_has_no_percentage_of_the_roof_of_memory(self):
        record = self.host(178e9, {"kernel": "triad", "bytes_per_second": 75e9})
        record.raw["cache"] = {"regime": "cache"}
        (row,) = table(section(dataset_of(record.raw), "roof"), "roof")
        self.assertEqual(str(row["fraction"]), "above: served by caches")

    def test_roofs_that_moved_from_start_to_start_are_named(self):
        data = dataset_of(self.host(80e9, {"kernel": "triad", "bytes_per_second": 90e9}).raw)
        for name, value in (("a", 75e9), ("b", 90e9)):
            entry = {"backend": "openmp", "precision": "fp64", "kernel": "triad", "bytes_per_second": value}
            data.environments[name] = {"id": name, "host": {"cpu": "A CPU"}, "roofs": [entry]}
        self.assertIn("the measured roofs ranged: openmp fp64 triad 100 to 120 GB/s.", section(data, "roof").note)
        data.environments["b"]["roofs"][0]["least"] = 60e9  # when the second process began
        self.assertIn("openmp fp64 triad 80.0 to 120 GB/s.", section(data, "roof").note)

    def test_an_unsound_roof_gives_no_share_and_is_named(self):
        found = section(dataset_of(self.record(unsound="a third of fp64's").raw), "roof")
        self.assertIn("1 records have no share, for their roof cannot be: a third of fp64's.", found.empty)


class Energy(unittest.TestCase):
    READ = {"joules_per_step": 1400.0, "seconds_per_step": 2.0, "source": "nvml"}
    WITHOUT_SECONDS = {"joules_per_step": 987654.0, "source": "nvml"}

    def of(self, **energies):
        records = [kernel(backend=b, samples=[1.5] * 6, energy=e) for b, e in energies.items()]
        return section(dataset_of(*records), "energy")

    def test_power_is_that_of_the_seconds_in_which_the_energy_was_read_and_unknown_without_them(self):
        found = self.of(cuda=self.READ, serial={"joules_per_step": 7.0, "source": "powercap"})
        powers = {row["row"]: row["power"] for row in table(found, "energy")}
        self.assertEqual(powers, {"cuda/plain": 700.0, "serial/plain": None})

    def test_an_energy_by_nvml_without_its_seconds_is_not_shown_and_the_page_says_why(self):
        found = self.of(cuda=self.READ, kokkos=self.WITHOUT_SECONDS)
        self.assertEqual([row["row"] for row in table(found, "energy")], ["cuda/plain"])
        self.assertIn("1 energy is not shown: read by NVML without the seconds", found.note)

    def test_where_all_energies_are_withheld_the_reason_stands_in_their_place(self):
        found = self.of(cuda=self.WITHOUT_SECONDS)
        self.assertEqual(found.tables, [])
        self.assertIn("not shown", found.empty)

    def test_no_format_prints_an_energy_that_is_withheld(self):
        data = dataset_of(kernel(backend="cuda", samples=[1.5] * 6, energy=self.WITHOUT_SECONDS))
        sections = support.sections_of(data)
        for renderer in (csv, latex, markdown):
            self.assertNotIn("987", renderer.render(sections, "title"), renderer.__name__)


class Robustness(unittest.TestCase):
    OPTIONAL = (
        "config",
        "problem",
        "cost",
        "rate",
        "cache",
        "roof",
        "verification",
        "resources",
        "memory",
        "energy",
        "solver",
        "overhead",
        "device_state",
        "environment",
    )

    def spoil(self, of_type: str, key: str, wrong) -> None:
        """Reads a file in which a key of all lines of a type is wrong, and one record that is not."""
        lines = [json.loads(line) for line in SYNTHETIC.read_text(encoding="utf-8").splitlines()]
        spoilt = [{**line, key: wrong} if line["type"] == of_type else line for line in lines]
        with self.subTest(key=key, wrong=wrong), record_file(*spoilt, kernel()) as path:
            data = read_files([path])
            self.assertEqual([text for text in data.warnings if f"`{key}" not in text], [])
            self.assertTrue(all(s.empty or s.finding for s in support.sections_of(data)))

    def test_a_key_of_any_wrong_type_is_named_or_empties_its_section_and_breaks_nothing(self):
        for key in self.OPTIONAL:
            for wrong in (None, "text", 5, [1], {"x": "y"}, {}):
                self.spoil("record", key, wrong)

    def test_an_environment_of_any_wrong_type_is_named_or_breaks_nothing(self):
        for key in ("program", "host", "openmp", "gpu", "gpus", "libraries", "roofs", "limits", "time"):
            for wrong in (None, "text", 5, [1], {"x": "y"}):
                self.spoil("environment", key, wrong)

    def test_a_run_in_which_nothing_worked_still_reports_why(self):
        found = support.sections_of(dataset_of(kernel(status="not_run", reason="no device")))
        self.assertTrue(all(s.empty or s.finding for s in found))
        self.assertIn("(no device)", next(s for s in found if s.key == "not-run").text[0])


if __name__ == "__main__":
    unittest.main()

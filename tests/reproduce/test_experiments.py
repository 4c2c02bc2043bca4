"""Every experiment with records on which its main finding holds, does not hold, or cannot be looked at."""

import unittest

import support  # noqa: F401  (finds the packages)
from ruamel.yaml import YAML
from scenarios import AGREES as HOLDS
from scenarios import DIFFERS as FAILS
from scenarios import cavities, flow, iterations
from support import DOCUMENTS, EXPERIMENTS, SWEEPS, absent, compared, kernel, solver, without_gpu

from cfdmark.report.lines import has_line
from cfdmark.report.model import LinePanel
from cfdmark.reproduce import page
from cfdmark.reproduce.verdict import AGREES, DIFFERS, NOT_COMPARABLE, SAME_DIRECTION


# Where the main finding holds: what it is, if it does not agree in its size too.
WITHOUT_SIZE = {
    "jespersen-figure-1": SAME_DIRECTION,
    "review-layout": SAME_DIRECTION,
    "shinn-memory": SAME_DIRECTION,
    "review-scaling": SAME_DIRECTION,
    "review-smoothing": NOT_COMPARABLE,
    "review-table-2": NOT_COMPARABLE,
    "review-table-3": NOT_COMPARABLE,
    "menon-table-8.1": NOT_COMPARABLE,
    "menon-table-8.2": NOT_COMPARABLE,
    "menon-table-8.3": NOT_COMPARABLE,
    "weymouth-cost": NOT_COMPARABLE,
}
LOST = {"review-table-2", "review-table-3"}  # their own numbers are lost: only data of others are compared
CANNOT_FAIL = {"review-smoothing", "menon-figure-3.2", "weymouth-cost", *LOST} | {
    f"menon-table-8.{n}" for n in (1, 2, 3)
}
WITHOUT_RECORDS = {"menon-figure-3.2"}  # an algorithm, which depends on no machine
ON_CORES = {f"jespersen-{x}" for x in ("figure-1", "figure-2", "table-4", "table-5")} | {"shinn-poisson-share"}
WITHOUT_GPU = {*ON_CORES, *LOST, "normore-figure-2.4", "review-scaling", *WITHOUT_RECORDS}


class EveryExperiment(unittest.TestCase):
    def test_has_a_published_file_a_sweep_and_scenarios(self):
        sweeps = {path.stem for path in SWEEPS.glob("*.yaml")}
        used = {name for experiment in EXPERIMENTS for name in DOCUMENTS[experiment].measured_with}
        self.assertEqual(used - WITHOUT_RECORDS, sweeps)
        self.assertEqual((set(HOLDS), set(FAILS)), (set(EXPERIMENTS), set(EXPERIMENTS) - CANNOT_FAIL))

    def test_that_is_of_a_whole_flow_code_is_out_of_reach_of_a_relaxation(self):
        out = {name for name, document in DOCUMENTS.items() if document.data.out_of_reach}
        whole_code = ("table-2", "table-6")
        self.assertEqual(out, {f"jespersen-{x}" for x in whole_code})

    def test_agrees_where_what_was_published_holds_and_had_a_size(self):
        for name, records in HOLDS.items():
            with self.subTest(name):
                lines = compared(name, records).lines
                expected = WITHOUT_SIZE.get(name, AGREES)
                self.assertEqual(lines[0].verdict.word, expected, lines[0].verdict.reason)

    def test_differs_where_its_main_finding_does_not_hold(self):
        for name, records in FAILS.items():
            with self.subTest(name):
                comparison = compared(name, records)
                main = comparison.lines[0].verdict
                self.assertEqual((main.word, comparison.verdict().word), (DIFFERS, DIFFERS), main.reason)

    def test_cannot_be_compared_without_a_gpu_if_it_is_about_one(self):
        for name, records in HOLDS.items():
            if name not in WITHOUT_GPU:
                with self.subTest(name):
                    verdict = compared(name, without_gpu(records)).verdict()
                    self.assertEqual(verdict.word, NOT_COMPARABLE)
                    self.assertIn("nothing ran on cuda: no NVIDIA driver on this machine", verdict.reason)

    def test_cannot_be_compared_without_records(self):
        for name in set(EXPERIMENTS) - WITHOUT_RECORDS:
            with self.subTest(name):
                comparison = compared(name, [])
                self.assertTrue(all(line.verdict.word == NOT_COMPARABLE for line in comparison.lines))
                self.assertEqual(comparison.figures, [])

    def test_says_that_nothing_was_measured_only_where_nothing_was(self):
        for name, records in HOLDS.items():
            with self.subTest(name):
                comparison = compared(name, records)
                (now,) = [s for s in page.sections_of(DOCUMENTS[name], comparison) if s.key == "now"]
                self.assertNotIn("Nothing that can be compared", now.finding)
        (now,) = [s for s in page.sections_of(DOCUMENTS["review-laplace"], compared("review-laplace", [])) if s.key == "now"]
        self.assertIn("Nothing that can be compared", now.finding)

    def test_survives_records_of_any_one_row_alone(self):
        for name, records in HOLDS.items():
            for record in records:
                with self.subTest(name, row=record["case"]):
                    comparison = compared(name, [record])
                    self.assertTrue(page.sections_of(DOCUMENTS[name], comparison))

    def test_has_a_figure_of_what_was_measured_and_of_one_size_a_table(self):
        for name, records in HOLDS.items():
            if DOCUMENTS[name].plan.figures or DOCUMENTS[name].plan.code.endswith("_convergence"):
                with self.subTest(name):
                    found, drawings = compared(name, records), DOCUMENTS[name].plan.figures
                    tables = [t for t in found.tables if any(t.key.startswith(d.name) for d in drawings)]
                    self.assertTrue(found.figures or tables)
                    panels = [p for f in found.figures for p in f.panels if isinstance(p, LinePanel)]
                    self.assertFalse([p for p in panels if not has_line(p)])

    def test_has_a_sweep_with_a_case_for_every_row(self):
        """A row that no case can be is a misprint, and would be reported as not yet measured for ever."""
        for name in EXPERIMENTS:
            for row in DOCUMENTS[name].plan.rows.values():
                with self.subTest(name, row=row):
                    self.assertTrue(any(has_case_for(block, row) for block in blocks_of(name)))


def blocks_of(name: str) -> list[dict]:
    paths = [SWEEPS / f"{sweep}.yaml" for sweep in DOCUMENTS[name].measured_with]
    return [block for path in paths for block in YAML(typ="safe").load(path)["blocks"]]


def listed(value) -> list:
    return value if isinstance(value, list) else [value]


def has_case_for(block: dict, row) -> bool:
    """Whether a block of a sweep names the row's kernel or solver, its methods, precision, operator, backend and mesh."""
    wanted = row.wanted
    if wanted["name"] not in listed(block.get(wanted["kind"] + "s", [])):
        return False
    for key, plural in (("method", "methods"), ("precision", "precisions"), ("backend", "backends")):
        given = listed(block.get(plural, "all"))
        asked = wanted.get(key, ())
        asked = asked if isinstance(asked, tuple) else (asked,)
        if given not in (["all"], ["default"]) and asked and not set(asked) & set(given):
            return False
    operators = listed(block.get("operator", "constant"))
    if wanted.get("operator", operators[0]) not in operators:
        return False
    numberings = listed(block.get("numbering", "lattice"))
    if wanted.get("numbering", numberings[0]) not in numberings:
        return False
    meshes = listed(block.get("meshes", []))
    if not any(str(mesh).startswith(wanted.get("mesh_kind", "")) for mesh in meshes or [""]):
        return False
    if meshes and "grid" in wanted and wanted["grid"][0] not in meshes:
        return False
    return wanted.get("problem", block.get("problem")) == block.get("problem")


class Occupancy(unittest.TestCase):
    def test_the_kernels_of_an_iteration_are_a_table_with_their_calls(self):
        comparison = compared("normore-table-6.7", HOLDS["normore-table-6.7"])
        (table,) = comparison.tables
        self.assertEqual([c.key for c in table.columns[-3:]], ["occupancy", "fewest", "most"])
        self.assertEqual([row[1:3] + row[-3:] for row in table.rows[:2]],
                         [["momentum", "cells_plain", 0.375, 1, 1], ["solve p'", "red_black_split", 1.0, 5, 1000]])
        self.assertEqual([row[0] for row in table.rows], ["simple", "simple", "piso", "piso"])
        found = {line.what: (line.here.value, line.verdict.word) for line in comparison.lines}
        self.assertIn("SIMPLE: with the most inner calls 99.9 % of an iteration's calls", comparison.why[0])
        self.assertEqual(found["average occupancy of the kernels of SIMPLE"], (0.6875, AGREES))
        self.assertEqual(found["PISO: the kernels that make coefficients"], (0.375, AGREES))


class Transfers(unittest.TestCase):
    def test_are_what_a_step_takes_longer_with_them(self):
        comparison = compared("jespersen-table-3", HOLDS["jespersen-table-3"])
        (table,) = comparison.tables
        ((_, grid, kernel_only, pageable, total, pinned, *_),) = table.rows
        self.assertEqual(grid, "121×41×81")
        told = [q.value for q in (kernel_only, pageable, total, pinned)]  # of a step that takes 0.4 s / 2
        for value, expected in zip(told, (0.2, 0.7 * 0.2, 1.7 * 0.2, 0.7 / 3 * 0.2)):
            self.assertAlmostEqual(value, expected)


class Memory(unittest.TestCase):
    def records(self) -> list[dict]:
        """SIMPLE takes 160 B a node on a GPU, which has 500 MB in use before, and 100 B on a core."""
        rows = []
        for nx, ny in ((256, 64), (1024, 256)):
            nodes = nx * ny
            for backend, size in (("serial", 100 * nodes), ("cuda", 160 * nodes)):
                of_device = {"device_used_before": 5e8, "device_used_after": 5e8 + 2e6 + size} if backend == "cuda" else {}
                memory = {"field_bytes": size, **of_device}
                row = solver("simple", f"{backend}/fp32/paper", nx, 1.0, 1, memory=memory)
                rows.append({**row, "grid": [nx, ny], "nodes": nodes})
        return rows

    def test_is_what_the_gpu_has_more_in_use_and_is_not_compared_with_what_a_host_keeps(self):
        records = self.records()
        line = compared("normore-figure-6.13", records).lines[0]
        self.assertEqual((line.here.value, line.rows), (2e6 + 160 * 1024 * 256, "simple on cuda/paper 1024×256"))
        line = compared("normore-figure-6.13", without_gpu(records)).lines[0]
        self.assertEqual((line.here, line.verdict.word), (None, NOT_COMPARABLE))

    def test_is_drawn_in_total_and_relative_with_the_published_value_at_its_size(self):
        (figure,) = compared("normore-figure-6.13", self.records()).figures
        total, relative = figure.panels
        self.assertEqual([p.y.value for p in total.series[0].points], [5e8 + 2e6 + 160 * n for n in (16384, 262144)])
        drawn = {line.label: [(p.x, p.y.value) for p in line.points] for line in relative.series}
        self.assertEqual(drawn["GPU"], [(n, 2e6 + 160 * n) for n in (16384, 262144)])
        self.assertEqual(drawn["fields, core"], [(n, 100 * n) for n in (16384, 262144)])
        self.assertEqual(drawn["SIMPLE, 2010"], [(262144, 40e6)])

    def test_is_drawn_relative_alone_without_a_gpu(self):
        (figure,) = compared("normore-figure-6.13", without_gpu(self.records())).figures
        self.assertEqual([p.title for p in figure.panels], ["SIMPLE, relative (6.14)"])


class ThenAndNow(unittest.TestCase):
    """On 512x512 a core takes 100 times what the GPU takes, all cores half of it; on 64x64 launches are all of the GPU's time."""

    @staticmethod
    def records(name: str = "simple") -> list[dict]:
        def launches_only(record: dict) -> dict:
            solved = {**record["solver"], "time_per_iteration": 5e-5}
            return {**record, "time": {"samples": [2e-3] * 6, "median": 2e-3, "ci_low": 1.9e-3, "ci_high": 2.1e-3}, "solver": solved}

        small = [r for r in flow(name, 0.01) if r["grid"] == [64, 64]]
        large = [r for r in flow(name, 0.01) if r["grid"] == [512, 512]]
        few = [launches_only(r) if r["backend"] == "cuda" and r["config"]["pressure_sweeps"] == 5 else r for r in small]
        return few + large

    def machines(self, name: str, records: list[dict]) -> list[list]:
        table = compared(name, records).tables[0]
        self.assertEqual(table.key, "machines")
        return [[getattr(cell, "value", cell) for cell in row] for row in table.rows]

    def test_four_machines_and_the_one_here_are_one_table(self):
        rows = self.machines("normore-table-6.3", self.records())
        self.assertEqual([row[1:2] + row[3:5] for row in rows[:4]],
                         [["GeForce 8200", "not stated", 20], ["GeForce 9800 GT", "not stated", 300],
                          ["GeForce 9800 GTX+", "not stated", 360], ["Tesla C1060", "not stated", 230]])
        self.assertEqual([row[3] for row in rows[4:]], ["20", "2010", "20", "2010"])
        for row, (core, cores) in zip(rows[4:], ((100, 50), (100, 50), (2, None), (2, None))):
            self.assertAlmostEqual(row[4], core)
            self.assertEqual(row[5], cores) if cores is None else self.assertAlmostEqual(row[5], cores)

    def test_piso_has_the_calls_that_it_makes(self):
        rows = self.machines("normore-table-6.5", self.records("piso"))
        self.assertEqual([row[3] for row in rows[4:]], ["30", "4010", "30", "4010"])

    def test_one_sentence_says_what_the_core_the_bandwidth_and_the_launches_have_of_it(self):
        (said,) = compared("normore-table-6.3", self.records()).why
        self.assertRegex(said, r"^The 100 \[.*\] times at 512×512 are a factor of 2 \[.*\] by which all cores")
        self.assertRegex(said, r"and one of 50 \[.*\] by which the GPU is faster than all of them, at 0.315 GB/s against 0.00629 GB/s")
        # 50 of 250 microseconds; a core takes 25 ms
        self.assertIn("20 % of its 250 µs are the 40 launches of an iteration, which at 64×64 are all of it", said)
        self.assertIn("without which it would be 125 times as fast", said)

    def test_without_a_gpu_the_core_explains_the_difference(self):
        (said,) = compared("normore-table-6.3", without_gpu(self.records())).why
        self.assertRegex(said, r"^Without a GPU, .* all cores are 2 \[.*\] times as fast as the one that he compares with")

    def test_published_peaks_are_dashed_lines_over_the_meshes(self):
        figure = next(f for f in compared("normore-table-6.3", self.records()).figures if f.key == "speedup")
        over_one_core, _, over_all = figure.panels
        peaks = {line.label: {p.y.value for p in line.points} for line in over_one_core.series if line.style == "dashed"}
        self.assertEqual(peaks, {"9800 GTX+": {360}, "9800 GT": {300}, "Tesla C1060": {230}, "GeForce 8200": {20}})
        self.assertEqual([line.label for line in over_one_core.series if line.style == "solid"], ["GPU here", "OpenMP"])
        self.assertAlmostEqual(over_all.series[0].points[-1].y.value, 50)


class SharesOfThePressure(unittest.TestCase):
    def test_are_a_curve_over_the_tolerance_with_the_published_range_and_one_cycle_is_in_the_table_alone(self):
        comparison = compared("shinn-poisson-share", HOLDS["shinn-poisson-share"])
        (table,) = comparison.tables
        told = [["red-black SOR", "0.01"], ["red-black SOR", "0.0001"], ["multigrid", "0.0001"], ["multigrid", "1 cycle"]]
        self.assertEqual([row[2:4] for row in table.rows[:4]], told)
        panel = comparison.figures[0].panels[0]
        self.assertEqual([line.label for line in panel.series],
                         ["red-black SOR", "multigrid", "published, lowest", "published, highest"])
        self.assertEqual([point.x for point in panel.series[0].points], [1e-2, 1e-4])
        self.assertEqual([line.points[0].y.value for line in panel.series[2:]], [0.7, 0.95])


class BlocksOfLevels(unittest.TestCase):
    def test_are_a_table_of_what_each_level_takes_in_a_cycle_by_each_shape(self):
        comparison = compared("review-multigrid", HOLDS["review-multigrid"])
        (table,) = [t for t in comparison.tables if t.key == "levels"]
        shapes = [column.head for column in table.columns]
        self.assertEqual(shapes, ["level", "32x1x8", "4x4x4", "by level", "each kernel's own", "tuned"])
        told = [[line[0], *(round(cell.value, 6) for cell in line[1:4])] for line in table.rows]
        # Of 1, 1.5 and 0.9 seconds and eight cycles, four fifths on the finest.
        self.assertEqual(told, [["128x128x128", 0.1, 0.15, 0.09], ["64x64x64", 0.025, 0.0375, 0.0225]])

    def test_are_compared_where_they_were_measured_alone(self):
        records = [r for r in HOLDS["review-multigrid"] if "level_blocks" not in r["config"]]
        comparison = compared("review-multigrid", records)
        self.assertNotIn("levels", [t.key for t in comparison.tables])
        words = {line.what: line.verdict.word for line in comparison.lines}
        self.assertEqual(words["a cycle by a shape for each level against one by 32x1x8 alone, GPU"], NOT_COMPARABLE)
        found = {line.what: line.verdict.word for line in compared("review-multigrid", HOLDS["review-multigrid"]).lines}
        self.assertEqual(found["a cycle by a shape for each level against one by 32x1x8 alone, GPU"], SAME_DIRECTION)


class Cavities(unittest.TestCase):
    def lines(self, turned: float) -> dict:
        comparison = compared("review-table-2", cavities(turned))
        return {line.what.split(": ")[-1].split(" (")[0]: line for line in comparison.lines}

    def test_are_judged_by_data_of_others_on_the_finest_mesh(self):
        lines = self.lines(1.01)
        psi = lines["stream function of the primary vortex"]
        self.assertEqual(psi.verdict.word, AGREES)
        self.assertAlmostEqual(psi.here.value, 0.1189 * 1.01)
        self.assertIn("64×64", psi.rows)
        self.assertEqual(self.lines(1.05)["stream function of the primary vortex"].verdict.word, DIFFERS)
        (said,) = compared("review-table-2", cavities(1.05)).why
        self.assertIn("64×64, the flow agrees with the reference data in 4 of 5 values. It differs in Re 1,000: stream", said)

    def test_without_a_vortex_or_with_one_of_the_other_sign_cannot_be_compared(self):
        lines = self.lines(1.0)
        reasons = [lines[f"{of} of the eddy in the lower left corner"].verdict.reason for of in ("y", "x")]
        self.assertEqual(reasons, ["the flow at 64×64 shows none", "of the other sign at 64×64"])

    def test_are_two_tables_with_a_line_for_each_mesh_and_backend(self):
        primary, eddies = compared("review-table-2", cavities(1.0)).tables
        self.assertEqual([row[:3] for row in primary.rows[::2]], [[1000, "32×32", "GPU"], [1000, "64×64", "GPU"]])
        self.assertEqual(primary.rows[2][3:6], ["0.5300", "0.5650", "-0.1189"])
        self.assertEqual((primary.columns[-1].head, primary.rows[2][-1]), ("profiles off by", "0.0123"))
        self.assertEqual(eddies.rows[2][3:7], [None, None, "1.750e-03", "-0.0800"])


class Histories(unittest.TestCase):
    def test_of_relaxations_are_drawn_for_each_case_and_their_factors_are_a_table(self):
        comparison = compared("jespersen-figure-1", HOLDS["jespersen-figure-1"])
        panel = comparison.figures[0].panels[0]
        self.assertEqual([p.title for p in comparison.figures[0].panels],
                         [f"plate 31×11×21, {pairs} pairs" for pairs in (3, 5, 10)])
        self.assertEqual([line.label for line in panel.series], ["SSOR", "Jacobi"])
        self.assertAlmostEqual(panel.series[1].points[9].y.value, 0.85**10)
        (table,) = comparison.tables
        self.assertEqual([row[:2] for row in table.rows[:2]], [[panel.title, "SSOR"], [panel.title, "Jacobi"]])
        self.assertAlmostEqual(table.rows[0][-1], 0.84)
        self.assertAlmostEqual(table.rows[1][-1], 0.85)


class Lines(unittest.TestCase):
    def line(self, name: str, number: int = 0):
        return compared(name, HOLDS[name]).lines[number]

    def test_a_speedup_is_measured_by_the_rules_of_the_document_and_by_fair_ones(self):
        line = self.line("review-laplace")
        self.assertEqual(line.published.value, 22)
        self.assertAlmostEqual(line.here.value, 20.0)  # 1.0 s on a core, 0.05 s on the GPU
        self.assertAlmostEqual(line.fair.value, 10.0)  # 0.5 s on all cores
        self.assertAlmostEqual(line.ratio.value, 20 / 22)
        self.assertEqual(line.rows, "cuda/plain 1024×1024 against serial/plain 1024×1024")

    def test_menons_flops_are_in_his_units_and_are_not_judged(self):
        line = self.line("menon-figure-2.5", 2)
        self.assertEqual((line.unit, line.published.value), ("Gflop/s", 0.33))
        self.assertAlmostEqual(line.here.value, 2 * 4096**2 / 1e9)  # a second on one core
        self.assertEqual(line.verdict.word, NOT_COMPARABLE)

    def test_a_gain_of_half_is_a_ratio_of_one_and_a_half(self):
        self.assertEqual(self.line("menon-figure-4.6").published.value, 1.5)
        self.assertAlmostEqual(self.line("review-memory").published.low, 1.18)

    def test_slower_by_two_thirds_is_read_both_ways(self):
        published = self.line("review-precision").published
        self.assertAlmostEqual(published.low, 1.46)
        self.assertAlmostEqual(published.high, 1 / 0.34)

    def test_normores_factor_of_almost_1000_is_judged_by_its_size_and_launches_that_we_wrote_are_not(self):
        comparison = compared("normore-figure-6.1", iterations(3.5))
        size, launches = comparison.lines[:2]
        self.assertEqual([size.verdict.word, launches.verdict.word], [SAME_DIRECTION, NOT_COMPARABLE])
        self.assertIn("another size: 1/286 of the published", size.verdict.reason)
        self.assertIn("by construction", launches.verdict.reason)
        self.assertAlmostEqual(size.here.value, 3.5)
        self.assertAlmostEqual(size.fair.value, 4.0)  # fused CG 2.0 s, streamed SOR 0.5 s
        self.assertIn("launches 8 kernels where SOR launches 2", comparison.why[0])

    def test_normores_factor_of_almost_1000_differs_in_size_if_hardly_any_remains(self):
        self.assertEqual(compared("normore-figure-6.1", iterations(1.08)).lines[0].verdict.word, DIFFERS)

    def test_each_of_normores_machines_is_compared_by_itself(self):
        for name, machines in (("6.3", [230, 20, 300, 360]), ("6.4", [220, 550, 650])):
            lines = compared(f"normore-table-{name}", HOLDS[f"normore-table-{name}"]).lines
            self.assertEqual([line.published.value for line in lines[: len(machines)]], machines)
            self.assertFalse(any(line.published and line.published.has_interval for line in lines))

    def test_a_main_finding_by_one_sample_says_so(self):
        records = [r | {"time": r["time"] | {"samples": [r["time"]["median"]]}} for r in HOLDS["normore-table-6.3"]]
        comparison = compared("normore-table-6.3", records)
        self.assertEqual(comparison.verdict().word, comparison.lines[0].verdict.word)
        self.assertIn("by one sample", comparison.lines[0].verdict.reason)
        self.assertIn("the main one by one sample", comparison.verdict().reason)

    def test_jespersens_figure_1_is_compared_by_each_number_of_pairs(self):
        named = [line.what for line in compared("jespersen-figure-1", HOLDS["jespersen-figure-1"]).lines]
        self.assertEqual([any(pairs in what for what in named) for pairs in ("three", "five", "ten")], [True] * 3)

    def test_the_shares_of_a_cycle_are_all_held_to_one_factor(self):
        findings = [f for f in DOCUMENTS["review-multigrid"].plan.findings if f.test == "size"]
        self.assertEqual({f.factor for f in findings}, {1.1})

    def test_a_device_too_small_compares_the_sizes_that_fit_and_says_so(self):
        reason = "the grid 4096x4096 is too large: it needs 0.54 GB of device memory and 0.50 GB are free"
        large = [
            kernel("red_black_sor;operator=arrays", f"{b}/fp32/plain", 4096, 16.0) for b in ("serial", "cuda")
        ]
        comparison = compared(
            "review-laplace", [*HOLDS["review-laplace"], large[0], absent(large[1], reason)]
        )
        self.assertEqual(comparison.lines[0].rows, "cuda/plain 1024×1024 against serial/plain 1024×1024")
        (protocol,) = [
            s for s in page.sections_of(DOCUMENTS["review-laplace"], comparison) if s.key == "protocol"
        ]
        (said,) = [text for text in protocol.text if "Too large for this machine" in text]
        self.assertIn("4096×4096 on cuda", said)

    def test_a_noisy_tie_is_not_taken_for_a_finding(self):
        slow = kernel("red_black_sor;operator=arrays", "serial/fp32/plain", 1024, 1.0)
        fast = kernel("red_black_sor;operator=arrays", "cuda/fp32/plain", 1024, 0.999)
        self.assertEqual(compared("review-laplace", [slow, fast]).verdict().word, DIFFERS)


if __name__ == "__main__":
    unittest.main()

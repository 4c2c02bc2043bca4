"""The section on several ranks, from invented records whose answer is known by hand."""

import unittest
from pathlib import Path

from support import dataset_of, section, sections_of, solver, table

from cfdmark.records.records import Record
from cfdmark.report.drawing import draw
from cfdmark.report.palette import Palette
from cfdmark.report.renderers import html, markdown, terminal

ITERATIONS = 20


def cg(seconds: float, ranks: int = 1, cut: str = "slabs", grid=(64, 64), **more) -> dict:
    """CG whose solve takes a time on a number of ranks."""
    config = {"ranks": ranks, "partition": cut} if ranks > 1 else {}
    raw = solver([seconds] * 6, ITERATIONS, name="cg", method="textbook", grid=list(grid), nodes=grid[0] * grid[1],
                 config={"check_interval": 10, **config})
    if ranks > 1:
        half = ranks // 2
        raw["ranks"] = {
            "count": ranks, "joined_by": "threads",
            "seconds": {"work": [0.5 * seconds, 0.6 * seconds] * half, "exchange": [0.3 * seconds, 0.2 * seconds] * half,
                        "sums": [0.1 * seconds] * ranks},
            "detail": {"redundant": [0.1 * seconds] * ranks, "exchange_waiting": [0.1 * seconds, 0] * half, "sums_waiting": [0] * ranks},
        }
    raw.update(more)
    raw["case"] = "{name}/{backend}/{precision}/{method}@{grid}:{config}".format(**raw)
    return raw


def records() -> list[dict]:
    return [
        cg(8.0),
        cg(6.0, method="fused"),
        cg(4.2, 2),
        cg(2.5, 4),
        cg(4.4, 2, "blocks"),
        cg(4.0, backend="openmp", config={"threads": 2}),
        cg(9.0, 2, grid=(64, 128)),
    ]


def on_devices(seconds: float, ranks: int = 1, way: str = "", **config) -> dict:
    """CG on CUDA devices, whose work has no clock of its own. One device replays graphs, several have a way between them."""
    raw = cg(seconds, ranks, backend="cuda")
    raw["config"] |= {"exchange": way, **config} if ranks > 1 else {"graph_iterations": 8, **config}
    if ranks > 1:
        del raw["ranks"]["seconds"]
        raw["ranks"]["exchange"] = {"messages_per_step": 20, "bytes_per_step": 20 * 512, "largest_message": 512, "way": way}
        raw["ranks"]["sums"] = {"per_step": 20, "bytes_per_step": 20 * 512}
    raw["case"] = f"cg/cuda/textbook@64x64:{raw['config']}"
    return raw


class Devices(unittest.TestCase):
    """Settings that only one rank has, or only several, do not keep a baseline away."""

    def setUp(self):
        records = [on_devices(8.0), on_devices(9.0, graph_iterations=1), on_devices(5.0, 2, "store"), on_devices(6.0, 2, "copy"),
                   on_devices(1.0, check_interval=20)]
        self.section = section(dataset_of(*records), "scaling")

    def test_each_way_is_held_against_the_fastest_of_the_same_method_on_one_device(self):
        found = {row["partition"]: row["speedup"].value for row in table(self.section, "scaling-strong")}
        self.assertEqual({way: round(value, 9) for way, value in found.items()}, {"slabs, copy": round(8 / 6, 9), "slabs, store": 8 / 5})

    def test_each_way_has_a_line_of_its_own(self):
        (panel,) = self.section.figures[0].panels
        self.assertEqual({s.label for s in panel.series if s.style == "solid"}, {"textbook, slabs, copy", "textbook, slabs, store"})


class Scaling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = dataset_of(*records())
        cls.section = section(cls.dataset, "scaling")

    def row(self, key: str, **wanted) -> dict:
        (found,) = [r for r in table(self.section, key) if all(str(r[k]) == v for k, v in wanted.items())]
        return found

    def test_strong_scaling_is_held_against_the_same_method_the_fastest_one_and_openmp(self):
        row = self.row("scaling-strong", ranks="2", partition="slabs", grid="64×64")
        self.assertAlmostEqual(row["speedup"].value, 8 / 4.2)
        self.assertAlmostEqual(row["efficiency"].value, 8 / 4.2 / 2)
        self.assertAlmostEqual(row["efficiency_best"].value, 6 / 4.2 / 2)
        self.assertAlmostEqual(row["openmp"].value, 4.0 / 4.2)
        self.assertAlmostEqual(row["lost"], (4.2 - 8 / 2) / ITERATIONS)
        shares = {part: row[part] for part in ("redundant", "imbalance", "exchange", "sums", "waiting")}
        # Work is 0.45 on average, and 0.5 on the busier rank; the rest of the step is waiting.
        expected = {"redundant": 0.1, "imbalance": 0.05, "exchange": 0.2, "sums": 0.1, "waiting": 0.1}
        self.assertEqual({part: round(value, 9) for part, value in shares.items()}, expected)

    def test_a_speedup_above_the_number_of_ranks_is_said_to_be_another_regime(self):
        found = section(dataset_of(cg(8.0, cache={"regime": "memory"}), cg(3.0, 2, cache={"regime": "cache"})), "scaling")
        self.assertIn("1 row of 1 are more times as fast than there are ranks: another regime", found.finding)
        self.assertEqual(table(found, "scaling-strong")[0]["regime"], "memory → cache")

    def test_openmp_with_another_number_of_threads_is_no_rival(self):
        self.assertIsNone(self.row("scaling-strong", ranks="4")["openmp"])

    def test_weak_scaling_is_held_against_one_rank_on_the_grid_of_a_rank(self):
        (row,) = table(self.section, "scaling-weak")
        self.assertEqual((row["grid"], row["grid_of_one"], row["ranks"]), ("64×128", "64×64", 2))
        self.assertAlmostEqual(row["efficiency"].value, 8 / 9)

    def test_a_grid_that_does_not_grow_with_the_ranks_is_not_weak_scaling(self):
        found = section(dataset_of(cg(8.0), cg(5.0, 2, grid=(64, 96))), "scaling")
        self.assertEqual([t.key for t in found.tables], ["scaling-strong"])
        self.assertIn("No case of several ranks has one of one rank", found.finding)

    def test_the_fastest_of_another_run_is_no_baseline(self):
        both = dataset_of(cg(8.0), cg(4.2, 2), cg(1.0, method="fused"))
        both.records[2].file = Path("another.jsonl")
        (row,) = table(section(both, "scaling"), "scaling-strong")
        self.assertAlmostEqual(row["efficiency_best"].value, 8 / 4.2 / 2)

    def test_copies_are_held_against_one_rank_on_their_own_grid_and_are_no_strong_scaling(self):
        found = section(dataset_of(cg(8.0), cg(9.0, 2, "copies")), "scaling")
        self.assertEqual([t.key for t in found.tables], ["scaling-weak"])
        self.assertAlmostEqual(table(found, "scaling-weak")[0]["efficiency"].value, 8 / 9)

    def test_gathered_coarse_levels_are_a_line_of_their_own_and_have_the_same_baseline(self):
        gathered = cg(4.4, 2)
        gathered["config"] |= {"coarse": "gathered", "gather_cells": 2048}
        gathered["case"] += "gathered"
        repeated = cg(4.2, 2)
        repeated["config"] |= {"coarse": "redundant", "gather_cells": 2048}
        found = section(dataset_of(cg(8.0), repeated, gathered), "scaling")
        self.assertEqual([r["partition"] for r in table(found, "scaling-strong")], ["slabs", "slabs, gathered"])
        lines = [s.label for s in found.figures[0].panels[0].series]
        self.assertEqual(lines, ["textbook, slabs", "textbook, slabs, gathered", "ideal"])
        self.assertTrue(all(r["speedup"] for r in table(found, "scaling-strong")))

    def test_the_page_says_what_joins_the_ranks_and_that_nothing_is_known_of_a_message(self):
        self.assertEqual(self.section.text, ["Ranks are joined by threads. No record of the kernel `halo` says what a message costs."])

    def test_another_tolerance_is_another_problem(self):
        other = cg(1.0, workload={"problem": "manufactured", "tolerance": 0.5})
        found = section(dataset_of(other, cg(4.2, 2)), "scaling")
        self.assertIsNone(table(found, "scaling-strong")[0]["speedup"])

    def test_a_line_begins_at_one_rank_and_the_ideal_one_at_the_fastest(self):
        (strong, efficiency, weak, parts) = self.section.figures
        lines = {s.label: [(p.x, p.y.value * ITERATIONS) for p in s.points] for s in strong.panels[0].series}
        self.assertEqual(lines["textbook, slabs"], [(1, 8.0), (2, 4.2), (4, 2.5)])
        self.assertEqual(lines["textbook, blocks"], [(1, 8.0), (2, 4.4)])
        self.assertEqual(lines["openmp"], [(2, 4.0)])
        self.assertEqual(lines["ideal"], [(1, 6.0), (4, 1.5)])
        ideal = next(s for s in weak.panels[0].series if s.label == "ideal")
        self.assertEqual([p.y.value * ITERATIONS for p in ideal.points], [8.0, 8.0])
        shares = {part.label: part.share for part in parts.panels[0].bars[0][1]}
        self.assertEqual({k: round(v, 9) for k, v in shares.items()},
                         {"work": 0.45, "redundant": 0.1, "imbalance": 0.05, "exchange": 0.2, "sums": 0.1, "waiting": 0.1})
        e = {s.label: [(p.x, round(p.y.value, 6)) for p in s.points] for s in efficiency.panels[0].series}
        self.assertEqual(e["textbook, slabs"], [(1, 1.0), (2, 0.952381), (4, 0.8)])

    def test_other_sections_compare_cases_of_one_rank(self):
        rows = [r for s in sections_of(self.dataset) if s.key in ("time", "speedup") for t in s.tables for r in t.rows]
        self.assertTrue(rows)
        self.assertFalse([r for r in rows if "64×128" in r])
        fastest = {r["grid"]: r for r in table(section(self.dataset, "time"), "time-solver")}["64×64"]
        self.assertAlmostEqual(fastest["serial"].value * ITERATIONS, 6.0)

    def test_the_threads_of_a_serial_case_are_its_ranks(self):
        self.assertEqual([Record(raw).threads for raw in records()], [1, 1, 2, 4, 2, 2, 2])

    def test_every_figure_can_be_drawn(self):
        for figure in self.section.figures:
            for panel in figure.panels:
                with self.subTest(panel.title):
                    self.assertTrue(draw(panel, Palette(self.dataset), "x"))

    def test_every_format_shows_it(self):
        made = sections_of(self.dataset)
        for text in (markdown.render(made, "ranks"), terminal.render(made, "ranks", False), html.render(made, "ranks", self.dataset)):
            self.assertIn("Strong scaling", text)

    def test_without_ranks_the_section_says_how_to_ask_for_them(self):
        self.assertIn("axis `ranks`", section(dataset_of(cg(8.0)), "scaling").empty)


if __name__ == "__main__":
    unittest.main()

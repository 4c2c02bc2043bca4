"""Time by routine: its table, and bars of shares."""

import re
import unittest

import support
from support import dataset_of, section, solver, table

from cfdmark.records.records import Record
from cfdmark.report.drawing import draw
from cfdmark.report.model import BarPanel
from cfdmark.report.palette import Palette
from cfdmark.report.sections.routines import MOST_PARTS


def timed(samples=(10.0,) * 6, iterations=10, **more) -> dict:
    """A solve of ten iterations whose routines take 9 s, 2 s and 1 s, where it takes 10 s as a whole."""
    told = [("dot", 2.0, 20), ("apply", 9.0, 10), ("update", 1.0, 10)]
    routines = [{"name": name, "seconds": seconds, "calls": calls} for name, seconds, calls in told]
    return solver(list(samples), iterations, **{"solved": {"routines": routines}, **more})


def widths(svg: str) -> dict[str, float]:
    """Of the drawn parts of a bar."""
    found = {}
    for line, path in re.findall(r'<g class="mark" data-line="([^"]*)">.*?<path d="([^"]*)"', svg):
        xs = [float(x) for x in re.findall(r"[ML] (-?[\d.]+) ", path)]
        found[line] = max(xs) - min(xs)
    return found


class Table(unittest.TestCase):
    def test_has_of_each_routine_calls_time_and_share_of_an_iteration(self):
        rows = table(section(dataset_of(timed()), "routines"), "routines")
        told = [(r["routine"], r["calls"], r["seconds"], r["share"]) for r in rows]
        self.assertEqual(told, [("apply", 1.0, 0.9, 0.75), ("dot", 2.0, 0.2, 2 / 12), ("update", 1.0, 0.1, 1 / 12)])

    def test_has_a_line_for_each_grid_of_multigrid_finest_first(self):
        levels = [{"name": "65x65", "seconds": 6.0, "calls": 40}, {"name": "32x32", "seconds": 3.0, "calls": 40}]
        routines = [{"name": "smooth", "seconds": 9.0, "calls": 40}]
        found = section(dataset_of(timed(solved={"routines": routines, "level_times": levels})), "routines")
        told = [(r["level"], r["calls"], r["seconds"], r["share"]) for r in table(found, "levels")]
        self.assertEqual(told, [("65x65", 4.0, 0.6, 6 / 9), ("32x32", 4.0, 0.3, 3 / 9)])
        self.assertEqual(len(section(dataset_of(timed()), "routines").tables), 1)

    def test_has_of_each_grid_its_routines_too_if_they_were_recorded(self):
        levels = [
            {"name": "65x65 smooth", "seconds": 5.0, "calls": 40},
            {"name": "65x65 smooth and restrict", "seconds": 1.0, "calls": 20},
            {"name": "32x32 smooth", "seconds": 3.0, "calls": 40},
        ]
        routines = [{"name": "smooth", "seconds": 9.0, "calls": 80}]
        found = section(dataset_of(timed(solved={"routines": routines, "level_times": levels})), "routines")
        told = [
            (r["level"], r["calls"], r["seconds"], r["of_smooth"], r["of_smooth and restrict"])
            for r in table(found, "levels")
        ]
        self.assertEqual(told, [("65x65", 6.0, 0.6, 0.5, 0.1), ("32x32", 4.0, 0.3, 0.3, None)])

    def test_is_of_each_row_on_its_largest_grid(self):
        rows = table(
            section(dataset_of(timed(), timed(grid=[64, 64]), timed(backend="openmp", grid=[16, 16])), "routines"),
            "routines",
        )
        self.assertEqual(
            {(r["row"], r["grid"]) for r in rows}, {("serial/plain", "64×64"), ("openmp/plain", "16×16")}
        )

    def test_leaves_out_what_no_one_timed_by_routine(self):
        found = section(dataset_of(timed(), solver([4.0] * 6, 20, name="cg")), "routines")
        self.assertEqual({r["solver"] for r in table(found, "routines")}, {"sor"})

    def test_says_how_to_time_by_routine_where_nothing_was(self):
        found = section(dataset_of(solver([4.0] * 6, 20)), "routines")
        self.assertIn("`routines: true`", found.empty)
        self.assertEqual((found.tables, found.figures), ([], []))


class Words(unittest.TestCase):
    def test_name_what_takes_most_in_the_fastest_row(self):
        slow = timed(samples=[90.0] * 6, backend="openmp")
        self.assertEqual(
            section(dataset_of(slow, timed()), "routines").finding,
            "sor on serial/plain at 8×8 (fp64): apply 75 %, dot 17 % and update 8 %.",
        )

    def test_tell_how_much_longer_routines_take_by_themselves(self):
        (text,) = section(dataset_of(timed(), timed(samples=[24.0] * 6, backend="openmp")), "routines").text
        self.assertIn("take 0.50 to 1.20 times its iteration", text)


class Bars(unittest.TestCase):
    def test_are_as_wide_as_their_shares(self):
        (figure,) = section(dataset_of(timed()), "routines").figures
        (panel,) = figure.panels
        drawn = widths(draw(panel, Palette(dataset_of(timed())), "a"))
        whole = sum(drawn.values())
        for name, share in {"apply": 9 / 12, "dot": 2 / 12, "update": 1 / 12}.items():
            self.assertAlmostEqual(drawn[name] / whole, share, delta=0.002)

    def test_draw_what_takes_least_as_one_and_lose_nothing(self):
        many = [{"name": f"part {n}", "seconds": float(n), "calls": 1} for n in range(1, 12)]
        (figure,) = section(dataset_of(timed(solved={"routines": many})), "routines").figures
        ((_, parts, _),) = figure.panels[0].bars
        self.assertEqual(len(parts), MOST_PARTS + 1)
        self.assertEqual(parts[0].label, "part 11")
        self.assertEqual(parts[-1].label, "others")
        self.assertAlmostEqual(parts[-1].share, (1 + 2 + 3) / 66)
        self.assertAlmostEqual(sum(part.share for part in parts), 1.0)

    def test_have_one_colour_and_place_for_a_routine_in_all_rows_of_a_solver(self):
        turned = [{"name": n, "seconds": s, "calls": 1} for n, s in (("update", 3.0), ("apply", 2.0))]
        data = dataset_of(timed(), timed(backend="openmp", solved={"routines": turned}))
        (figure,) = section(data, "routines").figures
        ((_, one, _), (_, other, _)) = figure.panels[0].bars
        colours = {part.label: part.colour for part in one}
        self.assertEqual([part.label for part in other], ["apply", "update"])
        self.assertEqual([part.colour for part in other], [colours["apply"], colours["update"]])
        self.assertEqual(len(set(colours.values())), 3)

    def test_are_a_panel_a_precision_and_a_figure_a_solver(self):
        data = dataset_of(timed(), timed(precision="fp32"), timed(name="cg"))
        figures = section(data, "routines").figures
        self.assertEqual([len(f.panels) for f in figures], [2, 1])
        self.assertTrue(all(isinstance(p, BarPanel) for f in figures for p in f.panels))


class Records(unittest.TestCase):
    def test_of_wrong_routines_the_good_ones_count(self):
        good = {"name": "dot", "seconds": 2, "calls": "x"}
        told = [good, 7, {"name": 3, "seconds": 1}, {"name": "a", "seconds": -1}, {"name": "b", "seconds": "1"}]
        (kept,) = Record(timed(solved={"routines": told})).routines
        self.assertEqual((kept.name, kept.seconds, kept.calls), ("dot", 2.0, None))
        self.assertEqual(Record(timed(solved={"routines": "none"})).routines, [])


if __name__ == "__main__":
    unittest.main()

"""Layouts that a kernel of one's own can take: of all that were measured."""

import contextlib
import io
import json
import unittest
from unittest import mock

import support

from cfdmark.export import command, own_kernel


def of_two_sizes(small: dict[str, float], large: dict[str, float], **changes) -> dict:
    """A pipelined layout for two sizes, with the seconds that others took there."""
    winner = support.choice("pipelined", 1.0, sweeps=16)
    sizes = [
        {"grid": [side, side], "winner": winner, "measured": {"pipelined:sweeps=16": 1.0, **seconds}, "gain": {"value": 2.0}}
        for side, seconds in ((64, small), (128, large))
    ]
    told = {"range": {"least_cells": 3000, "most_cells": 20000, "regret": 1.0, "sizes": sizes}, "ties": {}, "winner": winner}
    told |= {"holds": {"least_cells": 3000, "most_cells": 20000}, "current": True, "default": {"method": "x", "config": {}}}
    return support.layout("A", "compute capability 9.0", "fp64", [128, 128], 16, **(told | changes))


class Start(unittest.TestCase):
    def test_is_the_best_of_one_step_a_launch_by_its_worst_size(self):
        layout = of_two_sizes({"plain:block_x=32": 2.0, "plain:block_x=64": 1.2, "repeated:block_x=8": 1.1},
                              {"plain:block_x=32": 2.1, "plain:block_x=64": 3.0})  # fmt: skip
        start = own_kernel.start_of(layout)
        self.assertEqual((start.choice, start.cost_text()), ({"method": "plain", "config": {"block_x": 32}}, "2.100"))

    def test_says_where_it_was_not_measured_at_all_sizes(self):
        start = own_kernel.start_of(of_two_sizes({"plain:block_x=32": 2.0}, {}))
        self.assertEqual(start.cost_text(), "2.000 at 1 of 2 sizes")

    def test_is_none_of_a_solver_and_where_none_was_measured(self):
        self.assertIsNone(own_kernel.start_of(of_two_sizes({}, {})))
        self.assertIsNone(own_kernel.start_of(of_two_sizes({"plain": 1.0}, {"plain": 1.0}, kind="solver")))

    def test_settings_are_read_as_they_were_written(self):
        read = own_kernel.choice_of("plain:block_x=64,omega=1.5,schedule=guided,rows=fit")
        self.assertEqual(read["config"], {"block_x": 64, "omega": 1.5, "schedule": "guided", "rows": "fit"})
        self.assertEqual(own_kernel.choice_of("plain"), {"method": "plain", "config": {}})


class OfOneMethod(unittest.TestCase):
    def test_has_the_best_of_the_method_its_gain_and_what_it_costs(self):
        layout = of_two_sizes({"plain:block_x=32": 2.0}, {"plain:block_x=32": 3.0, "plain:block_x=64": 2.5})
        layout["range"]["unconfirmed_regret"] = 9.0
        (plain,) = own_kernel.of_method([layout], "plain")
        self.assertEqual(plain["winner"], {"method": "plain", "config": {"block_x": 32}, "median": 3.0})
        self.assertEqual((plain["range"]["regret"], plain["range"].get("unconfirmed_regret")), (3.0, None))
        self.assertEqual(plain["holds"], layout["holds"])
        self.assertEqual(own_kernel.of_method([layout], "tiled"), [])

    def test_holds_where_it_was_measured_only(self):
        (plain,) = own_kernel.of_method([of_two_sizes({"plain:block_x=32": 2.0}, {})], "plain")
        self.assertEqual((plain["grid"], plain["holds"]), ([64, 64], {"least_cells": 64 * 64 / 1.25, "most_cells": 64 * 64 * 1.25}))

    def test_a_search_over_it_alone_counts_before_what_another_search_measured(self):
        layout = of_two_sizes({"plain:block_x=32": 2.0}, {"plain:block_x=32": 2.0})
        alone = of_two_sizes({}, {}, scope="plain", winner=support.choice("plain", 1.5, block_x=128))
        self.assertEqual(own_kernel.of_method([layout, alone], "plain"), [alone])


def run(found: list[dict], *words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    out.reconfigure = lambda **_: None
    with mock.patch("sys.stdin", io.StringIO(json.dumps(found))), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return command.layouts_main(list(words)), out.getvalue(), err.getvalue()


class Command(unittest.TestCase):
    def test_a_dash_is_the_standard_output_and_nothing_else_is_printed(self):
        status, out, _ = run(support.two_devices(), "--json", "-")
        self.assertEqual((status, json.loads(out)), (0, support.two_devices()))

    def test_two_files_on_the_standard_output_are_an_error(self):
        status, out, err = run(support.two_devices(), "--json", "-", "--csv", "-")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--json - and --csv -: only one of them can go to the standard output", err)

    def test_a_method_that_was_not_measured_is_an_error_that_names_those_that_were(self):
        status, out, err = run(support.two_devices(), "--method", "plian", "--json", "-")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--method plian: no layout of this method was measured; there are column, plain, vector", err)


if __name__ == "__main__":
    unittest.main()

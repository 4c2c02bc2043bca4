"""What the report says of flows, from records whose answer is known by hand."""

import unittest

from support import dataset_of, section, sections_of, solver, table

MARCHI = [{"name": "u_min", "value": -0.2, "source": "somebody"}]


def flow(grid, u_min=-0.21, samples=(8.0,) * 6, iterations=4, **changes):
    """1000 bytes a cell an iteration at a roof of 8000 bytes a second, whose half it reaches on 8 x 8 cells."""
    cells = grid[0] * grid[1]
    solved = {"residuals": {"momentum": 1e-7, "continuity_residual": 1e-9}, "u_min": u_min, "published": MARCHI}
    solved.update(changes.pop("solved", {}))
    bandwidth = 1000 * cells * iterations / samples[0]
    record = solver(
        list(samples),
        iterations,
        name="projection",
        grid=grid,
        label="projection;problem=cavity,reynolds=100",
        cost={"bytes": 1000.0 * cells * iterations, "cells": 20.0 * cells * iterations},
        rate={"bytes_per_second": bandwidth, "roof_fraction": bandwidth / 64000},
        roof={"bytes_per_second": 64000.0},
        cache={"regime": "memory"},
        **changes,
        solved=solved,
    )
    return record | {"workload": {"problem": "cavity", "reynolds": 100}}


class Steps(unittest.TestCase):
    def test_a_step_counts_each_cell_once_and_is_compared_with_its_traffic(self):
        (row,) = table(section(dataset_of(flow([8, 8])), "flows"), "steps")
        self.assertEqual((row["time"].value, row["rate"], row["updates"], row["traffic"]), (2.0, 0.5, 32.0, 1000.0))
        self.assertAlmostEqual(row["times"].value, 2.0)  # 64,000 bytes in 2 s, where the roof takes 1 s
        self.assertAlmostEqual(row["bound"], 1.0)

    def test_without_a_roof_there_is_no_bound(self):
        record = flow([8, 8])
        del record["roof"], record["rate"]["roof_fraction"]
        (row,) = table(section(dataset_of(record), "flows"), "steps")
        self.assertEqual((row["times"], row["bound"]), (None, None))

    def test_piso_is_of_first_order_in_time_and_its_inner_residual_is_reported(self):
        def piso(left):
            return flow([8, 8], solved={"inner_residual": left}) | {"name": "piso", "method": "rhie_chow"}

        told = section(dataset_of(piso(0.04)), "flows")
        self.assertIn("1 row of PISO leaves more than 0.001 of the residual of momentum", told.finding)
        self.assertIn("at 8×8 0.04", told.finding)
        self.assertIn("first order", told.note)
        self.assertNotIn("of the residual of momentum", section(dataset_of(piso(9e-4)), "flows").finding)
        self.assertNotIn("first order", section(dataset_of(flow([8, 8])), "flows").note)

    def test_a_linear_solver_is_no_flow(self):
        self.assertIn("No flow", section(dataset_of(solver([1.0] * 6, 3)), "flows").empty)


class Published(unittest.TestCase):
    def rows(self, *records):
        return table(section(dataset_of(*records), "flows"), "published")

    def test_the_accuracy_that_de_vahl_davis_claims_is_shown_for_older_records_too(self):
        known = {"name": "u_min", "value": -0.2, "source": "de Vahl Davis 1983"}
        for rayleigh, claimed in ((1e3, "0.1 %"), (1e6, "1 %")):
            record = flow([8, 8], solved={"published": [known]})
            record["workload"]["rayleigh"] = rayleigh
            (row,) = self.rows(record)
            self.assertEqual(row["source"], f"de Vahl Davis 1983, within {claimed}")

    def test_values_are_compared_with_published_ones_and_have_an_observed_order(self):
        coarse, fine = self.rows(flow([8, 8], -0.21), flow([16, 16], -0.2025))
        self.assertAlmostEqual(coarse["deviation"], 0.05)
        self.assertAlmostEqual(fine["deviation"], 0.0125)
        self.assertEqual(coarse["order"], None)
        self.assertAlmostEqual(fine["order"], 2)
        self.assertEqual((fine["here"], fine["published"], fine["source"]), ("-0.2025", "-0.2", "somebody"))

    def test_the_finding_shows_the_ends_of_the_finest_grids(self):
        found = section(dataset_of(flow([8, 8], -0.2001), flow([16, 16], -0.2025)), "flows").finding
        self.assertIn("2 values are compared with", found)
        self.assertIn("differ by 1.2 % (u_min of cavity with reynolds=100, 16×16) to 1.2 %", found)

    def test_a_difference_from_a_whole_profile_is_what_it_is_off_by(self):
        def along(difference):
            known = {"name": "profile_difference", "value": 0, "source": "somebody"}
            return {"published": [known], "profile_difference": difference}

        coarse, fine = self.rows(flow([8, 8], solved=along(0.04)), flow([16, 16], solved=along(0.01)))
        self.assertEqual((coarse["deviation"], fine["deviation"], fine["published"]), (0.04, 0.01, "0"))
        self.assertAlmostEqual(fine["order"], 2)

    def test_the_usual_reynolds_number_is_reported_too(self):
        usual = flow([8, 8]) | {"label": "projection;problem=cavity"}
        heated = flow([8, 8]) | {"workload": {"problem": "natural_convection", "rayleigh": 1e4}, "label": "projection"}
        hot = flow([8, 8]) | {
            "workload": {"problem": "natural_convection", "rayleigh": 1e4, "prandtl": 7.0},
            "label": "projection;problem=natural_convection,prandtl=7",
        }
        self.assertEqual(
            [self.rows(r)[0]["what"] for r in (usual, heated, hot)],
            [
                "cavity with reynolds=100",
                "natural_convection with rayleigh=10000",
                "natural_convection with prandtl=7, rayleigh=10000",
            ],
        )

    def test_an_error_that_changes_its_sign_has_no_order(self):
        self.assertEqual([r["order"] for r in self.rows(flow([8, 8], -0.21), flow([16, 16], -0.199))], [None, None])

    def test_backends_with_the_same_digits_share_a_line(self):
        (row,) = self.rows(flow([8, 8]), flow([8, 8], backend="openmp"))
        self.assertEqual(row["rows"], "serial/plain, openmp/plain")

    def test_another_scheme_is_another_flow(self):
        both = self.rows(flow([8, 8]), flow([16, 16], -0.2025, config={"convection": "upwind"}))
        self.assertEqual([r["order"] for r in both], [None, None])
        self.assertIn("upwind", both[1]["what"])

    def test_a_flow_on_its_way_is_compared_with_nothing(self):
        found = section(dataset_of(flow([8, 8], solved={"true_residual": 1e-3})), "flows")
        self.assertEqual([t.key for t in found.tables], ["steps"])


class AccuracyFirst(unittest.TestCase):
    GRIDS = [flow([n, n], u_min=-0.2 * (1 + 1.6 / n**2), solved={"error_u_l2": 8.0 / n}) for n in (8, 16, 32)]

    def test_a_report_without_rivals_opens_with_values_orders_and_errors(self):
        first, second = sections_of(dataset_of(*self.GRIDS))[:2]
        self.assertEqual((first.key, first.figures[0].key, first.tables[0].key), ("flows", "errors", "published"))
        self.assertEqual((second.key, second.cards), ("headline", []))
        orders = [row["order"] for row in table(first, "published")]
        self.assertIsNone(orders[0])
        self.assertAlmostEqual(orders[2], 2.0, delta=0.02)  # values have five digits

    def test_the_figure_has_the_difference_at_each_width_of_a_cell(self):
        lines = {s.label: [(p.x, p.y.value) for p in s.points] for s in section(dataset_of(*self.GRIDS), "flows").figures[0].panels[0].series}
        self.assertEqual(list(lines), ["u min", "error u l2", "order 2"])
        for n, (h, difference) in zip((32, 16, 8), lines["u min"]):
            self.assertEqual(h, 1 / n)
            self.assertAlmostEqual(difference, 1.6 / n**2, delta=3e-5)
        self.assertEqual(lines["error u l2"], [(1 / n, 8.0 / n) for n in (32, 16, 8)])
        (h0, low), (h1, high) = lines["order 2"]
        self.assertAlmostEqual(high / low, (h1 / h0) ** 2)

    def test_a_report_that_compares_rows_opens_with_who_is_fastest(self):
        rivals = [flow([8, 8], samples=(4.0,) * 6) | {"backend": "openmp", "case": "other"}]
        self.assertEqual(sections_of(dataset_of(*self.GRIDS, *rivals))[0].key, "headline")

    def test_one_grid_has_no_line(self):
        self.assertEqual(section(dataset_of(self.GRIDS[0]), "flows").figures, [])
        self.assertEqual(sections_of(dataset_of(self.GRIDS[0]))[0].key, "headline")


if __name__ == "__main__":
    unittest.main()

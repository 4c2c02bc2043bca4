"""Shares of a solve's time by routine."""

import unittest

import support  # noqa: F401  (finds the packages)
from support import solver

from cfdmark.records.records import Record
from cfdmark.reproduce.measured import Absent
from cfdmark.reproduce.routines import SHARES, STEP


def step(**seconds: float) -> Record:
    told = [{"name": name.replace("_", " "), "seconds": s, "calls": 10} for name, s in seconds.items()]
    return Record(solver("projection", "serial/fp64/plain", 64, 1.0, facts={"routines": told}))


class SharesOfAStep(unittest.TestCase):
    def test_are_of_all_its_routines_and_add_up_to_the_whole(self):
        record = step(smooth=4, coarsest=1, momentum_fluxes=2, residual=1, restrict=0.5, divergence=1.5)
        self.assertAlmostEqual(SHARES["sweeping"](record), 0.5)
        self.assertAlmostEqual(SHARES["advance"](record), 0.2)
        self.assertAlmostEqual(SHARES["pressure"](record), 0.65)
        self.assertAlmostEqual(sum(SHARES[part](record) for part in STEP), 1.0)

    def test_are_of_any_solver_of_the_pressure(self):
        record = step(apply=3, dot=2, update=1, momentum_fluxes=1, eddy_viscosity=0.25, eddy_stress=0.25, divergence=0.5)
        self.assertAlmostEqual(SHARES["pressure"](record), 0.75)
        self.assertAlmostEqual(SHARES["eddies"](record), 0.0625)

    def test_are_absent_where_a_routine_belongs_to_no_part(self):
        with self.assertRaisesRegex(Absent, "a routine of no known part: guess"):
            SHARES["sweeping"](step(smooth=1, divergence=1, guess=1))

    def test_are_absent_where_nothing_was_timed_by_routine(self):
        for record in (step(), step(smooth=1, restrict=1)):
            with self.assertRaisesRegex(Absent, "has no time of each routine of a step"):
                SHARES["pressure"](record)


class SharesOfACycle(unittest.TestCase):
    def test_are_of_its_parts_alone(self):
        record = step(smooth=3, coarsest=1, restrict=2, prolong=2, residual=100, divergence=7)
        self.assertAlmostEqual(SHARES["smoothing"](record), 0.5)
        self.assertAlmostEqual(SHARES["prolongation"](record), 0.25)

    def test_the_operator_of_coarse_grids_is_named_and_no_part_of_a_cycle(self):
        record = step(smooth=3, coarsest=1, restrict=2, prolong=2, coarsen_operator=8)
        self.assertAlmostEqual(SHARES["smoothing"](record), 0.5)
        self.assertAlmostEqual(SHARES["coarsening"](record), 0.5)
        self.assertAlmostEqual(SHARES["transfer"](step(smooth=1, coarsen_operator=1, divergence=2)), 0.25)

    def test_are_absent_where_a_part_is_missing(self):
        with self.assertRaisesRegex(Absent, "no time of each part of a cycle"):
            SHARES["restriction"](step(smooth=3, prolong=1))


if __name__ == "__main__":
    unittest.main()

"""Devices side by side, from hand-made tables of two and three."""

import unittest

import support  # noqa: F401  the path of the modules

from cfdmark.export.across_devices import CARRIES_OVER, add_measured, asked_of, carried, devices_of, starts

SIZES = ([256, 256], [1024, 1024])


def layout(device: str, winners: list[str], measured: list[dict], source: str = "abc", **others) -> dict:
    """Returns an answer for the two sizes; `measured` has the time of a block by its threads along x."""

    def choice(x: str, times: dict) -> dict:
        return {"method": "plain", "config": {"block_x": int(x)}, "median": times[x], "samples": 30}

    sizes = []
    for grid, times in zip(SIZES, measured):
        texts = {f"plain:block_x={x}": seconds for x, seconds in times.items()}
        sizes.append({"grid": grid, "winner": choice(winners[0], times), "measured": texts})
    return {
        "device": device, "architecture": "", "kind": "kernel", "name": "jacobi", "backend": "cuda", "precision": "fp64",
        "scope": "all", "grid": SIZES[-1], "workload": {"operator": "constant"}, "source_hash": source,
        "winner": sizes[-1]["winner"], "range": {"sizes": sizes}, **others,
    }  # fmt: skip


ONE = layout("One", ["32"], [{"32": 1.0, "64": 1.5}, {"32": 10.0, "64": 10.1}])
# 32 is half as fast again as 64 on the small size, and a tie on the large one.
TWO = layout("Two", ["64"], [{"32": 3.0, "64": 2.0}, {"32": 20.2, "64": 20.0}])


class TwoDevices(unittest.TestCase):
    def test_a_wrong_layout_costs_what_the_other_device_measured_of_it(self):
        found = carried(devices_of([ONE, TWO]), "One", "Two")
        self.assertEqual([(c.size, c.layout, c.own) for c in found], [((256, 256), "plain:block_x=32", "plain:block_x=64"), ((1024, 1024), "plain:block_x=32", "plain:block_x=64")])
        self.assertAlmostEqual(found[0].cost, 1.5)
        self.assertAlmostEqual(found[1].cost, 1.01)
        self.assertEqual([c.carries_over for c in found], [False, True])
        back = carried(devices_of([ONE, TWO]), "Two", "One")
        self.assertAlmostEqual(back[0].cost, 1.5)
        self.assertAlmostEqual(back[1].cost, 1.01)

    def test_what_was_not_measured_there_is_not_known(self):
        two = layout("Two", ["64"], [{"64": 2.0}, {"64": 20.0}])
        found = carried(devices_of([ONE, two]), "One", "Two")
        self.assertEqual([(c.cost, c.carries_over) for c in found], [(None, None)] * 2)

    def test_a_recorded_space_has_what_the_table_lacks(self):
        two = layout("Two", ["64"], [{"64": 2.0}, {"64": 20.0}])
        devices = devices_of([ONE, two])
        # The table's own time of 64 stays.
        times = {"plain:block_x=32": 2.5, "plain:block_x=64": 9.0}
        add_measured(devices, "Two", asked_of(ONE), (256, 256), None, times)
        add_measured(devices, "Two", asked_of(ONE), (1024, 1024), "another source", {"plain:block_x=32": 30.0})
        found = carried(devices, "One", "Two")
        self.assertAlmostEqual(found[0].cost, 1.25)
        self.assertIsNone(found[1].cost)

    def test_the_same_layout_carries_over(self):
        two = layout("Two", ["32"], [{"32": 2.0}, {"32": 20.0}])
        found = carried(devices_of([ONE, two]), "One", "Two")
        self.assertEqual([(c.same, c.cost, c.carries_over) for c in found], [(True, 1.0, True)] * 2)

    def test_other_sources_workloads_and_objectives_and_single_methods_are_not_compared(self):
        others = [
            layout("Two", ["64"], [{"64": 2.0}, {"64": 20.0}], source="def"),
            TWO | {"workload": {"operator": "arrays"}},
            TWO | {"precision": "fp32"},
            TWO | {"scope": "plain"},
            TWO | {"objective": "energy"},
        ]
        for other in others:
            devices = devices_of([ONE, other])
            self.assertEqual(carried(devices, "One", "Two") if "Two" in devices else [], [])

    def test_ties_of_an_entry_count_at_its_own_size_only(self):
        two = layout("Two", ["64"], [{"64": 2.0}, {"64": 20.0}], ties={"plain:block_x=128": 20.4})
        one = layout("One", ["128"], [{"128": 1.0}, {"128": 10.0}])
        self.assertEqual([c.cost for c in carried(devices_of([one, two]), "One", "Two")], [None, 1.02])
        self.assertLessEqual(1.02, CARRIES_OVER)


class AThirdDevice(unittest.TestCase):
    def test_it_starts_from_the_least_worst_regret_by_hand(self):
        # 48 is the best nowhere and at most 4 % behind; the others lose 50 % at the small size.
        one = layout("One", ["32"], [{"32": 1.0, "48": 1.04, "64": 1.5}, {"32": 10.0, "48": 10.1, "64": 10.05}])
        two = layout("Two", ["64"], [{"32": 3.0, "48": 2.02, "64": 2.0}, {"32": 20.0, "48": 20.2, "64": 20.1}])
        (start,) = starts(devices_of([one, two]))
        self.assertEqual((start.layout, start.sizes, start.worst_on), ("plain:block_x=48", ((256, 256), (1024, 1024)), "One"))
        self.assertAlmostEqual(start.regret, 1.04)

    def test_sizes_part_where_no_layout_suits_both(self):
        one = layout("One", ["32"], [{"32": 1.0, "64": 1.5}, {"32": 15.0, "64": 10.0}])
        two = layout("Two", ["32"], [{"32": 2.0, "64": 3.0}, {"32": 30.0, "64": 20.0}])
        found = starts(devices_of([one, two]))
        self.assertEqual([(s.layout, s.sizes) for s in found], [("plain:block_x=32", ((256, 256),)), ("plain:block_x=64", ((1024, 1024),))])

    def test_what_not_all_devices_measured_is_no_start(self):
        two = layout("Two", ["64"], [{"64": 2.0}, {"64": 20.0}])
        one = layout("One", ["32"], [{"32": 1.0}, {"32": 10.0}])
        self.assertEqual(starts(devices_of([one, two])), [])

    def test_the_worst_of_three_devices_counts(self):
        three = layout("Three", ["64"], [{"32": 1.2, "64": 1.0}, {"32": 1.0, "64": 1.0}])
        found = starts(devices_of([ONE, TWO, three]))
        small = next(s for s in found if (256, 256) in s.sizes)
        self.assertAlmostEqual(small.regret, 1.5)  # either layout, on One or on Two


if __name__ == "__main__":
    unittest.main()

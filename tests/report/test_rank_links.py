"""Links between ranks and the model of scaling, from invented records whose answer is known by hand."""

import unittest

from support import dataset_of, kernel, section, table

from cfdmark.records.rank_links import links_of
from cfdmark.report.drawing import draw
from cfdmark.report.palette import Palette
from cfdmark.stats.theil_sen import line, with_interval
from test_scaling import ITERATIONS, cg, on_devices

ALPHA, BETA = 2e-6, 4e9  # of the invented links
SUM, BYTE = 5e-6, 1e-10  # of a sum, and of each byte of its numbers
SIZES = [8, 1024, 16384, 65536, 1 << 20, 4 << 20, 8 << 20, 16 << 20]


def halo(size: int, ranks: int = 2, alpha: float = ALPHA) -> dict:
    """An exchange in which each rank sends two messages."""
    seconds = 2 * (alpha + size / BETA)
    raw = kernel(samples=[seconds] * 6, name="halo", backend="serial", method="memory", grid=[size // 8, 8], config={"ranks": ranks, "partition": "slabs"})
    exchange = {"messages_per_step": 2 * ranks, "bytes_per_step": 2 * ranks * size, "largest_message": size}
    raw["ranks"] = {"count": ranks, "joined_by": "threads", "exchange": exchange, "sums": {"per_step": 0}}
    raw["case"] = f"halo/serial/fp64/memory@{size // 8}x8:ranks={ranks}"
    return raw


def added(rows: int, ranks: int = 2) -> dict:
    """A sum over rows."""
    raw = kernel(samples=[SUM + BYTE * 8 * rows] * 6, name="sum_over_ranks", backend="serial", method="memory", grid=[1, rows], config={"ranks": ranks, "partition": "slabs"})
    raw["ranks"] = {"count": ranks, "joined_by": "threads", "sums": {"per_step": 1, "bytes_per_step": 8 * rows * (ranks - 1)}}
    raw["case"] = f"sum_over_ranks/serial/fp64/memory@1x{rows}:ranks={ranks}"
    return raw


def link_records(**more) -> list[dict]:
    return [*(halo(size, **more) for size in SIZES), *(added(rows) for rows in (64, 1024, 65536))]


def by_way(way: str, alpha: float = ALPHA) -> list[dict]:
    """Links between two devices."""
    raws = link_records(alpha=alpha)
    for raw in raws:
        raw["backend"] = "cuda"
        raw["config"]["exchange"] = way
        raw["ranks"].setdefault("exchange", {})["way"] = way
        raw["case"] = raw["case"].replace("serial", "cuda") + f",exchange={way}"
    return raws


def solve(seconds: float, work: list[float]) -> dict:
    """CG on two ranks: ten exchanges of a row of 64 cells, and twenty sums of the numbers of 64 rows, in a solve."""
    raw = cg(seconds, 2)
    raw["ranks"] |= {
        "exchange": {"messages_per_step": 20, "bytes_per_step": 20 * 512, "largest_message": 512},
        "sums": {"per_step": 20, "bytes_per_step": 20 * 512},
    }
    raw["ranks"] |= {"seconds": {"work": work, "exchange": [0.0, 0.0], "sums": [0.0, 0.0]}, "detail": {}}
    return raw


BY_HAND = 10 * (ALPHA + 512 / BETA) + 20 * (SUM + BYTE * 512)  # of its exchanges and sums


class TheilSen(unittest.TestCase):
    def test_a_line_is_found_through_points_of_which_one_is_far_off(self):
        self.assertEqual(line([(0, 1), (1, 3), (2, 5), (3, 700), (4, 9)]), (1, 2))

    def test_the_interval_encloses_the_value_and_is_the_same_again(self):
        points = [(x, 2 * x + (7 * x % 5) - 2) for x in range(12)]
        slope = with_interval(points, lambda found: found[1])
        self.assertLess(slope.low, 2)
        self.assertGreater(slope.high, 2)
        self.assertTrue(slope.low <= slope.value <= slope.high)
        self.assertEqual(slope, with_interval(points, lambda found: found[1]))

    def test_two_sizes_are_too_few(self):
        self.assertIsNone(with_interval([(1, 1), (1, 2), (2, 2)], lambda found: found[0]))
        with self.assertRaises(ValueError):
            line([(1, 1), (1, 2)])


class Links(unittest.TestCase):
    def test_latency_and_bandwidth_are_those_that_the_records_were_made_with(self):
        (links,) = links_of(dataset_of(*link_records())).values()
        for found, made in ((links.alpha, ALPHA), (links.beta, BETA), (links.sum_alpha, SUM), (links.sum_per_byte, BYTE)):
            self.assertAlmostEqual(found.value / made, 1, places=6)

    def test_a_slow_size_between_short_and_long_messages_changes_neither(self):
        records = link_records()
        records[4]["time"]["median"] *= 10
        (links,) = links_of(dataset_of(*records)).values()
        self.assertAlmostEqual(links.alpha.value / ALPHA, 1, places=6)
        self.assertAlmostEqual(links.beta.value / BETA, 1, places=6)

    def test_two_long_messages_give_no_bandwidth(self):
        (links,) = links_of(dataset_of(*link_records()[:7])).values()
        self.assertIsNone(links.beta)
        self.assertIsNone(links.time_of_messages(1, 8))

    def test_the_section_has_a_row_and_a_line_for_each_number_of_ranks(self):
        dataset = dataset_of(*link_records(), *(halo(size, 4, 3e-6) for size in SIZES))
        found = section(dataset, "rank-links")
        rows = table(found, "rank-links")
        self.assertEqual([(r["ranks"], round(r["latency"].value * 1e6, 6)) for r in rows], [(2, 2.0), (4, 3.0)])
        (panel,) = found.figures[0].panels
        self.assertEqual([s.label for s in panel.series if s.style == "solid"], ["2 ranks", "4 ranks"])
        self.assertTrue(draw(panel, Palette(dataset), "x"))
        self.assertIn("A message between 2 ranks joined by threads takes 2", found.finding)

    def test_each_way_between_devices_has_a_row_of_its_own(self):
        found = section(dataset_of(*by_way("store"), *by_way("copy", 3e-6)), "rank-links")
        self.assertEqual({r["way"]: round(r["latency"].value * 1e6, 6) for r in table(found, "rank-links")}, {"store": 2.0, "copy": 3.0})

    def test_exchanges_alone_are_no_scaling(self):
        self.assertIn("axis `ranks`", section(dataset_of(*link_records()), "scaling").empty)


class Model(unittest.TestCase):
    def built(self, seconds: float, work: list[float]):
        return section(dataset_of(cg(8e-4), solve(seconds, work), *link_records()), "scaling")

    def test_the_model_adds_the_busiest_rank_its_messages_and_sums(self):
        (row,) = table(self.built(5e-4 + BY_HAND, [4e-4, 5e-4]), "scaling-model")
        self.assertAlmostEqual(row["model"] / (5e-4 + BY_HAND), 1, places=6)
        self.assertEqual(row["drawn"], "yes")

    def test_work_of_devices_is_a_share_of_one_and_messages_are_those_of_their_way(self):
        step = 4e-4 + BY_HAND
        found = section(dataset_of(on_devices(8e-4), on_devices(step, 2, "store"), on_devices(step, 2, "copy"), *by_way("store")), "scaling")
        (row,) = table(found, "scaling-model")
        self.assertAlmostEqual(row["model"] / step, 1, places=6)
        self.assertEqual(row["partition"], "slabs, store")

    def test_copies_have_no_model(self):
        found = section(dataset_of(cg(8e-4), cg(9e-4, 2, "copies"), *link_records()), "scaling")
        self.assertNotIn("scaling-model", [t.key for t in found.tables])

    def test_it_is_dotted_beyond_the_measured_ranks(self):
        found = self.built(5e-4 + BY_HAND, [4e-4, 5e-4])
        (line_,) = [s for s in found.figures[0].panels[0].series if s.style == "dotted"]
        self.assertEqual([p.x for p in line_.points], [2, 4, 8])
        # On four ranks: half the work, two neighbours, and three others to wait for in a sum.
        four = 2.5e-4 + 20 * (ALPHA + 512 / BETA) + 60 * SUM + 20 * BYTE * 512
        self.assertAlmostEqual(line_.points[1].y.value * ITERATIONS / four, 1, places=6)

    def test_it_is_not_drawn_where_it_misses_a_measured_time_by_more_than_15_percent(self):
        for off, drawn in ((1.14, True), (1.2, False), (0.9, True), (0.8, False)):
            found = self.built((5e-4 + BY_HAND) * off, [4e-4, 5e-4])
            dotted = [s for s in found.figures[0].panels[0].series if s.style == "dotted"]
            self.assertEqual(bool(dotted), drawn, off)
            self.assertEqual(table(found, "scaling-model")[0]["drawn"].startswith("yes"), drawn)


if __name__ == "__main__":
    unittest.main()

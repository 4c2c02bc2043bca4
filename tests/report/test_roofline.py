"""The roofline: limits, bounds and places of points worked out by hand."""

import re
import unittest

import support
from support import kernel, record_file, section, table

from cfdmark.records.records import Dataset, Record, read_files
from cfdmark.report.bounds import bound_of
from cfdmark.report.limits import Limits
from cfdmark.report.renderers import html
from cfdmark.report.sections.roofline_cases import sweeps_at_most

ENVIRONMENT = "e1"


def entry(of: str, by: str, value: float, low: float, high: float, **changes) -> dict:
    common = {"backend": "cuda", "device": 0, "precision": "fp64", "config": {}}
    return {**common, "of": of, "kernel": by, "value": value, "low": low, "high": high, **changes}


# A device of 4 TB/s from memory, 8 TB/s from its cache, 16 and 10 TFLOP/s, and 2 microseconds a launch.
LIMITS = [
    entry("cache", "triad", 8e12, 7.5e12, 8.2e12),
    entry("arithmetic", "fused_multiply_add", 16e12, 15.9e12, 16.1e12),
    entry("arithmetic", "separate_multiply_add", 10e12, 9.9e12, 10.1e12),
    entry("launch", "triad", 2e-6, 1.9e-6, 2.1e-6),
]
ROOFS = [
    {"backend": "cuda", "device": 0, "precision": "fp64", "config": {}, "kernel": "copy", "bytes_per_second": 3.2e12},
    {
        "backend": "cuda",
        "device": 0,
        "precision": "fp64",
        "config": {},
        "kernel": "triad",
        "bytes_per_second": 4e12,
        "low": 3.9e12,
        "high": 4.1e12,
    },
]


def environment(**changes) -> dict:
    return {
        "type": "environment",
        "id": ENVIRONMENT,
        "host": {"cpu": "A processor"},
        "gpu": {"name": "A GPU"},
        "roofs": ROOFS,
        "limits": LIMITS,
        **changes,
    }


def case(seconds: float, bytes: float, flops: float, regime: str, launches: int = 1, **changes) -> dict:
    """Of a million cells; bytes and operations are a cell's."""
    cells = 1e6
    return kernel(
        **{
            "name": "jacobi",
            "backend": "cuda",
            "grid": [1000, 1000],
            "nodes": 1000000,
            "samples": [seconds] * 6,
            "environment": ENVIRONMENT,
            "cost": {"bytes": bytes * cells, "flops": flops * cells, "cells": cells},
            "rate": {"bytes_per_second": bytes * cells / seconds},
            "cache": {"regime": regime},
            "resources": {"launches": launches},
            **changes,
        }
    )


def dataset(*records: dict, environments=None) -> Dataset:
    known = [environment()] if environments is None else environments
    return Dataset([Record(r) for r in records], {e["id"]: e for e in known})


def bound(record: dict, **options):
    data = dataset(record, **options)
    return bound_of(data.records[0], Limits(data))


class Bounds(unittest.TestCase):
    def test_memory_bounds_what_moves_most_of_what_memory_gives(self):
        # 24 MB in 8 us are 3 TB/s of 4; 7 M operations are 0.875 TFLOP/s of 16; a launch is 2 us of 8.
        found = bound(case(8e-6, 24, 7, "memory"))
        self.assertEqual((found.word, round(found.share, 9)), ("memory", 0.75))
        self.assertEqual(found.sentence, "3,000 GB/s is 75 % of what memory gives.")

    def test_the_cache_bounds_what_fits_in_it(self):
        # 24 MB in 5 us are 4.8 TB/s: more than memory has, and 60 % of the cache's 8.
        found = bound(case(5e-6, 24, 7, "cache"))
        self.assertEqual((found.word, round(found.share, 9)), ("cache", 0.6))

    def test_fields_half_in_the_cache_are_held_against_what_explains_their_rate(self):
        self.assertEqual(bound(case(8e-6, 24, 7, "transition")).word, "memory")
        self.assertEqual(bound(case(5e-6, 24, 7, "transition")).word, "cache")

    def test_launches_bound_what_takes_little_more_than_its_launches(self):
        # Two launches of 2 us are 80 % of 5 us.
        found = bound(case(5e-6, 1, 1, "cache", launches=2))
        self.assertEqual((found.word, round(found.share, 9)), ("launches", 0.8))
        self.assertEqual(found.sentence, "2 launches of 2.00 µs would take 80 % of its 5.00 µs.")

    def test_arithmetic_bounds_what_computes_most_of_what_the_device_can(self):
        # 100 M operations in 10 us are 10 TFLOP/s of 16: the fused roof counts, not the separate one that it reaches.
        found = bound(case(1e-5, 8, 100, "memory"))
        self.assertEqual((found.word, round(found.share, 9)), ("arithmetic", 0.625))

    def test_none_bounds_what_is_far_from_all(self):
        # 6 MB in 20 us are 0.3 TB/s.
        found = bound(case(2e-5, 6, 10, "memory"))
        self.assertEqual(found.word, "none")
        self.assertIn("2.00 µs would take 10 % of its 20.0 µs, the nearest; the rest is latency", found.sentence)

    def test_what_was_not_measured_is_said_and_a_slow_case_is_not_called_free(self):
        found = bound(case(1e-4, 6, 10, "memory"), environments=[environment(roofs=[], limits=[])])
        self.assertEqual((found.word, found.share), ("unknown", None))
        self.assertIn("The roof of memory and arithmetic was not measured", found.sentence)

    def test_without_a_measured_launch_what_takes_little_a_launch_is_still_launches(self):
        found = bound(case(4e-6, 6, 10, "cache"), environments=[environment(roofs=[], limits=[])])
        self.assertEqual(found.word, "launches")
        self.assertIn("4.00 µs a launch, which usually costs 2 to 4 µs by itself", found.sentence)

    def test_a_case_of_a_processor_is_bound_by_starts_where_these_take_its_time(self):
        serial = [dict(e, backend="serial") for e in LIMITS]
        found = bound(
            case(3e-6, 1, 1, "cache", backend="serial", resources={}), environments=[environment(limits=serial)]
        )
        self.assertEqual(found.word, "launches")
        self.assertEqual(found.sentence, "Starting a step takes 2.00 µs of its 3.00 µs.")


class MeasuredLimits(unittest.TestCase):
    def limits(self, *environments, records=()):
        data = dataset(case(8e-6, 24, 7, "memory"), *records, environments=list(environments))
        found = Limits(data)
        return found, found.place(data.records[0])

    def test_the_better_of_copy_and_triad_counts_and_of_several_starts_the_median_and_the_whole_spread(self):
        slower = [dict(ROOFS[1], bytes_per_second=3.0e12, low=2.9e12, high=3.05e12)]
        limits, place = self.limits(environment(), environment(id="e2", roofs=slower))
        found = limits.memory(place, "fp64")
        self.assertEqual((found.value.value, found.value.low, found.value.high), (3.5e12, 2.9e12, 4.1e12))

    def test_an_unsound_roof_is_none(self):
        spoilt = [dict(r, unsound="another moved more") for r in ROOFS]
        limits, place = self.limits(environment(roofs=spoilt))
        self.assertIsNone(limits.memory(place, "fp64"))

    def test_mixed_precision_stores_in_32_bits_and_computes_in_64(self):
        half = [dict(r, precision="fp32", bytes_per_second=2e12) for r in ROOFS[:1]]
        limits, place = self.limits(environment(roofs=[*ROOFS, *half]))
        self.assertEqual(limits.memory(place, "mixed").value.value, 2e12)
        self.assertEqual(limits.arithmetic(place, "mixed").value.value, 16e12)

    def test_another_number_of_threads_or_another_device_has_roofs_of_its_own(self):
        limits, place = self.limits(environment(roofs=[dict(r, config={"threads": 2}) for r in ROOFS]))
        self.assertIsNone(limits.memory(place, "fp64"))
        limits, place = self.limits(environment(roofs=[dict(r, device=1) for r in ROOFS]))
        self.assertIsNone(limits.memory(place, "fp64"))

    def test_what_cuda_reaches_on_a_gpu_is_the_roof_of_kokkos_on_it_too(self):
        on_gpu = environment(libraries={"Kokkos device": "Cuda"})
        limits, _ = self.limits(on_gpu, records=[case(8e-6, 24, 7, "memory", backend="kokkos")])
        kokkos = limits.place(limits.dataset.records[1])
        self.assertEqual(kokkos.hardware, "A GPU")
        self.assertEqual(limits.memory(kokkos, "fp64").value.value, 4e12)
        self.assertIsNone(limits.launch(kokkos, "fp64"))

    def test_records_of_triad_stand_for_a_roof_that_was_not_measured(self):
        # 24 MB in 6 us are 4 TB/s from memory; in 4 us 6 TB/s from the cache.
        records = [case(6e-6, 24, 2, "memory", name="triad"), case(4e-6, 24, 2, "cache", name="triad", grid=[999, 999])]
        limits, place = self.limits(environment(roofs=[], limits=[]), records=records)
        self.assertAlmostEqual(limits.memory(place, "fp64").value.value, 4e12, delta=1)
        self.assertAlmostEqual(limits.cache(place, "fp64").value.value, 6e12, delta=1)
        self.assertEqual(limits.cache(place, "fp64").by, "the record of triad")


class TheSection(unittest.TestCase):
    """Red-black SOR of one sweep a pass, and of four."""

    def setUp(self):
        plain = case(1.6e-5, 48, 10, "memory", 2, name="red_black_sor")
        streamed = case(8e-6, 24, 10, "memory", name="red_black_sor", method="streamed")
        # Four sweeps a pass: a quarter of the bytes a sweep, in 2 us: 3 TB/s moved, the work of 12.
        pipelined = case(2e-6, 6, 10, "memory", 0, name="red_black_sor", method="pipelined", config={"depth": 4})
        pipelined["target"] = {"over_plain": 5}
        self.data = dataset(plain, streamed, pipelined)
        self.section = section(self.data, "roofline")

    def row(self, method: str) -> dict:
        return next(r for r in table(self.section, "roofline") if r["row"] == f"cuda/{method}")

    def test_several_sweeps_a_pass_are_shown_by_the_traffic_that_they_save(self):
        row = self.row("pipelined")
        self.assertAlmostEqual(row["saved"], 4)
        self.assertAlmostEqual(row["useful"], 12e12, delta=1)
        self.assertEqual(row["bound"], "memory")
        self.assertIsNone(self.row("plain")["saved"])
        self.assertIn("does the work of 12,000 GB/s, 300 % of the roof, and moves 3,000 GB/s", self.section.text[0])

    def test_the_speed_over_plain_is_compared_with_the_target_of_the_sweep(self):
        row = self.row("pipelined")
        self.assertEqual((row["over_plain"].value, row["target"]), (8.0, "5"))
        self.assertEqual((self.row("streamed")["over_plain"].value, self.row("streamed")["target"]), (2.0, None))
        self.assertIsNone(self.row("plain")["over_plain"])
        self.assertIn("1 of 1 case with a wanted speed over plain has it.", self.section.text)

    def test_points_stand_at_useful_traffic_and_lead_to_what_is_moved(self):
        (figure,) = self.section.figures
        (panel,) = figure.panels
        points = {p.marker: p for p in panel.points}
        self.assertAlmostEqual(points["streamed"].intensity, 10 / 24)
        self.assertIsNone(points["streamed"].declared)
        self.assertAlmostEqual(points["pipelined"].intensity, 10 / 24)
        self.assertAlmostEqual(points["pipelined"].declared, 10 / 6)
        self.assertAlmostEqual(points["pipelined"].flops.value, 5e12, delta=1)
        memory, useful = panel.slopes[0].value.value, points["pipelined"].intensity
        self.assertGreater(points["pipelined"].flops.value, memory * useful)
        self.assertLess(points["pipelined"].flops.value, memory * points["pipelined"].declared)

    def test_roofs_are_drawn_with_their_spread_the_lowest_first(self):
        (panel,) = self.section.figures[0].panels
        self.assertEqual([s.value.value for s in panel.slopes], [4e12, 8e12])
        self.assertEqual([c.value.value for c in panel.ceilings], [10e12, 16e12])
        self.assertEqual((panel.slopes[0].value.low, panel.slopes[0].value.high), (3.9e12, 4.1e12))
        self.assertIn("memory 4,000 GB/s: 4,000 ± 100 GB/s, by triad", panel.slopes[0].label)

    def test_every_limit_is_reported_with_its_spread(self):
        told = {(r["limit"], r["by"]): str(r["value"]) for r in table(self.section, "limits")}
        self.assertEqual(
            told,
            {
                ("memory", "copy"): "3,200 GB/s",
                ("memory", "triad"): "4,000 ± 100 GB/s",
                ("cache", "triad"): "8,000 ± 500 GB/s",
                ("arithmetic", "fused_multiply_add"): "16.00 ± 0.10 TFLOP/s",
                ("arithmetic", "separate_multiply_add"): "10.00 ± 0.10 TFLOP/s",
                ("launch", "triad"): "2.00 ± 0.10 µs",
            },
        )

    def test_says_in_words_how_many_cases_each_limit_bounds(self):
        self.assertEqual(self.section.finding, "What bounds 3 cases: 3 by memory.")

    def test_the_page_has_tooltips_and_switches_points_by_their_bound(self):
        page = html.render([self.section], "t", self.data)
        self.assertIn('data-line="memory" data-method="pipelined"', page)
        self.assertIn("Moves 4 times less than one sweep a pass.", page)
        self.assertIn('<li data-line="memory">', page)

    def test_a_kernel_is_named_once_in_its_picture(self):
        page = html.render([self.section], "t", self.data)
        picture = page[page.index("<figure") : page.index("</figure>")]
        self.assertEqual(len(re.findall(r">\s*red_black_sor\s*</text>", picture)), 1)


class WithoutRoofs(unittest.TestCase):
    def test_old_records_still_have_a_page_that_says_what_is_missing(self):
        old = environment()
        del old["roofs"], old["limits"]
        data = dataset(case(1e-4, 24, 7, "memory"), environments=[old])
        found = section(data, "roofline")
        self.assertEqual(found.figures, [])
        self.assertIn(
            "Not measured in these records: memory (cuda), the cache (cuda), arithmetic (cuda), launches (cuda).",
            found.text[0],
        )
        self.assertEqual([r["bound"] for r in table(found, "roofline")], ["unknown"])

    def test_roofs_of_memory_alone_are_drawn_without_a_ceiling(self):
        data = dataset(case(8e-6, 24, 7, "memory"), environments=[environment(limits=[])])
        (panel,) = section(data, "roofline").figures[0].panels
        self.assertEqual((len(panel.slopes), panel.ceilings), (1, []))
        self.assertIn("<svg", html.render(support.sections_of(data), "t", data))

    def test_a_case_without_arithmetic_is_in_the_table_alone(self):
        copy = case(8e-6, 16, 0, "memory", name="copy")
        found = section(dataset(copy), "roofline")
        self.assertEqual(found.figures, [])
        self.assertEqual(len(table(found, "roofline")), 1)
        self.assertIn("1 case without arithmetic", found.note)

    def test_no_case_at_all_is_said(self):
        found = section(dataset(kernel(status="error")), "roofline")
        self.assertIn("compared with a roof", found.empty)


class Malformed(unittest.TestCase):
    """The reader skips most of these environments; the section must bear those that it keeps, and their absence."""

    SPOILT = [
        {"limits": "none"},
        {"limits": [None, 7, {}]},
        {"limits": [entry("cache", "triad", -1, 0, 0)]},
        {"limits": [entry("cache", "triad", float("nan"), 1, 2)]},
        {"limits": [entry("cache", "triad", 8e12, 9e12, 1e12)]},
        {"limits": [entry("moon", "triad", 1, 1, 1)]},
        {"limits": [entry("cache", "triad", 1e30, 1e30, 1e30, device="x", config=[])]},
        {"roofs": {"a": 1}, "gpu": []},
        {"roofs": [{"backend": None, "bytes_per_second": "fast"}]},
    ]

    def test_a_spoilt_environment_leaves_a_page(self):
        for changes in self.SPOILT:
            with self.subTest(changes), record_file(environment(**changes), case(8e-6, 24, 7, "memory")) as path:
                data = read_files([path])
                self.assertEqual(len(data.records), 1)
                page = html.render([section(data, "roofline")], "t", data)
                self.assertIn('id="table-roofline"', page)

    def test_costs_and_rates_that_cannot_be_leave_a_page(self):
        for changes in (
            {"cost": {"bytes": 1e300, "flops": 1e-300, "cells": 1.0}},
            {"cost": {"bytes": -1.0, "flops": -5.0, "cells": 0.0}},
            {"cost": {"bytes": 0.0, "flops": 1e308, "cells": 1e-300}},
            {"resources": {"launches": 1e308}},
            {"config": {"depth": 1e308}},
            {"target": {"over_plain": 1e300}},
        ):
            with self.subTest(changes):
                data = dataset(case(8e-6, 24, 7, "memory"), case(8e-6, 24, 7, "memory", method="odd", **changes))
                found = section(data, "roofline")
                self.assertIn('id="table-roofline"', html.render([found], "t", data))
                self.assertEqual(len(table(found, "roofline")), 2)

    def test_a_limit_with_ends_in_the_wrong_order_has_no_interval(self):
        data = dataset(case(8e-6, 24, 7, "cache"), environments=[environment(limits=[entry("cache", "triad", 8e12, 9e12, 1e12)])])
        limits = Limits(data)
        self.assertFalse(limits.cache(limits.place(data.records[0]), "fp64").value.has_interval)


class TheRule(unittest.TestCase):
    def test_only_a_depth_above_one_makes_several_sweeps_a_pass(self):
        for depth, several in ((1, False), (2, True), ("auto", False)):
            self.assertEqual(sweeps_at_most(Record(kernel(config={"depth": depth}))), several)


if __name__ == "__main__":
    unittest.main()

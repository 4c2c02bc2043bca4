"""'main memory' and 'in cache' are said of a record whose regime says so, and of nothing else."""

import re
import unittest

import support  # noqa: F401  (finds the packages)
from support import DOCUMENTS, EXPERIMENTS, ROOT, compared, kernel, solver

from cfdmark.records.records import Record
from cfdmark.reproduce import page
from cfdmark.text.wording import place_text

PLACE = re.compile(r"\b(in|into|from) (the |its |their |a )?(main memory|caches?\b)|\bmain memory\b", re.IGNORECASE)
WORDS_OF_DOCUMENTS = {"claims", "published-main"}


def lying(record: dict, regime: str) -> dict:
    return {**record, "cache": {"regime": regime}}


def launched(record: dict, launches: int) -> dict:
    return {**record, "resources": {"launches": launches}}


class Words(unittest.TestCase):
    def test_come_from_the_regime_of_the_record(self):
        of = kernel("axpy", "serial/fp32/plain", 512, 1.0)
        told = {regime: place_text(Record(lying(of, regime))) for regime in ("cache", "transition", "memory")}
        self.assertEqual(told, {"cache": "in cache", "transition": "partly in cache", "memory": "in main memory"})
        self.assertEqual(place_text(Record(of)), "")

    def test_are_not_said_of_what_moved_more_than_memory_was_seen_to_give(self):
        large = lying(kernel("axpy", "serial/fp32/plain", 4096, 1.0), "memory")
        moved = large["rate"]["bytes_per_second"]
        for roof, place in ((0.5 * moved, "larger than the caches, but above the measured memory bandwidth"), (moved, "in main memory")):
            record = large | {"roof": {"kernel": "copy", "bytes_per_second": roof}}
            record["rate"] = large["rate"] | {"roof_fraction": moved / roof}
            self.assertEqual(place_text(Record(record)), place)

    def test_say_that_launches_bound_it_where_a_launch_takes_no_longer_than_starting_one(self):
        small, large = 3e-6, 30e-6
        for seconds, launches, bound in ((small, 1, True), (large, 1, False), (large, 8, True), (small, 0, False)):
            record = launched(lying(kernel("axpy", "cuda/fp32/plain", 64, seconds), "cache"), launches)
            self.assertEqual(place_text(Record(record)) == "bound by launches", bound)
        iterating = solver("cg", "cuda/fp32/textbook", 64, 40 * large, facts={"launches_per_iteration": 8})
        self.assertEqual(place_text(Record(iterating)), "bound by launches")

    def test_stand_with_every_row_that_a_finding_compared(self):
        records = [
            lying(launched(kernel("axpy", "cuda/fp32/plain", 4096, 1e-4), 1), "memory"),
            lying(kernel("axpy", "serial/fp32/plain", 4096, 1e-2), "transition"),
        ]
        line = compared("menon-figure-2.5", records).lines[0]
        self.assertEqual(
            line.rows,
            "cuda/plain 4096×4096, in main memory, against serial/plain 4096×4096, partly in cache",
        )

    def test_stand_with_the_verdict_on_what_was_compared(self):
        for gpu, core, told in (
            ("memory", "memory", "; both in main memory"),
            ("memory", "cache", "; in main memory against in cache"),
        ):
            records = [
                lying(kernel("red_black_sor;operator=arrays", "cuda/fp32/plain", 4096, 1e-2), gpu),
                lying(kernel("red_black_sor;operator=arrays", "serial/fp32/plain", 4096, 1.0), core),
            ]
            verdict = compared("review-laplace", records).lines[0].verdict
            self.assertTrue(verdict.reason.endswith(told), verdict.reason)

    def test_make_no_verdict_where_both_sides_only_wait_for_launches(self):
        def plates(seconds: float) -> list[dict]:
            rows = (("cuda/fp32/plain", seconds), ("cuda/fp32/shared_branches", 1.5 * seconds))
            return [launched(kernel("red_black_sor;operator=arrays", row, 64, s), 2) for row, s in rows]

        small, large = (compared("shinn-memory", plates(s)).lines[0].verdict for s in (4e-6, 4e-5))
        self.assertEqual(small.word, "not_comparable")
        self.assertIn("bound by launches", small.reason)
        self.assertEqual(large.word, "same_direction")

    def test_a_core_in_cache_is_compared_with_one_in_main_memory_only_where_records_are_of_both(self):
        near = lying(kernel("axpy", "serial/fp32/plain", 128, 1e-5), "cache")
        between = lying(kernel("axpy", "serial/fp32/plain", 4096, 1e-1), "transition")
        far = lying(kernel("axpy", "serial/fp32/plain", 8192, 1.0), "memory")
        self.assertIsNone(compared("menon-figure-2.5", [near, between]).lines[3].here)
        line = compared("menon-figure-2.5", [near, between, far]).lines[3]
        self.assertAlmostEqual(line.here.value, 1e5 / 4096)
        self.assertEqual(
            line.rows, "serial/plain 128×128, in cache, against serial/plain 8192×8192, in main memory"
        )


class Texts(unittest.TestCase):
    """No text says where fields lie: that depends on the machine."""

    def test_of_programs_and_sweeps_say_it_nowhere_but_in_the_one_function_that_looks(self):
        files = [*ROOT.glob("scripts/cfdmark/**/*.py"), *ROOT.glob("sweeps/**/*.yaml")]
        found = []
        for path in files:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if PLACE.search(line) and not line.startswith("PLACES = "):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
        self.assertEqual(found, [])

    def test_of_what_is_compared_say_it_nowhere(self):
        for name in EXPERIMENTS:
            text = DOCUMENTS[name].data.path.read_text(encoding="utf-8").partition("\nhere:\n")[2]
            with self.subTest(name):
                self.assertIsNone(PLACE.search(text))

    def test_of_a_page_without_regimes_say_it_nowhere(self):
        from scenarios import AGREES

        for name, records in AGREES.items():
            comparison = compared(name, records)
            said = [line.what + line.rows + line.verdict.reason for line in comparison.lines]
            said += comparison.why + comparison.plan.protocol + [comparison.plan.transfers]
            said += [f.caption + f.note for f in comparison.figures]
            said += [s.finding + s.note for s in page.sections_of(DOCUMENTS[name], comparison) if s.key == "verdict"]
            with self.subTest(name):
                self.assertEqual([s for s in said if PLACE.search(s)], [])


if __name__ == "__main__":
    unittest.main()

"""The one current record of each case, and what a page says of cases that it overtakes."""

import unittest
from pathlib import Path

import support  # noqa: F401  (finds the packages)
from support import kernel

from cfdmark.records.records import Dataset, Record
from cfdmark.report.baseline import Baselines, parse_selector
from cfdmark.report.current import Current
from cfdmark.report.sections import headline
from cfdmark.report.sections.context import Context


def record(seconds: float, file: str, day: int, clean: bool = True, method: str = "plain") -> Record:
    raw = kernel(backend="cuda", method=method, samples=[seconds] * 6)
    return Record(raw, Path(file), f"2026-11-{day}T00:00:00Z", clean)


def text_of(shown: list[Record], others: list[Record]) -> str:
    data = Dataset(shown)
    context = Context(data, Baselines(data, parse_selector(None, data)), Current([*shown, *others]))
    return " ".join(headline.build(context).text)


class CurrentRecords(unittest.TestCase):
    def test_a_case_has_one_the_newest_of_a_clean_commit(self):
        old, new, dirty = record(4.0, "a", 24), record(1.0, "b", 26), record(2.0, "c", 27, clean=False)
        for order in ([old, new, dirty], [dirty, new, old]):
            self.assertEqual(Current(order).records, [new])

    def test_a_slower_newer_record_is_current_and_overtakes_nothing(self):
        old, new = record(1.0, "a", 24), record(4.0, "b", 26)
        current = Current([old, new])
        self.assertEqual((current.newer(old), current.overtaken_by(old)), (new, None))


class Pages(unittest.TestCase):
    def test_name_a_case_that_a_newer_clean_record_has_faster(self):
        said = text_of([record(4.0, "old.jsonl", 24)], [record(1.0, "new.jsonl", 26)])
        self.assertIn("A newer record is faster in 1 case: copy fp64 8×8 cuda/plain, 4.00 ± 0.00 s here", said)
        self.assertIn("1.00 ± 0.00 s in new.jsonl (2026-11-26)", said)

    def test_name_another_method_that_is_faster_today(self):
        said = text_of([record(4.0, "old.jsonl", 24)], [record(1.0, "other.jsonl", 23, method="vector")])
        self.assertIn("Faster records exist today: copy fp64 8×8 cuda/plain", said)
        self.assertIn("by cuda/vector in other.jsonl", said)

    def test_say_nothing_where_nothing_is_faster_or_the_device_is_not_known(self):
        shown = record(1.0, "new.jsonl", 26)
        self.assertEqual(text_of([shown], [record(4.0, "old.jsonl", 24)]), "")
        self.assertEqual(text_of([shown], [record(0.5, "dirty.jsonl", 27, clean=False)]), "")
        data = Dataset([shown])
        self.assertEqual(headline.build(Context(data, Baselines(data, parse_selector(None, data)))).text, [])


if __name__ == "__main__":
    unittest.main()

"""The kept tuned tables claim no more than their own measurements show."""

import json
import unittest

from support import ROOT

from cfdmark.export.layouts import choice_text

SMALLEST_EFFECT = 1.01  # medians that are nearer are a tie (kernels/core/statistics.hpp)
TABLES = sorted((ROOT / "results/tuned").glob("*/*.json"))


def measured_regret(size: dict) -> float:
    """The layout's time over the least time measured at this size."""
    others = [size[key]["median"] for key in ("winner", "default")]
    return size["winner"]["median"] / min([*size["measured"].values(), *others])


def claimed(told: dict) -> float:
    return told.get("unconfirmed_regret", told["regret"])


class Regrets(unittest.TestCase):
    def entries(self):
        for path in TABLES:
            for entry in json.loads(path.read_text(encoding="utf-8"))["entries"]:
                if "objective" not in entry:
                    yield f"{path.parent.name}/{path.stem} {entry['precision']} {entry['grid']}", entry

    def test_no_kept_table_claims_a_regret_smaller_than_its_own_measurements_show_without_saying_so(self):
        wrong, sizes = [], 0
        for name, entry in self.entries():
            shown = [measured_regret(size) for size in entry["range"]["sizes"]]
            for size, regret in zip([entry["range"], *entry["range"]["sizes"]], [max(shown), *shown]):
                sizes += 1
                if regret > SMALLEST_EFFECT * claimed(size) * (1 + 1e-5):  # six digits are kept
                    wrong.append(f"{name}: {regret:.4f} measured, {claimed(size):.4f} claimed")
        self.assertEqual(wrong, [])
        self.assertGreater(sizes, 3000)

    def test_no_interval_rests_on_fewer_than_six_samples(self):
        def choices(entry: dict):
            yield from (entry["winner"], entry["default"])
            for size in entry["range"]["sizes"]:
                yield from (size["winner"], size["default"])

        wrong = [
            f"{name}: {choice}"
            for name, entry in self.entries()
            for choice in choices(entry)
            if "ci_low" in choice and choice["samples"] < 6
        ]
        self.assertEqual(wrong, [])

    def test_what_is_called_unconfirmed_was_measured(self):
        for name, entry in self.entries():
            for size in entry["range"]["sizes"]:
                if "unconfirmed_regret" in size:
                    self.assertAlmostEqual(size["unconfirmed_regret"] / measured_regret(size), 1, 4, name)

    def test_the_layout_that_is_88_times_slower_than_another_says_so(self):
        entries = json.loads((ROOT / "results/tuned/nvidia-h200/bicgstab.json").read_text(encoding="utf-8"))["entries"]
        (entry,) = [e for e in entries if e["precision"] == "fp64" and e["grid"] == [858, 858]]
        self.assertEqual(choice_text(entry["winner"]).split(":")[0], "fused")
        self.assertEqual((entry["range"]["regret"], round(entry["range"]["unconfirmed_regret"])), (1.0, 88))


if __name__ == "__main__":
    unittest.main()

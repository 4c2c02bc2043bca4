"""The shipped files hold the schema, and cover every experiment of the six documents."""

import re
import unittest

from support import ROOT, experiments, shipped

NORMORE = [
    "figure-2.4", "figure-6.1", "figure-6.13", "table-6.3", "table-6.4", "table-6.5", "table-6.6", "table-6.7", "table-8.1",
]  # fmt: skip
REVIEW = [
    "laplace", "smoothing", "memory", "layout", "precision", "flux", "renumber", "multigrid", "table-2", "table-3",
    "figure-19", "table-4", "scaling",
]  # fmt: skip
MENON = [
    "figure-2.5", "figure-3.2", "figure-4.4", "figure-4.6", "figure-5.2", "figure-5.3", "figure-5.4", "figure-5.5",
    "figure-5.6", "figure-6.3", "figure-7.3", "figure-7.4", "figure-7.5", "table-8.1", "table-8.2", "table-8.3",
]  # fmt: skip
JESPERSEN = ["figure-1", "figure-2", "table-1", "table-2", "table-3", "table-4", "table-5", "table-6"]
SHINN = ["heat", "memory", "poisson-share"]
WEYMOUTH = ["cost"]
DOCUMENTS = {
    "normore": NORMORE, "review": REVIEW, "menon": MENON, "jespersen": JESPERSEN, "shinn": SHINN, "weymouth": WEYMOUTH,
}  # fmt: skip
EVERY_ID = [f"{document}-{name}" for document, names in DOCUMENTS.items() for name in names]


class Shipped(unittest.TestCase):
    def test_every_experiment_of_the_six_documents_has_a_file_and_no_other_file_is_there(self):
        self.assertEqual(sorted(experiments()), sorted(EVERY_ID))

    def test_every_file_of_the_folder_is_read(self):
        folder = ROOT / "results" / "published"
        self.assertEqual(
            {path.name for path in folder.iterdir()}, {path.name for path in shipped()} | {"README.md"}
        )

    def test_files_of_one_document_name_the_same_source(self):
        for document in DOCUMENTS:
            sources = {
                tuple(made.source[key] for key in ("author", "year", "title"))
                for made in experiments().values()
                if made.id.startswith(document)
            }
            self.assertEqual(len(sources), 1, document)

    def test_a_source_is_a_place_in_a_document_never_a_file(self):
        for made in experiments().values():
            self.assertNotRegex(" ".join(made.source.values()), r"\.(txt|pdf|md|html)\b|/")
            self.assertRegex(made.source["place"], "table|figure|section|slide", made.id)

    def test_shares_and_occupancies_are_ratios_never_percent(self):
        for made in experiments().values():
            for table in made.tables:
                for column in table.columns:
                    if re.search("(^|_)(share|occupancy|padding|gain|efficiency)$", column.name):
                        self.assertTrue(
                            all(cell is None or cell <= 1 for cell in table.column(column.name)), made.id
                        )

    def test_speedups_name_what_they_are_relative_to(self):
        for made in experiments().values():
            columns = [column.name for table in made.tables for column in table.columns]
            if "speedup" in columns:
                self.assertNotIn(made.baseline, ("none", "not stated"), made.id)

    def test_ids_that_notes_refer_to_exist(self):
        word = re.compile(rf"\b(?:{'|'.join(DOCUMENTS)})-(?:figure-|table-)?[a-z0-9-]+(?:\.[0-9]+)?")
        for path in shipped():
            for name in word.findall(path.read_text(encoding="utf-8")):
                self.assertIn(name, EVERY_ID, path.name)


if __name__ == "__main__":
    unittest.main()

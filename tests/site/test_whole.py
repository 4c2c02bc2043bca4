"""The site of the results that the project keeps."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import support
from support import RESULTS, Links, run, tracked

from cfdmark.publish import words_page
from cfdmark.publish.found import find
from cfdmark.publish.readme import drawn_from, made_part

sys.path.append(str(Path(__file__).resolve().parent.parent / "report"))
import browser  # noqa: E402

OTHERS = {"published", "schema", "tuned", "history"}
DEVICES = [p for p in sorted(RESULTS.iterdir()) if p.is_dir() and p.name not in OTHERS]


def enums(schema):
    """Yields every list of allowed words in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("enum"), list):
            yield schema["enum"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from enums(part)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.site = Path(scratch.name) / "a site"
        cls.status, cls.out, cls.err = run("--output", cls.site)
        cls.pages = sorted(cls.site.rglob("*.html"))

    def test_is_made_without_a_problem_and_prints_a_line_for_each_page(self):
        said = [line for line in self.err.splitlines() if "pages are made without scripts" not in line]
        self.assertEqual((self.status, said), (0, []))
        self.assertLess(len(self.err.splitlines()), 2)
        self.assertEqual(len(self.out.splitlines()), len(self.pages))

    def test_every_link_is_relative_and_leads_to_a_file(self):
        for page in self.pages:
            for target in Links(page).targets:
                self.assertNotRegex(target, r"^(/|[a-z]+:)", page)
                self.assertTrue((page.parent / target.partition("#")[0]).is_file(), f"{page}: {target}")

    def test_the_index_leads_to_every_page_and_every_page_back(self):
        index = self.site / "index.html"
        listed = {(self.site / t).resolve() for t in Links(index).targets}
        self.assertEqual(listed, {p.resolve() for p in self.pages} - {index.resolve()})
        for page in self.pages:
            if page != index:
                targets = {(page.parent / t).resolve() for t in Links(page).targets}
                self.assertIn(index.resolve(), targets, page)

    def test_every_page_of_records_leads_to_the_words_and_the_index_opens_with_verdicts(self):
        words = (self.site / "words.html").resolve()
        for page in self.site.glob("*/**/*.html"):
            self.assertIn(words, {(page.parent / t).resolve() for t in Links(page).targets}, page)
        index = (self.site / "index.html").read_text(encoding="utf-8")
        self.assertLess(index.index('<section id="experiments">'), index.index('<section id="device-'))
        self.assertRegex(index, r"nvidia-h200: \d+ agrees, \d+ same direction, \d+ differs")

    def test_the_page_of_words_explains_every_status_of_a_record(self):
        schema = json.loads((RESULTS / "schema/record.schema.json").read_text(encoding="utf-8"))
        statuses = next(found for found in enums(schema) if "crashed" in found)
        self.assertEqual(set(words_page.CASES), {*statuses, "unsteady"})

    def test_every_records_file_has_a_page(self):
        records = [p for p in RESULTS.rglob("*.jsonl") if "history" not in p.parts]
        self.assertGreater(len(records), 0)
        for path in records:
            self.assertTrue((self.site / path.relative_to(RESULTS).with_suffix(".html")).is_file(), path)

    def test_an_experiment_that_looks_at_the_records_of_others_has_a_page_and_a_verdict(self):
        self.assertTrue((RESULTS / "nvidia-h200" / "reproduce" / "normore-table-6.3.jsonl").is_file())
        self.assertTrue((self.site / "nvidia-h200" / "reproduce" / "normore-table-6.7.html").is_file())
        index = (self.site / "index.html").read_text(encoding="utf-8")
        self.assertIn('href="nvidia-h200/reproduce/normore-table-6.7.html"', index)

    def test_every_device_has_an_entry(self):
        index = (self.site / "index.html").read_text(encoding="utf-8")
        for device in DEVICES:
            self.assertIn(f'<section id="device-{device.name}">', index)

    def test_every_tuned_layout_is_shown(self):
        page = (self.site / "layouts.html").read_text(encoding="utf-8")
        tables = sorted(RESULTS.glob("tuned/*/*.json"))
        devices = {table.parent for table in tables}
        self.assertGreater(len(devices), 0)
        for device in devices:
            entries = [e for t in tables if t.parent == device for e in json.loads(t.read_text())["entries"]]
            of_device = page.split(f'<section id="layouts-{device.name}">')[1].split("<section")[0]
            self.assertEqual(of_device.count("<tr><td"), len(entries), device)

    def test_every_page_is_light_or_dark_as_the_reader_has_it_and_fits_a_phone(self):
        for page in self.pages:
            text = page.read_text(encoding="utf-8")
            self.assertIn("prefers-color-scheme: dark", text)
            self.assertIn('name="viewport"', text)


    def test_no_page_scrolls_sideways_on_a_phone_nor_complains(self):
        browser.require()
        window = browser.Browser(390)
        self.addCleanup(window.close)
        for page in self.pages:
            window.open(page)
            window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
            width = window.run("return document.scrollingElement.scrollWidth")
            self.assertEqual((width, window.complaints()), (390, []), page.name)


class Kept(unittest.TestCase):
    def test_no_generated_page_is_tracked(self):
        pages = [f for f in tracked("*.html", "*.tex", "results/**/*.csv", "results/*/reproduce/*.md")]
        self.assertEqual([f for f in pages if not f.startswith(("tests/", "scripts/"))], [])

    def test_the_tables_in_the_readmes_agree_with_the_records(self):
        found = find(RESULTS)
        self.assertEqual([d.name for d in found.devices], [d.name for d in DEVICES])
        for device in found.devices:
            text = (device.folder / "README.md").read_text(encoding="utf-8")
            self.assertTrue(made_part(device, True) in text, f"{device.name}: run ./scripts/site --readmes")
            last = (device.folder / "picture.svg").read_text(encoding="utf-8").splitlines()[-1]
            drawn = [drawn_from(e.path) for e in device.runs]
            self.assertIn(last, drawn, f"{device.name}: run ./scripts/site --readmes")


if __name__ == "__main__":
    unittest.main()

"""The site where something stands in its way."""

import errno
import unittest
from unittest import mock

import support  # noqa: F401  (finds the packages)
from support import Small, run

from cfdmark.publish.readme import BEGIN, END

OTHER = "device/run.html"
MINE = "device/reproduce/shinn-memory.html"


class Trouble(Small):
    def test_a_broken_line_is_named_here_and_on_the_index_and_the_rest_is_shown(self):
        with self.experiment.open("a") as file:
            file.write('{"cut off')
        line = len(self.experiment.read_text().splitlines())
        status, _, err = self.make()
        self.assertEqual(status, 1)
        self.assertIn(f"could not be read: {self.experiment}:{line}: ", err)
        self.assertIn(f"could not be read: {self.experiment}:{line}: ", self.page())
        self.assertIn(f'href="{MINE}"', self.page())
        self.assertIn("</html>", self.page(OTHER))

    def test_a_useless_file_has_an_entry_and_no_page(self):
        for name in ("run.jsonl", "reproduce/shinn-memory.jsonl"):
            (self.results / "device" / name).write_text("garbage\n")
        status, _, err = self.make()
        self.assertEqual(status, 1)
        for name in ("run", "reproduce/shinn-memory"):
            self.assertIn(f"{self.results / 'device' / name}.jsonl:1: ", err)
            self.assertFalse((self.output / "device" / f"{name}.html").exists())
        self.assertIn('<section id="device-device">', self.page())
        self.assertEqual(self.page().count("<td>could not be read</td>"), 2)

    def test_a_missing_file_is_named_and_the_others_are_made(self):
        self.experiment.unlink()
        self.experiment.symlink_to("nowhere.jsonl")
        status, _, err = self.make()
        self.assertEqual(status, 1)
        self.assertIn(f"could not be read: cannot read {self.experiment}: No such file", err)
        self.assertIn("</html>", self.page(OTHER))

    def test_a_damaged_tuned_table_is_named_with_line_or_entry(self):
        table = self.results / "tuned" / "device" / "jacobi.json"
        whole = table.read_text()
        for text, place in ((whole[:900], ":"), (whole.replace('"rule"', '"role"', 1), ": entry 1 ")):
            table.write_text(text)
            status, _, err = self.make()
            self.assertEqual(status, 1)
            self.assertIn(f"could not be read: {table}{place}", err)
            self.assertIn("could not be read", self.page())

    def test_a_damaged_published_file_is_named_and_its_records_still_have_a_page(self):
        path = self.results / "published" / "shinn-memory.yaml"
        path.write_text("id: [\n")
        status, _, err = self.make()
        self.assertEqual(status, 1)
        self.assertIn(f"could not be read: {path}:", err)
        self.assertIn("</html>", self.page(MINE))

    def test_a_sound_folder_has_no_list_of_problems(self):
        status, _, err = self.make()
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("could not be read", self.page())

    def test_results_that_are_nowhere_end_with_status_2(self):
        status, out, err = run("--results", self.results / "none", "--output", self.output)
        self.assertEqual((status, out, self.output.exists()), (2, "", False))
        self.assertIn(f"there is no folder {self.results / 'none'}", err)

    def test_a_full_disk_is_one_line_and_status_3(self):
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            status, _, err = self.make()
        self.assertEqual((status, len(err.splitlines())), (3, 1))
        self.assertIn("No space left on device", err)

    def test_a_folder_that_is_a_file_is_one_line_and_status_3(self):
        self.output.write_text("")
        status, _, err = self.make()
        self.assertEqual((status, len(err.splitlines())), (3, 1))
        self.assertIn("cannot write", err)

    def test_help_teaches_by_example(self):
        status, out, _ = run("--help")
        self.assertEqual(status, 0)
        self.assertIn("./scripts/site --readmes", out)


class Readme(Small):
    def readme(self):
        return self.results / "device" / "README.md"

    def test_is_begun_where_there_is_none_and_the_same_when_made_twice(self):
        texts = []
        for _ in range(2):
            self.assertEqual(self.make("--readmes")[0], 0)
            texts.append(self.readme().read_text(encoding="utf-8"))
        self.assertEqual(texts[0], texts[1])
        self.assertTrue(texts[0].startswith("# device\n"))
        self.assertIn("2 files of records", texts[0])
        self.assertFalse(self.output.exists())

    def test_keeps_what_people_wrote_before_and_behind_the_tables(self):
        self.readme().write_text(f"# Mine\n\nbefore\n\n{BEGIN}\nan earlier table\n{END}\n\nbehind\n")
        self.make("--readmes")
        text = self.readme().read_text(encoding="utf-8")
        self.assertTrue(text.startswith(f"# Mine\n\nbefore\n\n{BEGIN}\n"))
        self.assertTrue(text.endswith(f"{END}\n\nbehind\n"))
        self.assertNotIn("an earlier table", text)

    def test_a_lost_mark_is_reported_and_nothing_is_changed(self):
        damaged = f"# Mine\n\n{BEGIN}\nold\n"
        self.readme().write_text(damaged)
        status, _, err = self.make("--readmes")
        self.assertEqual((status, self.readme().read_text()), (1, damaged))
        self.assertIn(f"{self.readme()}: the marks", err)


if __name__ == "__main__":
    unittest.main()

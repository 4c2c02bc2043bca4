"""scripts/words finds words of docs/words.txt in text and nowhere else, and its exceptions only get fewer."""

import contextlib
import importlib.machinery
import importlib.util
import io
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("words", str(ROOT / "scripts/words"))
words = importlib.util.module_from_spec(importlib.util.spec_from_loader("words", LOADER))
LOADER.exec_module(words)

RULES = "told -> report [not: told apart]\nis no * -> is not a ... [not: there is no *]\n"


class Text(unittest.TestCase):
    def found(self, name: str, text: str) -> list[tuple[int, int, str]]:
        return [(hit.line, hit.column, hit.phrase) for hit in words.hits_in(name, text, words.rules_of(RULES))]

    def test_a_word_is_found_at_its_line_and_column(self):
        self.assertEqual(self.found("page.md", "All is well.\nThe user is Told so.\n"), [(2, 13, "told")])

    def test_a_part_of_a_word_is_not_found(self):
        self.assertEqual(self.found("page.md", "untold, told_, toldest"), [])

    def test_a_phrase_may_continue_on_the_next_line_of_a_comment(self):
        self.assertEqual(self.found("a.cpp", "// 'x' is\n// no solver\n"), [(1, 8, "is no *")])

    def test_an_allowed_phrase_is_not_found(self):
        self.assertEqual(self.found("page.md", "There is no way that these are told apart."), [])

    def test_of_a_program_only_comments_and_strings_count(self):
        cpp = 'int told = 1;  // told\nauto s = "told";\n/* told */ auto r = R"x(told)x";\n'
        self.assertEqual([line for line, _, _ in self.found("a.cpp", cpp)], [1, 2, 3, 3])
        python = "told = 1  # told\ns = 'told'\nd = '''x\ntold'''\n"
        self.assertEqual([line for line, _, _ in self.found("a.py", python)], [1, 2, 4])

    def test_every_rule_of_the_project_says_what_to_write_instead(self):
        rules = words.rules_of((ROOT / words.RULES).read_text(encoding="utf-8"))
        self.assertGreater(len(rules), 50)
        self.assertEqual([rule.phrase for rule in rules if not rule.instead], [])

    def test_a_rule_without_an_arrow_is_refused(self):
        with self.assertRaises(ValueError):
            words.rules_of("told, report\n")


class Exceptions(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.root = Path(kept.name)
        for folder in ("docs", ".ci"):
            (self.root / folder).mkdir()
        (self.root / words.RULES).write_text(RULES, encoding="utf-8")
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.page("old.md", "He told it.\n")

    def page(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def ran(self, *arguments: str) -> tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return words.main(list(arguments), self.root), out.getvalue()

    def test_a_word_in_a_new_file_fails_and_says_where_and_what_to_write(self):
        self.assertEqual(self.ran(), (1, "old.md:1:4: 'told': write instead: report\n"))

    def test_exceptions_are_written_once_and_then_only_removed(self):
        self.assertEqual(self.ran("--update-exceptions"), (0, ""))
        self.page("new.md", "She told it.\n")
        self.assertEqual(self.ran("--check")[0], 1)
        self.assertEqual(self.ran("--update-exceptions")[0], 1)
        self.assertIn("new.md:1:5", self.ran()[1])

    def test_an_exception_that_matches_nothing_is_an_error_until_it_is_removed(self):
        self.ran("--update-exceptions")
        self.page("old.md", "He said it.\n")
        status, out = self.ran()
        self.assertEqual((status, "'told' is gone from old.md" in out), (1, True))
        self.assertEqual(self.ran("--update-exceptions"), (0, ""))
        self.assertEqual(self.ran(), (0, ""))


class Project(unittest.TestCase):
    def test_the_check_takes_less_than_two_seconds_of_processor_time(self):
        begin = time.process_time()
        words.all_hits(ROOT, words.rules_of((ROOT / words.RULES).read_text(encoding="utf-8")))
        self.assertLess(time.process_time() - begin, 2)


if __name__ == "__main__":
    unittest.main()

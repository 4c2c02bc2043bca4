"""A comparison as Markdown, JUnit and GitHub's annotations."""

import contextlib
import io
import json
import unittest
import xml.etree.ElementTree as ElementTree
from unittest import mock

import support  # noqa: F401

from cfdmark.export import command
from cfdmark.export.comparison import github, junit, markdown


def case(name, verdict, ratio=None, **more) -> dict:
    made = {"case": f"{name}@8x8:a=1", "label": f"{name}@8x8", "verdict": verdict, "regressed": verdict == "slower"}
    made["fails"] = verdict in ("wrong", "vanished", "slower")
    if ratio:
        made["time"] = {"ratio": ratio, "low": ratio - 0.01, "high": ratio + 0.01, "base": 1e-3, "new": 1e-3 * ratio}
    return {**made, **more}


def comparison(*more, **changes) -> dict:
    cases = [*more, case("a", "slower", 1.1), case("c", "faster", 0.8), case("b", "same", 1.0)]
    made = {"base": "old", "new": "build/new", "conclusion": "regression (1 slower)", "warnings": [], "cases": cases}
    return {**made, "time": "2026-01-01T00:00:00Z", **changes}


CONTROL = {"summary": "control, the base against itself: no case moved"}
USES_MORE = case("m", "same", 1.0, regressed=True, fails=True, remarks="registers 32 -> 40 (worse)")
WITHOUT_INTERVAL = case("i", "undecided", time={"ratio": 2.0, "base": 1e-3, "new": 2e-3})


def wrong(remarks) -> dict:
    return case("w", "wrong", remarks=remarks)


class Markdown(unittest.TestCase):
    def test_shows_what_changed_and_folds_the_rest_away(self):
        text = markdown(comparison(wrong("failed")))
        self.assertTrue(text.startswith("### cfdmark: regression (1 slower)\n\n`build/new` against the base `old`\n\n"))
        self.assertIn("| **slower** | +10.0 % | +9.0 to +11.0 % | 1.00 ms | 1.10 ms | `a@8x8` |\n", text)
        self.assertIn("| faster | -20.0 % |", text)
        self.assertIn("<summary>1 cases without a change</summary>", text)
        self.assertGreater(text.index("`b@8x8`"), text.index("<details>"))
        self.assertLess(text.index("`c@8x8`"), text.index("<details>"))

    def test_every_row_has_as_many_cells_as_its_head(self):
        text = markdown(comparison(wrong("a|b"), WITHOUT_INTERVAL))
        rows = [line.replace("\\|", "") for line in text.splitlines() if line.startswith("|")]
        self.assertEqual({row.count("|") for row in rows}, {7})
        self.assertIn("| unknown |", text)

    def test_markup_in_a_message_is_not_obeyed(self):
        text = markdown(comparison(wrong("a|b <i> `c`\n*d*"), warnings=["a * b"]))
        self.assertIn("`w@8x8`<br>a\\|b &lt;i> \\`c\\` \\*d\\* |\n", text)
        self.assertIn("> **warning:** a \\* b\n", text)

    def test_a_case_that_uses_more_is_not_folded_away(self):
        self.assertIn("| **same** |", markdown(comparison(USES_MORE)).split("<details>")[0])

    def test_says_what_the_control_showed(self):
        self.assertIn(CONTROL["summary"], markdown(comparison(control=CONTROL)))


class JUnit(unittest.TestCase):
    def test_has_a_test_case_a_case_failed_where_it_regressed(self):
        hard = '1 < 2 & "so\x01on"\n>'
        cases = [wrong(hard), USES_MORE, case("u", "undecided"), case("n", "not run", remarks="no device")]
        suite = ElementTree.fromstring(junit(comparison(*cases, control=CONTROL, warnings=["a < b"])))[0]
        counts = {name: suite.get(name) for name in ("tests", "failures", "skipped")}
        self.assertEqual(counts, {"tests": "7", "failures": "3", "skipped": "2"})
        found = {test.get("name"): test for test in suite.findall("testcase")}
        self.assertEqual(len(found), 7)
        self.assertEqual(found["w@8x8:a=1"].find("failure").get("message"), 'wrong: 1 < 2 & "so on" >')
        slower = found["a@8x8:a=1"]
        self.assertEqual(slower.find("failure").get("message"), "slower +10.0 % (+9.0 to +11.0 %)")
        self.assertEqual((slower.find("failure").get("type"), slower.get("time")), ("slower", "0.0011"))
        self.assertEqual(found["n@8x8:a=1"].find("skipped").get("message"), "not run: no device")
        self.assertEqual(len(suite.findall("testcase/failure")), 3)
        self.assertEqual(len(suite.findall("testcase/skipped")), 2)
        self.assertEqual(
            suite.find("system-out").text.splitlines(),
            [
                "regression (1 slower)",
                CONTROL["summary"],
                "warning: a < b",
                "u@8x8:a=1: undecided",
                "c@8x8:a=1: faster -20.0 % (-21.0 to -19.0 %)",
            ],
        )

    def test_has_what_the_schemas_of_jenkins_and_ant_ask_for(self):
        """Both: attributes, the order of elements, decimals without an exponent, a time without a zone."""
        tiny = case("t", "same", 1.0, time={"ratio": 1.0, "low": 1, "high": 1, "base": 3e-9, "new": 3e-9})
        text = junit(comparison(tiny, wrong("failed"), time="2026-01-02T03:04:05Z", host="abc"))
        suites = ElementTree.fromstring(text)
        self.assertEqual(suites.attrib, {})
        (suite,) = suites
        self.assertEqual((suite.get("errors"), suite.get("package"), suite.get("id")), ("0", "cfdmark", "0"))
        self.assertEqual((suite.get("timestamp"), suite.get("hostname")), ("2026-01-02T03:04:05", "abc"))
        order = [child.tag for child in suite]
        self.assertEqual(order, ["properties", *["testcase"] * 5, "system-out", "system-err"])
        for test in suite.iter("testcase"):
            self.assertRegex(test.get("time"), r"^\d+(\.\d+)?$")
        self.assertEqual(suite.get("time"), "0.003")
        self.assertEqual(suite.find("testcase").get("time"), "0.000000003")
        self.assertEqual({child.tag for test in suite.iter("testcase") for child in test}, {"failure"})

    def test_without_time_and_host_it_says_now_and_localhost(self):
        suite = ElementTree.fromstring(junit(comparison(time="soon")))[0]
        self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
        self.assertEqual(suite.get("hostname"), "localhost")

    def test_where_nothing_was_compared_the_suite_does_not_pass(self):
        nothing = {**comparison(exit_status=2, conclusion="nothing was compared (1 not run)"), "cases": [case("n", "not run")]}
        suite = ElementTree.fromstring(junit(nothing))[0]
        self.assertEqual((suite.get("tests"), suite.get("errors"), suite.get("skipped")), ("2", "1", "1"))
        self.assertEqual(suite.find("testcase/error").get("message"), "nothing was compared (1 not run)")
        self.assertIn("::error title=cfdmark::nothing was compared", github(nothing))


class GitHub(unittest.TestCase):
    def test_annotations_are_one_line_each_whatever_the_message(self):
        lines = github(comparison(wrong("50 %\nof it"), control=CONTROL, warnings=["x\r\ny"])).splitlines()
        self.assertEqual(lines[0], "::error title=cfdmark%3A wrong::w@8x8%0A50 %25%0Aof it")
        self.assertEqual(lines[1], "::error title=cfdmark%3A slower::a@8x8: +10.0 %25 (+9.0 to +11.0 %25)")
        self.assertTrue(lines[2].startswith("::notice title=cfdmark%3A faster::c@8x8"))
        self.assertEqual(lines[3], "::warning title=cfdmark::x%0D%0Ay")
        self.assertEqual(lines[4], f"::notice title=cfdmark::regression (1 slower)%0A{CONTROL['summary']}")
        self.assertEqual(len(lines), 5)

    def test_undecided_is_a_warning_and_a_case_that_uses_more_an_error(self):
        text = github(comparison(WITHOUT_INTERVAL, USES_MORE))
        self.assertIn("::warning title=cfdmark%3A undecided::i@8x8: +100.0 %25 (unknown)\n", text)
        self.assertIn("::error title=cfdmark%3A same::m@8x8", text)
        self.assertIn("%0Aregisters 32 -> 40 (worse)\n", text)


class Formats(unittest.TestCase):
    def test_every_format_passes_a_warning_on(self):
        for name, text_of in command.COMPARISON_FORMATS.items():
            with self.subTest(name):
                self.assertIn("gpu.name: H200 in the base", text_of(comparison(warnings=["gpu.name: H200 in the base"])))

    def test_the_command_prints_the_format(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            out.reconfigure = lambda **_: None
            with mock.patch("sys.stdin", io.StringIO(json.dumps(comparison()))):
                self.assertEqual(command.comparison_main(["junit"]), 0)
        self.assertEqual(out.getvalue(), junit(comparison()))


if __name__ == "__main__":
    unittest.main()

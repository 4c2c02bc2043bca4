"""ARCHITECTURE.md is about the code as it is: its files, symbols, tests and decisions exist."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
STEP = re.compile(r"`([\w./]+): (\w+)`")
PARSE = re.compile(r"\b(?:grid|domain)_from\(")  # of a grid or a mesh
# Largest numbers of steps that a value takes.
WALKS = {"Grid size, from YAML to launch": 12, "Sample, from clock to page": 10, "Reynolds number, from YAML to cell": 10}
CLAIM = re.compile(r'`(tests/[\w./]+)`: "([^"]+)"')
PATH = re.compile(r"`((?:kernels|solvers|tuning|bench|sweeps|scripts|results|tests|docs|cmake)/[\w./]+)`")


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def holds(path: str, pattern: str) -> bool:
    file = ROOT / path
    return file.is_file() and bool(re.search(pattern, file.read_text(encoding="utf-8")))


def code_of(path: Path) -> str:
    """Returns a file without its comments."""
    comment = r"#.*" if path.suffix == ".py" else r"//.*"
    return re.sub(comment, "", path.read_text(encoding="utf-8"))


def defines(path: str, symbol: str) -> bool:
    """True if code of the file has the symbol as a type, or as a function with a body or a declaration."""
    if not (ROOT / path).is_file():
        return False
    kind = rf"^\s*(?:class|struct) {symbol}\b|^\s*def {symbol}\("
    function = rf"^(?!\s*return\b)[^\n=]*[\w>&*:)] ?\b(?:\w+::)?{symbol}\("
    return bool(re.search(rf"{kind}|{function}", code_of(ROOT / path), re.M))


def numbered() -> str:
    return section("One case, from sweep to page").partition("\n\nThree values")[0]


def walks() -> dict[str, list[str]]:
    """Returns the steps of each walk by its name."""
    text = section("One case, from sweep to page").partition("\n\nThree values")[2]
    items = re.findall(r"^- \*\*(.+?):\*\* (.+?)(?=\n- |\n*\Z)", text, re.M | re.S)
    return {name: [step.strip() for step in steps.split("→")] for name, steps in items}


class Architecture(unittest.TestCase):
    def test_it_has_at_most_150_lines(self):
        self.assertLessEqual(TEXT.count("\n"), 150)

    def test_a_case_goes_from_sweep_to_page_in_ten_steps_each_of_which_names_a_symbol_of_a_file(self):
        steps = re.split(r"^\d+\. ", numbered(), flags=re.M)[1:]
        self.assertEqual(len(steps), 10)
        self.assertEqual([step for step in steps if not STEP.search(step)], [])
        named = [pair for step in steps for pair in STEP.findall(step)]
        self.assertEqual([pair for pair in named if not defines(*pair)], [])

    def test_each_walk_of_a_value_is_short_and_each_of_its_steps_is_one_symbol_of_a_file(self):
        found = walks()
        self.assertEqual(list(found), list(WALKS))
        for name, steps in found.items():
            with self.subTest(name):
                self.assertLessEqual(len(steps), WALKS[name])
                pairs = [STEP.findall(step) for step in steps]
                self.assertEqual([step for step, pair in zip(steps, pairs) if len(pair) != 1], [])
                self.assertEqual([pair[0] for pair in pairs if not defines(*pair[0])], [])
                self.assertEqual(len({pair[0] for pair in pairs}), len(steps))

    def test_a_grid_size_is_parsed_once(self):
        files = dict.fromkeys(STEP.search(step)[1] for step in walks()["Grid size, from YAML to launch"])
        parsing = [file for file in files if PARSE.search(code_of(ROOT / file))]
        self.assertEqual(parsing, ["bench/sweep/axes.cpp"])
        self.assertEqual(len(PARSE.findall(code_of(ROOT / parsing[0]))), 1)
        others = [path.name for room in ("sweep", "worker", "measure")
                  for path in sorted((ROOT / "bench" / room).glob("*.cpp")) if PARSE.search(code_of(path))]
        self.assertEqual(others, ["axes.cpp"])

    def test_every_invariant_is_held_by_a_test_that_exists(self):
        rows = [line for line in section("Invariants").splitlines() if line.startswith("| ")][1:]
        self.assertGreater(len(rows), 15)
        self.assertEqual([row for row in rows if not CLAIM.search(row)], [])
        missing = [claim for claim in CLAIM.findall(TEXT) if not holds(claim[0], rf"\b{re.escape(claim[1])}\b")]
        self.assertEqual(missing, [])

    def test_every_path_that_it_names_exists(self):
        self.assertEqual([path for path in PATH.findall(TEXT) if not (ROOT / path).exists()], [])

    def test_every_main_type_is_defined_in_a_header(self):
        block = re.search(r"((?:    .*\n)+)", section("Main types"))[1]
        names = {name for line in block.splitlines() for name in re.findall(r"\b[A-Z]\w+", line[:30])}
        names -= {"Args", "Json"}
        self.assertGreater(len(names), 15)
        headers = "".join(path.read_text(encoding="utf-8") for room in ("kernels", "solvers", "bench")
                          for path in (ROOT / room).rglob("*.hpp"))
        self.assertEqual([n for n in sorted(names) if not re.search(rf"(?:class|struct|using) {n}\b", headers)], [])

    def test_every_decision_is_in_both_indices_and_has_its_four_parts(self):
        pages = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
        index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
        self.assertGreater(len(pages), 25)
        self.assertEqual([page.name[:3] for page in pages], [f"{n:03d}" for n in range(1, len(pages) + 1)])
        for page in pages:
            with self.subTest(page.name):
                text = page.read_text(encoding="utf-8")
                self.assertRegex(text, rf"^# {page.name[:3]}\. ")
                self.assertRegex(text, r"\nDate: \d{4}-\d\d-\d\d\n")
                self.assertEqual(re.findall(r"^## (.*)$", text, re.M), ["Context", "Decision", "Evidence"])
                self.assertIn(f"({page.name})", index)
                self.assertIn(page.name[:3], section("Decisions"))
                self.assertEqual([path for path in PATH.findall(text) if not path.startswith("results/")
                                  and not (ROOT / path).exists()], [])

    def test_every_kernel_with_more_than_three_methods_by_hand_has_a_readme_that_lists_them(self):
        sources = [path.read_text(encoding="utf-8") for path in (ROOT / "kernels").rglob("*.[ch]pp")]
        names = {name for text in sources for name in re.findall(r'"([a-z_]+)"', text)}
        for folder in sorted((ROOT / "kernels").iterdir()):
            page = folder / "README.md"
            texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.cpp")]
            by_hand = {name for text in texts for name in re.findall(r'\.name = "([a-z_]+)",\s+\.space', text)}
            with self.subTest(folder.name):
                if not page.exists():
                    self.assertLessEqual(len(by_hand), 3, by_hand)
                    continue
                lines = page.read_text(encoding="utf-8").splitlines()
                rows = [line.split(" | ") for line in lines if line.startswith("| `")]
                listed = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row[0])}
                self.assertEqual(sorted(by_hand - listed), [])
                self.assertEqual(sorted(listed - names), [])
                files = [name for row in rows for name in re.findall(r"`([\w./]+\.\w+)`", row[2])]
                self.assertEqual([f for f in files if not any((at / f).exists() for at in (folder, ROOT))], [])


if __name__ == "__main__":
    unittest.main()

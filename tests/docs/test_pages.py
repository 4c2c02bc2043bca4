"""The guide does what it says: its shell blocks run, the options of the slow ones exist, its links lead somewhere.

A block begins with ```sh and what is to be known of it: `exit=N` ends so; `cuda` and `pagmo` need a build with it; `mpi` one with
MPI and a launcher; `slow` is not run, but every option of its cfdmark commands must be one that --help names.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
BLOCK = re.compile(r"^```sh ?(.*?)\n(.*?)^```$", re.S | re.M)

WITH_SETTINGS = ("choose", "solve", "tune", "inspect")  # commands whose help has the settings of what the line chooses


def blocks(page: Path) -> list[tuple[set[str], str]]:
    return [(set(marks.split()), text) for marks, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


@lru_cache(maxsize=None)
def anchors_of(page: Path) -> set[str]:
    """As GitHub makes them of headings: small letters, blanks as hyphens, other signs gone."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@lru_cache(maxsize=None)
def help_of(*words: str) -> str:
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True).stdout


def has_cuda() -> bool:
    return "inspect" in help_of()


def has_pagmo() -> bool:
    study = subprocess.run([PROGRAM, "shape", ROOT / "shapes/ellipse.yaml", "--dry-run"], capture_output=True, text=True)
    return "this build lacks" not in study.stdout


def has_mpi() -> bool:
    return (PROGRAM.resolve().parent / "cfdmark_mpi.so").exists() and shutil.which("mpirun") is not None


def workplace(folder: Path) -> dict[str, str]:
    """A folder that looks like the repository, with a cfdmark on the path."""
    for name in ("sweeps", "shapes", "results", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("out", "bin"):
        (folder / name).mkdir()
    (folder / "bin" / "cfdmark").symlink_to(PROGRAM)
    return {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder)}


def complaint_of(page: Path) -> str:
    """What is wrong with the commands of a page, run one after the other in a folder of its own; empty if nothing is."""
    with tempfile.TemporaryDirectory() as name:
        environment = workplace(Path(name))
        for marks, text in blocks(page):
            needs = {"cuda": has_cuda, "pagmo": has_pagmo, "mpi": has_mpi}
            if "slow" in marks or not all(here() for mark, here in needs.items() if mark in marks):
                continue
            words = ["bash", "-euo", "pipefail", "-c", text]
            done = subprocess.run(words, cwd=name, env=environment, capture_output=True, text=True, timeout=120)
            wanted = next((int(m[5:]) for m in marks if m.startswith("exit=")), 0)
            if done.returncode != wanted:
                return f"{text}ended with {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}"
    return ""


class Guide(unittest.TestCase):
    def test_every_command_runs_and_ends_as_the_page_says(self):
        with ThreadPoolExecutor(2) as pages:
            for page, complaint in zip(PAGES, pages.map(complaint_of, PAGES)):
                with self.subTest(page.name):
                    self.assertEqual(complaint, "")

    def test_every_option_of_a_slow_command_exists(self):
        for page in PAGES:
            for marks, text in blocks(page):
                for line in (line for line in text.splitlines() if "slow" in marks and line.startswith("cfdmark ")):
                    command, *words = shlex.split(line, comments=True)[1:]
                    shown = help_of(command) + (help_of(command, *words) if command in WITH_SETTINGS else "")
                    for option in re.findall(r"\s(--[a-z-]+)", line):
                        with self.subTest(page.name, option=option):
                            self.assertRegex(shown, rf"{option}\b")

    def test_every_option_of_a_command_in_the_readme_exists(self):
        questions = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Your question")[2].partition("\n## ")[0]
        lines = re.findall(r"`(cfdmark [^`]+)`", questions)
        self.assertGreaterEqual(len(lines), 5)
        for line in lines:
            command, *words = shlex.split(line)[1:]
            shown = help_of(command) + (help_of(command, *words) if command in WITH_SETTINGS else "")
            for option in re.findall(r"\s(--[a-z-]+)", line):
                with self.subTest(line, option=option):
                    self.assertRegex(shown, rf"{option}\b")

    def test_every_page_shows_a_command_that_is_run(self):
        for page in PAGES:
            if page.name not in ("README.md", "glossary.md"):
                with self.subTest(page.name):
                    self.assertTrue([text for marks, text in blocks(page) if "slow" not in marks])

    def test_the_table_of_exit_statuses_is_that_of_the_commands(self):
        table = (ROOT / "docs/README.md").read_text(encoding="utf-8").partition("## Exit statuses")[2]
        heads, _, *rows = [[c.strip() for c in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")]
        for row in rows:
            listed = {head for head, cell in zip(heads[1:], row[1:]) if cell}
            for command in re.findall(r"`(\w+)`", row[0]):
                told = re.search(r"exit status: ((?:.|\n)*)", help_of(command))[1]
                if command != "reproduce":  # which says: as that of run
                    with self.subTest(command):
                        self.assertEqual(set(re.findall(r"(?:^|[;,]\s)(\d+) ", told)), listed)

    def test_every_link_leads_to_a_file_and_to_a_heading_of_it(self):
        pages = [*PAGES, *ROOT.glob("*.md"), *ROOT.glob("docs/decisions/*.md"), *ROOT.glob("kernels/*/README.md"),
                 *ROOT.glob("results/*.md"), *ROOT.glob("results/*/*.md"), *ROOT.glob("sweeps/*.md")]
        for page in pages:
            for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
                with self.subTest(page.name, target=target, anchor=anchor):
                    if "://" not in target:
                        file = page.parent / target if target else page
                        self.assertTrue(file.exists())
                        self.assertTrue(not anchor or anchor in anchors_of(file))

    def test_the_kernel_of_the_page_on_own_kernels_is_the_one_that_the_tests_build(self):
        page = (ROOT / "docs/own-kernels.md").read_text(encoding="utf-8")
        shown = re.search(r"^    struct NinePoint \{\n(?:    .*\n|\n)+", page, re.M)[0]
        header = (ROOT / "tests/user_kernels/nine_point/nine_point.hpp").read_text(encoding="utf-8")
        source = {line.strip() for line in header.splitlines()}
        lines = [line.strip() for line in shown.splitlines() if line.strip() not in ("", "...")]
        self.assertGreater(len(lines), 10)
        self.assertEqual([line for line in lines if line not in source], [])

    def test_every_page_is_in_the_contents(self):
        contents = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        for page in PAGES:
            self.assertTrue(page.name == "README.md" or f"({page.name})" in contents, page.name)


if __name__ == "__main__":
    unittest.main()

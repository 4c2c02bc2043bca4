"""The guide does what it says: its shell blocks run, the options of the slow ones exist, its links lead somewhere.

A block begins with ```sh and what is to be known of it: `exit=N` ends so; `cuda` needs a build with CUDA; `slow` is not run,
but every option of its cfdmark commands must be one that --help names.
"""

import os
import re
import subprocess
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
BLOCK = re.compile(r"^```sh ?(.*?)\n(.*?)^```$", re.S | re.M)


def blocks(page: Path) -> list[tuple[set[str], str]]:
    return [(set(marks.split()), text) for marks, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


@lru_cache(maxsize=None)
def help_of(command: str) -> str:
    done = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True)
    return done.stdout + done.stderr


def has_cuda() -> bool:
    return "inspect" in help_of("")


def workplace(folder: Path) -> dict[str, str]:
    """A folder that looks like the repository, with a cfdmark on the path."""
    for name in ("sweeps", "results"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("out", "bin"):
        (folder / name).mkdir()
    (folder / "bin" / "cfdmark").symlink_to(PROGRAM)
    return {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder)}


class Guide(unittest.TestCase):
    def test_every_command_runs_and_ends_as_the_page_says(self):
        for page in PAGES:
            with self.subTest(page.name), tempfile.TemporaryDirectory() as name:
                environment = workplace(Path(name))
                for marks, text in blocks(page):
                    if "slow" in marks or ("cuda" in marks and not has_cuda()):
                        continue
                    words = ["bash", "-euo", "pipefail", "-c", text]
                    done = subprocess.run(words, cwd=name, env=environment, capture_output=True, text=True, timeout=60)
                    wanted = next((int(m[5:]) for m in marks if m.startswith("exit=")), 0)
                    self.assertEqual(done.returncode, wanted, f"{text}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")

    def test_every_option_of_a_slow_command_exists(self):
        for page in PAGES:
            for marks, text in blocks(page):
                for line in (line for line in text.splitlines() if "slow" in marks and line.startswith("cfdmark ")):
                    command = line.split()[1]
                    for option in re.findall(r"\s(--[a-z-]+)", line):
                        with self.subTest(page.name, option=option):
                            self.assertRegex(help_of(command), rf"{option}\b")

    def test_every_page_shows_a_command_that_is_run(self):
        for page in PAGES:
            if page.name != "README.md":
                with self.subTest(page.name):
                    self.assertTrue([text for marks, text in blocks(page) if "slow" not in marks])

    def test_every_link_leads_to_a_file_and_every_page_is_in_the_contents(self):
        for page in [*PAGES, ROOT / "README.md"]:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)", page.read_text(encoding="utf-8")):
                with self.subTest(page.name, target=target):
                    self.assertTrue("://" in target or (page.parent / target).exists())
        contents = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        for page in PAGES:
            self.assertTrue(page.name == "README.md" or f"({page.name})" in contents, page.name)


if __name__ == "__main__":
    unittest.main()

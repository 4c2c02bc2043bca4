"""The Python package works where pip installs it, outside the repository."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else "python3"
NEEDED = ("tomllib", "pip", "venv", "setuptools", "wheel")
MISSING = [name for name in NEEDED if not importlib.util.find_spec(name)]


def sources() -> list[str]:
    """What the wheel is made of. It is copied, because a build leaves files next to its sources."""
    import tomllib  # from Python 3.11 on

    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"].values()
    files = [path for patterns in listed for pattern in patterns for path in ROOT.glob(pattern)]
    return ["pyproject.toml", "scripts/cfdmark", *(str(path.relative_to(ROOT)) for path in files)]


@unittest.skipIf(MISSING, f"Python lacks {MISSING}")
@unittest.skipIf(sys.prefix != sys.base_prefix, "a virtual environment has its own packages")
class Pip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.folder, here = Path(kept.name), Path(kept.name, "source")
        for name in sources():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, here / name)
        cls.python = cls.folder / "venv/bin/python"
        for words in (
            ["venv", "--system-site-packages", "--without-pip", cls.folder / "venv"],
            ["pip", "--quiet", "--python", cls.python, "install", "--no-build-isolation", "--no-index", here],
        ):
            done = subprocess.run([PYTHON, "-m", *words], cwd=cls.folder, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        shutil.rmtree(here)

    def ran(self, *words) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [self.python, "-m", "cfdmark", *words]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_entry_point_reads_records_and_the_files_that_come_with_it(self):
        records = min(ROOT.glob("results/amd-*/*.jsonl"), key=lambda path: path.stat().st_size)
        self.assertIn("report", self.ran("--help"))
        self.ran("report", records, "--output", "page")
        self.assertIn("<html", (self.folder / f"page/{records.stem}.html").read_text(encoding="utf-8"))
        self.assertIn("points added", self.ran("history", "--folder", "kept", "add", records))
        self.assertIn("normore-table", self.ran("published"))
        self.assertIn("normore-table", self.ran("reproduce", "--list"))


if __name__ == "__main__":
    unittest.main()

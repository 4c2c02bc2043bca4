"""An installed tree runs on its own, wherever it is moved, and keeps nothing of its user's."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_places import PROGRAM, QUICKLY, ROOT, SWEEP

MARK = "the script of this very tree"


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        words = ["cmake", "--install", PROGRAM.parent, "--prefix", cls.folder / "first"]
        subprocess.run(words, check=True, capture_output=True)
        shutil.move(cls.folder / "first", cls.folder / "moved elsewhere")
        cls.tree = cls.folder / "moved elsewhere"
        cls.share = cls.tree / "share/cfdmark"
        (cls.folder / "one.yaml").write_text(SWEEP, encoding="utf-8")
        script = cls.share / "scripts/cfdmark/__main__.py"
        script.write_text(f"import sys\nprint('{MARK}', file=sys.stderr)\n" + script.read_text(), encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def ran(self, *words, **variables):
        environment = {**os.environ, "HOME": str(self.folder / "home"), **variables}
        environment.pop("XDG_DATA_HOME", None)
        program = self.tree / "bin/cfdmark"
        return subprocess.run([program, *words], cwd=self.folder, env=environment, capture_output=True, text=True)

    def test_every_file_of_it_is_listed_and_it_can_be_removed_without_a_trace(self):
        """The manual page and the completion are files like any other: packages list them, and an uninstall removes them."""
        build, prefix = PROGRAM.parent, self.folder / "removed again"
        other = prefix / "share/of another program"
        other.mkdir(parents=True)
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True)
        listed = {Path(line) for line in (build / "install_manifest.txt").read_text(encoding="utf-8").splitlines()}
        self.assertEqual(listed, {p for p in prefix.rglob("*") if p.is_file()})
        for name in ("bin/cfdmark", "share/man/man1/cfdmark.1", "share/bash-completion/completions/cfdmark",
                     "share/doc/cfdmark/docs/tuning.md", "share/cfdmark/sweeps/quick.yaml",
                     "share/cfdmark/shapes/ellipse.yaml"):  # fmt: skip
            self.assertIn(prefix / name, listed)
        subprocess.run([prefix / "bin/cfdmark", "report", "--help"], check=True, capture_output=True)  # Python compiles
        subprocess.run(["cmake", "--build", build, "--target", "uninstall"], check=True, capture_output=True)
        self.assertEqual(sorted(prefix.rglob("*")), [other.parent, other])
        again = subprocess.run(["cmake", "--build", build, "--target", "uninstall"], capture_output=True, text=True)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("nothing to uninstall", again.stdout + again.stderr)

    def test_links_within_its_pages_lead_to_files_or_to_what_only_the_sources_have(self):
        pages = self.tree / "share/doc/cfdmark"
        for page in pages.rglob("docs/*.md"):
            for link in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                target = os.path.normpath(page.parent / link)
                root = os.path.relpath(target, pages)
                self.assertTrue(Path(target).exists() or (ROOT / root).exists(), f"{page}: {link}")

    def test_a_shipped_sweep_is_found_by_its_path_in_any_folder(self):
        done = self.ran("run", "sweeps/quick.yaml", "--dry-run", "--filter", "triad/serial")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("triad/serial", done.stdout)
        missing = self.ran("run", "sweeps/no_such.yaml", "--dry-run")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("sweeps/no_such.yaml: ", missing.stderr)
        (self.folder / "sweeps").mkdir()
        self.addCleanup(shutil.rmtree, self.folder / "sweeps")
        (self.folder / "sweeps/quick.yaml").write_text(SWEEP.replace("64x64", "63x63"), encoding="utf-8")
        self.assertIn("@63x63", self.ran("run", "sweeps/quick.yaml", "--dry-run").stdout)

    def test_it_has_no_empty_folder(self):
        self.assertEqual([d for d in self.tree.rglob("*") if d.is_dir() and not any(d.iterdir())], [])

    def test_it_brings_its_completion_and_its_manual_page(self):
        self.assertIn("complete -o default -F _cfdmark cfdmark", (self.tree / "share/bash-completion/completions/cfdmark").read_text())
        self.assertIn(".SS run\n", (self.tree / "share/man/man1/cfdmark.1").read_text())

    def test_it_measures_and_reports_with_its_own_files(self):
        self.assertEqual(self.ran("run", "one.yaml", *QUICKLY).returncode, 0)
        done = self.ran("report", "out/one.jsonl", "--output", "-", "--format", "markdown")
        self.assertEqual((done.returncode, set(done.stderr.splitlines())), (0, {MARK}))
        self.assertEqual(self.ran("reproduce", "--list").returncode, 0)
        self.assertIn("nvidia-h200", self.ran("tune", "layouts").stdout.lower().replace(" ", "-"))

    def test_what_is_tuned_with_it_is_kept_at_home(self):
        before = {p: p.stat().st_mtime_ns for p in self.tree.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
        words = ["tune", "triad", "--backend", "serial", "--grid", "64x64", "--budget", "2s", "--no-roof"]
        self.assertEqual(self.ran(*words).returncode, 0)
        after = {p: p.stat().st_mtime_ns for p in self.tree.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
        self.assertEqual(before, after)
        self.assertEqual(len(list((self.folder / "home/.local/share/cfdmark/tuned").glob("*/*.json"))), 1)

    def test_another_folder_of_data_can_be_named(self):
        other = self.folder / "other"
        (other / "scripts/cfdmark").mkdir(parents=True)
        (other / "scripts/cfdmark/__main__.py").write_text("print('another')\n", encoding="utf-8")
        self.assertEqual(self.ran("report", "x", CFDMARK_DATA=str(other)).stdout, "another\n")
        shutil.rmtree(other / "scripts")
        done = self.ran("history", CFDMARK_DATA=str(other))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"CFDMARK_DATA={other}: {other}/scripts/cfdmark", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""Every shell step of the recipe that publishes the site, run as it stands."""

from __future__ import annotations

import shutil
import unittest

from ruamel.yaml import YAML
from support import RECIPES, ROOT, Machine

RESULTS = ROOT / "results"
HISTORY = RESULTS / "history" / "amd-epyc-2-cores.jsonl"


class Pages(Machine):
    def make_clone(self) -> None:
        """With a small folder of results."""
        reproduce = self.clone / "results" / "device" / "reproduce"
        reproduce.mkdir(parents=True)
        shutil.copy(RESULTS / "nvidia-h200" / "reproduce" / "shinn-memory.jsonl", reproduce)
        shutil.copytree(RESULTS / "published", self.clone / "results" / "published")
        super().make_clone()

    def workflow(self) -> dict:
        return YAML(typ="safe").load(RECIPES / "github-pages.yml")

    def run_all(self) -> str:
        """Every step one after the other, each in a shell of its own; returns what they printed."""
        workflow = self.workflow()
        steps = [s["run"] for s in workflow["jobs"]["make"]["steps"] if "run" in s]
        self.assertEqual(len(steps), 3)
        return "".join(self.succeed(self.shell(step, ["-e"], **workflow["env"])) for step in steps)

    def remember(self, name: str) -> None:
        """The other recipes' branch: a history and nothing else."""
        branch = self.scratch / "branch"
        self.git("clone", "-q", str(self.origin), str(branch), where=self.scratch)
        self.git("checkout", "-q", "--orphan", "performance-history", where=branch)
        self.git("rm", "-rfq", ".", where=branch)
        shutil.copy(HISTORY, branch / name)
        self.git("add", "--all", where=branch)
        self.git("commit", "-q", "-m", "Measured", where=branch)
        self.git("push", "-q", "origin", "performance-history", where=branch)

    def site(self, name: str) -> str:
        return (self.clone / "out/site" / name).read_text(encoding="utf-8")

    def test_makes_the_folder_that_is_published(self):
        out = self.run_all()
        self.assertNotIn("::warning::", out)
        self.assertIn("device/reproduce/shinn-memory.html", self.site("index.html"))
        steps = self.workflow()["jobs"]["make"]["steps"]
        uploads = [s for s in steps if "pages-artifact" in s.get("uses", "")]
        self.assertEqual([s["with"]["path"] for s in uploads], ["out/site"])
        self.assertFalse((self.clone / "out/site/history.html").exists())

    def test_shows_the_history_of_the_branch_and_the_one_that_is_kept_even_under_one_name(self):
        kept = self.clone / "results" / "history" / HISTORY.name
        kept.parent.mkdir()
        point = next(line for line in HISTORY.read_text().splitlines() if '"point"' in line)
        kept.write_text(point.replace("/serial/", "/kept_only/", 1) + "\n")
        self.assertIn("/kept_only/", kept.read_text())
        self.remember(HISTORY.name)
        self.run_all()
        page = self.site("history.html")
        self.assertIn("/kept_only/", page)
        self.assertIn("/serial/", page)

    def test_records_that_cannot_be_read_are_a_warning_and_the_site_is_still_made(self):
        (self.clone / "results" / "device" / "broken.jsonl").write_text("garbage\n")
        self.assertIn("::warning::some records could not be read", self.run_all())
        self.assertIn("broken.jsonl:1:", self.site("index.html"))

    def test_a_site_that_cannot_be_written_fails(self):
        (self.clone / "out").mkdir()
        (self.clone / "out" / "site").write_text("")
        workflow = self.workflow()
        step = next(s["run"] for s in workflow["jobs"]["make"]["steps"] if s.get("name") == "Make the site")
        self.assertEqual(self.shell(step, ["-e"], **workflow["env"]).returncode, 3)

    def test_no_step_holds_an_expression_that_only_github_could_fill_in(self):
        for job in self.workflow()["jobs"].values():
            for step in job["steps"]:
                self.assertNotIn("${{", step.get("run", ""))


if __name__ == "__main__":
    unittest.main()

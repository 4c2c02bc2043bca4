"""A pretended CI machine: a clone of the project with an origin, and a cmake that puts the tested program
into place."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "scripts" / "recipes"
PROGRAM = os.environ.get("CFDMARK_PROGRAM", str(ROOT / "build" / "release" / "cfdmark"))

TINY = """question: Does the recipe work?
blocks:
  - kernels: [copy, triad]
    backends: serial
    methods: default
    precisions: fp64
    grids: [8x8, 16x16]
"""
# What the steps call besides the project's own programs. Building and installing are tested elsewhere.
STUBS = {
    "cmake": f'[[ $1 != --build ]] || {{ mkdir -p build/release && ln -sf "{PROGRAM}" build/release/cfdmark; }}',
    "apt-get": "exit 100",
    "sudo": "exit 100",
    "dpkg-query": 'for word; do [[ $word == -* ]] || echo "installed $word"; done',
    "gpg": "exit 1",
}
GIT = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main"]


def lacks_modules() -> bool:
    """Says if the Python of a fresh machine lacks what the set-up installs."""
    test = ". scripts/setup/packages.sh; python_has_modules"
    return subprocess.run(["bash", "-c", test], cwd=ROOT, env={"PATH": os.environ["PATH"]}, check=False).returncode != 0


def program_knows_its_commit() -> bool:
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False).stdout
    return "(commit " in version


@unittest.skipUnless(shutil.which("git"), "there is no git here")
@unittest.skipIf(lacks_modules(), "/usr/bin/python3 lacks modules: scripts/setup/packages.sh names them")
@unittest.skipUnless(os.path.exists(PROGRAM), f"there is no program {PROGRAM}; ctest names it")
class Machine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="a machine ")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.clone, self.origin = self.scratch / "clone", self.scratch / "origin.git"
        self.summary = self.scratch / "summary.md"
        self.make_stubs()
        self.make_clone()

    def make_stubs(self) -> None:
        (self.scratch / "bin").mkdir()
        for name, body in STUBS.items():
            self.stub(name, body)

    def stub(self, name: str, body: str, shell: str = "#!/usr/bin/env bash") -> None:
        path = self.scratch / "bin" / name
        path.write_text(f"{shell}\n{body}\n")
        path.chmod(0o755)

    def make_clone(self) -> None:
        ignored = shutil.ignore_patterns("__pycache__")
        for folder in ("scripts", "sweeps"):
            shutil.copytree(ROOT / folder, self.clone / folder, ignore=ignored)
        for file in (".gitignore", "CMakePresets.json", "results/schema/record.schema.json"):
            (self.clone / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.clone / file)
        (self.clone / "sweeps" / "tiny.yaml").write_text(TINY)
        self.git("init", "-q")
        self.commit("base")
        self.git("clone", "-q", "--bare", str(self.clone), str(self.origin), where=self.scratch)
        self.git("remote", "add", "origin", str(self.origin))
        self.base = self.git("rev-parse", "HEAD").strip()
        self.commit("change")

    def git(self, *words: str, where: Path | None = None) -> str:
        done = subprocess.run(
            [*GIT, *words],
            cwd=where or self.clone,
            env=self.environment(),
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def environment(self, **more: str) -> dict[str, str]:
        """What a fresh machine has, and nothing of the one that runs the tests."""
        return {
            "PATH": f"{self.scratch / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.scratch),
            "GIT_CONFIG_NOSYSTEM": "1",
            "Kokkos_ROOT": "/nowhere",  # or the set-up would build one
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "OMP_WAIT_POLICY": "passive",
            **more,
        }

    def shell(self, text: str, options: list[str], **environment: str) -> subprocess.CompletedProcess:
        """Runs a step in the clone."""
        return subprocess.run(
            ["bash", *options, "-c", text],
            cwd=self.clone,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    def succeed(self, done: subprocess.CompletedProcess, status: tuple[int, ...] = (0,)) -> str:
        self.assertIn(done.returncode, status, f"{done.args[-1]}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def history_lines(self) -> list[str]:
        """Of the history that was pushed."""
        files = self.git("ls-tree", "--name-only", "performance-history", where=self.origin).split()
        texts = (self.git("show", f"performance-history:{file}", where=self.origin) for file in files)
        return [line for text in texts for line in text.splitlines() if '"type":"point"' in line]

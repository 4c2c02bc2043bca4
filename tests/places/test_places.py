"""Where the program may be run: folders, homes, users and limits of all kinds."""

import contextlib
import json
import os
import pty
import resource
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
SWEEP = """# A sweep of one small case.
question: Does it run here?
blocks:
  - {kernels: triad, methods: plain, backends: serial, precisions: fp64, grids: 64x64}
"""
NOBODY = 65534
QUICKLY = ["--processes", "1", "--case-seconds", "0.01", "--no-roofs"]


class Places(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory(prefix="a place with spaces ")
        self.addCleanup(self.kept.cleanup)
        self.folder = Path(self.kept.name)
        self.folder.chmod(0o777)
        (self.folder / "one case.yaml").write_text(SWEEP, encoding="utf-8")

    def ran(self, *words, limits=(), home=None, **more):
        environment = {k: v for k, v in os.environ.items() if k != "HOME"} | ({"HOME": home} if home else {})
        return subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            preexec_fn=lambda: [resource.setrlimit(limit, (most, most)) for limit, most in limits],
            **more,
        )

    def measures(self, **place):
        done = self.ran("run", "one case.yaml", "--output", "records here/run.jsonl", *QUICKLY, **place)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "records here/run.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual([r["status"] for r in map(json.loads, lines) if r["type"] == "record"], ["ok"])

    def refuses(self, *words, saying, status=None, **place):
        done = self.ran(*words, **place)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        if status:
            self.assertEqual(done.returncode, status, done.stderr)
        others = "this machine is busy", "other processes use this GPU"
        told = [line for line in done.stderr.splitlines() if not any(other in line for other in others)]
        self.assertIn(saying, told[0])


class Folders(Places):
    def test_a_worker_has_all_processors_where_the_shell_binds_threads(self):
        with unittest.mock.patch.dict(os.environ, {"OMP_PROC_BIND": "close"}):
            os.environ.pop("OMP_NUM_THREADS", None)
            self.measures()
        first = (self.folder / "records here/run.jsonl").read_text(encoding="utf-8").splitlines()[0]
        self.assertEqual(json.loads(first)["openmp"]["max_threads"], len(os.sched_getaffinity(0)))

    def test_a_folder_with_spaces(self):
        self.measures(home=str(self.folder))

    def test_without_a_home(self):
        self.measures()

    def test_a_tune_writes_nothing_into_the_sources_that_the_program_was_built_from(self):
        def kept(folder):
            return {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in folder.rglob("*")}

        before = kept(ROOT / "results/tuned")
        words = ["tune", "triad", "--backend", "serial", "--grid", "64x64", "--budget", "6s", "--no-roof"]
        with unittest.mock.patch.dict(os.environ):
            for name in ("CFDMARK_TUNED", "XDG_DATA_HOME"):
                os.environ.pop(name, None)
            done = self.ran(*words, "--output", "t.jsonl", home=str(self.folder))
            shown = self.ran("tune", "layouts", "triad/serial", home=str(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(kept(ROOT / "results/tuned"), before)
        self.assertEqual(len(list(self.folder.glob(".local/share/cfdmark/tuned/*/triad.json"))), 1)
        self.assertIn("triad/serial", shown.stdout)

    def test_with_a_home_that_cannot_be_made(self):
        self.measures(home="/proc/nowhere")


class Terminals(Places):
    def on_a_terminal(self, *words, kind):
        """What a command prints on a terminal of that TERM, its messages with it."""
        ours, theirs = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k not in ("TERM", "NO_COLOR")} | ({"TERM": kind} if kind else {})
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, env=environment, stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65536):
                text += part
        os.close(ours)
        self.assertEqual(process.wait(), 0, text)
        return text

    def test_a_terminal_that_knows_no_colours_gets_none_and_one_line_a_case(self):
        run = ["run", "one case.yaml", "--output", "run.jsonl", "--fresh", *QUICKLY]
        for kind in "dumb", None:
            for words in run, ["report", "run.jsonl", "--output", "."]:
                self.assertNotIn(b"\x1b", self.on_a_terminal(*words, kind=kind), words)
        self.assertIn(b"\x1b[1m", self.on_a_terminal("report", "run.jsonl", "--output", ".", kind="xterm"))


LOCALE = "de_DE"
CAN_MAKE_LOCALES = shutil.which("localedef") and Path("/usr/share/i18n/locales", LOCALE).exists()


@unittest.skipUnless(CAN_MAKE_LOCALES, "decimal commas need localedef and the sources of locales")
class DecimalCommas(Places):
    def setUp(self):
        super().setUp()
        name = f"{LOCALE}.UTF-8"
        subprocess.run(["localedef", "-i", LOCALE, "-f", "UTF-8", self.folder / name], check=True)
        self.of_locale = {"LOCPATH": str(self.folder), "LC_ALL": name}
        comma = ["python3", "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.str(1.5))"]
        self.assertEqual(subprocess.check_output(comma, env=os.environ | self.of_locale, text=True), "1,5\n")

    def ran(self, *words, **more):
        with unittest.mock.patch.dict(os.environ, self.of_locale):
            return super().ran(*words, **more)

    def test_numbers_are_read_and_written_with_points(self):
        sweep = self.folder / "one case.yaml"
        more = "  - {solvers: sor, backends: serial, precisions: fp64, grids: 17x17, tolerance: 0.25, parameters: {omega: 1.5}}\n"
        sweep.write_text(SWEEP + more, encoding="utf-8")
        self.assertEqual(self.ran("run", sweep, "--output", "run.jsonl", *QUICKLY).returncode, 0)
        lines = map(json.loads, (self.folder / "run.jsonl").read_text(encoding="utf-8").splitlines())
        solve = next(r for r in lines if r["type"] == "record" and r["name"] == "sor")
        self.assertEqual((solve["workload"]["tolerance"], solve["config"]["omega"]), (0.25, 1.5))
        told = self.ran("report", "run.jsonl")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertRegex(told.stdout, r"\d\.\d")
        self.assertNotRegex(told.stdout, r"\d,\d\d?\b")

    def test_a_number_with_a_comma_is_refused_with_what_was_expected(self):
        self.refuses("solve", "--solver", "sor", "--tolerance", "0,001", status=2, saying="expected tolerance: a number above 0")


@unittest.skipUnless(os.geteuid() == 0, "only root can become somebody else")
class Users(Places):
    def as_nobody(self):
        for folder in [PROGRAM, *PROGRAM.parents]:
            if not folder.stat().st_mode & 0o001:
                self.skipTest(f"{folder} is closed to others")
        return {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def test_another_user_measures_with_a_shared_build(self):
        self.measures(**self.as_nobody())

    def test_another_user_of_a_shared_build_keeps_what_was_tuned_at_home(self):
        words = ["tune", "triad", "--backend", "serial", "--grid", "64x64", "--budget", "6s", "--no-roof"]
        done = self.ran(*words, "--output", "t.jsonl", home=str(self.folder), **self.as_nobody())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(self.folder.glob(".local/share/cfdmark/tuned/*/*.json"))), 1)


# The driver of a GPU maps far more address space than there is memory, and opens files of its own.
HAS_DRIVER = Path("/dev/nvidiactl").exists()


class Limits(Places):
    @unittest.skipIf(HAS_DRIVER, "the driver of the GPU needs more address space")
    def test_little_address_space(self):
        # The libraries of a GPU, without one, take two gigabytes.
        little = [(resource.RLIMIT_AS, 6 * 2**30)]
        self.measures(limits=little)
        large = ["solve", "--solver", "cg", "--backend", "serial", "--grid", "16384x16384", "--max-iterations", "1"]
        self.refuses(*large, limits=little, saying="is too large: it needs")

    def test_less_address_space_than_the_libraries_take_is_reported_before_they_begin(self):
        for mebibytes in 150, 200:
            self.refuses("list", limits=[(resource.RLIMIT_AS, mebibytes * 2**20)], status=2, saying=f"limited to {mebibytes} MiB")

    @unittest.skipIf(HAS_DRIVER, "the driver of the GPU opens files too")
    def test_few_open_files(self):
        self.refuses(
            "run", "one case.yaml", "--output", "run.jsonl", *QUICKLY,
            limits=[(resource.RLIMIT_NOFILE, 12)], saying="12 open files and 20 are needed",
        )  # fmt: skip
        self.measures(limits=[(resource.RLIMIT_NOFILE, 20)])

    def test_a_limit_of_file_size_is_reported_like_a_full_disk(self):
        self.refuses(
            "run", "one case.yaml", "--output", "run.jsonl", *QUICKLY,
            limits=[(resource.RLIMIT_FSIZE, 512)], saying="cannot write run.jsonl: File too large", status=3,
        )  # fmt: skip

    def test_a_disk_that_fills_up_within_a_tune_costs_records_and_no_answer(self):
        words = ["tune", "triad", "--backend", "openmp", "--grid", "64x64", "--budget", "3s", "--no-roof", "--keep-nothing"]
        first = self.ran(*words, "--output", "whole.jsonl")
        self.assertEqual(first.returncode, 0, first.stderr)
        lines = (self.folder / "whole.jsonl").read_bytes().splitlines(keepends=True)
        room = sum(map(len, lines[:2])) + 1500  # for what the machine is and a record, and for some more
        done = self.ran(*words, "--output", "cut.jsonl", limits=[(resource.RLIMIT_FSIZE, room)])
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("cannot write cut.jsonl"), 2, done.stderr)  # when it happens, and at the end
        self.assertRegex(done.stdout, r"(?m)^  use      \S+")
        kept = (self.folder / "cut.jsonl").read_bytes()
        self.assertTrue(kept.endswith(b"\n"))
        self.assertEqual([json.loads(line)["type"] for line in kept.splitlines()][:2], ["environment", "record"])


if __name__ == "__main__":
    unittest.main()

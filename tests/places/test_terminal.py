"""What a person sees who sits before the program."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import threading
import unittest
from pathlib import Path

from test_places import PROGRAM, QUICKLY, SWEEP


def said(*words) -> str:
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def completed(*words) -> list[str]:
    """What bash offers for the last of these words."""
    typed = " ".join(f"'{w}'" for w in ("cfdmark", *words))
    script = f"source <('{PROGRAM}' completion); COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _cfdmark; echo ${{COMPREPLY[@]}}"
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def shown(columns: int, *words, folder=None) -> list[str]:
    """Returns the final lines on a terminal of `columns` columns: a line drawn again replaces the one before."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    parts = []

    def read():
        try:
            while part := os.read(ours, 1 << 16):
                parts.append(part)
        except OSError:  # the program has ended, and no other process holds the terminal
            pass

    reader = threading.Thread(target=read)
    reader.start()
    subprocess.run([PROGRAM, *words], cwd=folder, stdout=theirs, stderr=theirs, check=True)
    os.close(theirs)
    reader.join()
    os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n").split("\n")


class Terminal(unittest.TestCase):
    def test_a_run_ends_with_what_was_found_and_the_next_command(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "one.yaml").write_text(SWEEP, encoding="utf-8")
            words = [PROGRAM, "run", "one.yaml", *QUICKLY]
            ours, theirs = pty.openpty()
            subprocess.run(words, cwd=folder, stdout=theirs, stderr=subprocess.DEVNULL, check=True)
            os.close(theirs)
            shown = os.read(ours, 1 << 16).decode()
            os.close(ours)
            piped = subprocess.run([*words, "--fresh"], cwd=folder, capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, r"fastest .*\r\n  triad +64x64 +fp64 +\S+ [num]?s per step +serial/plain")
        self.assertTrue(shown.endswith("next: cfdmark report out/one.jsonl\r\n"), shown)
        self.assertNotIn("next:", piped)

    def test_at_forty_columns_help_and_lists_go_on_below_and_cut_no_word(self):
        for words in (["--help"], ["run", "--help"], ["tune", "--help"], ["list"], ["devices"]):
            lines = shown(40, *words)
            wide = [line for line in lines if len(line) > 40 and " " in line.strip()]
            self.assertEqual(wide, [], words)
            self.assertGreater(len(lines), 40 if words != ["devices"] else 10)
        self.assertEqual(" ".join(shown(40, "run", "--help")).split(), said("run", "--help").split())

    def test_at_forty_columns_what_is_drawn_while_a_run_continues_fits_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            three = SWEEP.replace("64x64", "[64x64, 65x65, 66x66]")
            (Path(folder) / "three.yaml").write_text(three, encoding="utf-8")
            words = ["--processes", "1", "--case-seconds", "0.3", "--interval", "0.001", "--no-roofs"]  # no case ends sooner
            text = "\n".join(shown(40, "run", "three.yaml", *words, folder=folder))
        drawn = re.findall(r"\r\x1b\[K(\[[#.]+\][^\r\n]*)", text)
        self.assertTrue(drawn, text)
        self.assertEqual([line for line in drawn if len(line) >= 40], [])

    def test_help_is_a_command_too(self):
        self.assertEqual(said("help"), said("--help"))
        self.assertEqual(said("help", "run"), said("run", "--help"))
        self.assertEqual(said("help", "tune", "layouts"), said("tune", "layouts", "--help"))

    def test_the_help_of_a_command_is_its_own(self):
        for command in ("list", "devices", "merge", "completion", "man"):
            self.assertNotIn("cfdmark history add", said(command, "--help"))
        self.assertIn("cfdmark history add", said("--help"))

    def test_bash_completes_commands_and_each_ones_options(self):
        self.assertEqual(completed("comp"), ["compare", "completion"])
        self.assertEqual(completed("run", "--ou"), ["--output"])
        self.assertEqual(completed("devices", "--ou"), [])

    def test_bash_completes_what_lives_under_tune_and_its_options(self):
        self.assertEqual(completed("tune", "la"), ["layouts"])
        self.assertIn("--strategy", completed("tune", "--s"))
        self.assertEqual(completed("tune", "layouts", "--cs"), ["--csv"])
        self.assertEqual(completed("tune", "space", "--st"), [])
        self.assertEqual(completed("tune", "jacobi", "--ke"), ["--keep-nothing"])

    def test_the_manual_holds_every_command_and_option_that_help_names(self):
        manual = said("man").replace("\\-", "-")
        for command in re.findall(r"^  ([a-z][a-z-]+) {2,}", said("--help"), re.M):
            self.assertIn(f".SS {command}\n", manual)
        self.assertIn(".SS tune layouts\n", manual)
        for option in re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", said("run", "--help"), re.M):
            self.assertIn(option, manual)
        self.assertNotRegex(manual, r"(?m)^\.(?!TH|SH|SS|TP|PP|nf|fi)")


if __name__ == "__main__":
    unittest.main()

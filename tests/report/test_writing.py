"""A written file is whole, and no other process writes it at the same time."""

import fcntl
import os
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (finds the scripts)

from cfdmark.output import CannotWrite, locked, write_whole


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.path = self.folder / "run.jsonl"


class WholeFile(InAFolder):
    def test_a_write_that_fails_leaves_the_earlier_file_and_no_other_file(self):
        self.path.write_text("earlier")
        with mock.patch("os.replace", side_effect=OSError(28, "No space left on device")):
            with self.assertRaisesRegex(CannotWrite, "No space left on device"):
                write_whole(self.path, "later")
        self.assertEqual(self.path.read_text(), "earlier")
        self.assertEqual(os.listdir(self.folder), ["run.jsonl"])

    def test_permissions_are_kept(self):
        self.path.write_text("earlier")
        self.path.chmod(0o600)
        write_whole(self.path, "later")
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)

    def test_a_link_that_a_user_chose_is_followed(self):
        link = self.folder / "link"
        self.path.write_text("earlier")
        link.symlink_to(self.path)
        write_whole(link, "later")
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.path.read_text(), "later")

    def test_a_device_is_written_in_place(self):
        write_whole(Path("/dev/null"), "text")
        self.assertTrue(Path("/dev/null").is_char_device())
        with self.assertRaisesRegex(CannotWrite, "No space left on device"):
            write_whole(Path("/dev/full"), "text" * 100000)


class Locks(InAFolder):
    def test_a_file_that_another_process_writes_is_refused_after_a_while(self):
        self.path.write_text("earlier")
        with open(self.path) as held, mock.patch("cfdmark.output.SECONDS_TO_WAIT", 0.1):
            fcntl.flock(held, fcntl.LOCK_EX)
            with self.assertRaisesRegex(CannotWrite, "run.jsonl: another process is writing it"), locked(self.path):
                self.fail("the lock of another was taken")

    def test_the_lock_of_a_file_that_was_replaced_meanwhile_is_that_of_the_new_one(self):
        self.path.write_text("one")
        entered, seen = threading.Event(), []

        def second():
            entered.wait()
            with locked(self.path):
                seen.append(self.path.read_text())

        other = threading.Thread(target=second)
        other.start()
        with locked(self.path):
            entered.set()
            time.sleep(0.1)
            write_whole(self.path, "two")
            time.sleep(0.1)
            self.assertEqual(seen, [])
        other.join()
        self.assertEqual(seen, ["two"])

    def test_a_file_that_stays_empty_is_removed_again(self):
        with locked(self.path):
            pass
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    unittest.main()

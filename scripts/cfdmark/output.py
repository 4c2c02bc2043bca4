"""Writes files that another process may write or read at the same time.

bench/record/output_file.cpp follows the same protocol for C++.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from cfdmark.text.printable import printable

SECONDS_TO_WAIT = 10.0  # for a lock; a run holds its lock until it ends
SECONDS_BETWEEN_TRIES = 0.02


class CannotWrite(Exception):
    """A file could not be written. The message is for the user."""


def write_whole(path: Path, text: str | bytes) -> None:
    """Replaces a file as a whole: a full disk, a kill or a concurrent reader never leaves or sees half of it.
    Links are followed; pipes and devices are written in place."""
    content = text.encode("utf-8") if isinstance(text, str) else text
    scratch = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        if is_written_in_place(path):
            path.write_bytes(content)
            return
        handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode_for(target))
            os.fsync(file.fileno())
        os.replace(scratch, target)
    except OSError as error:
        if scratch and os.path.exists(scratch):
            os.unlink(scratch)
        raise CannotWrite(
            f"cannot write {printable(str(path))}: {error.strerror or error}. The records are untouched; free some space or "
            "choose another place with --output."
        ) from error


def is_written_in_place(path: Path) -> bool:
    """True for a path that no new file can replace. A process's links to its own streams are never replaced.
    """
    return os.path.abspath(path).startswith(("/dev/", "/proc/")) or path.exists() and not path.is_file()


def mode_for(path: Path) -> int:
    """Returns the permissions of the file that is replaced, or those of a new file."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the exclusive lock of a file, as `cfdmark run` does for its output, and creates the file if it is
    missing. A file that is still empty at the end is removed. Raises CannotWrite if another process holds
    the lock."""
    if is_written_in_place(path):
        yield
        return
    fd, is_new = open_locked(path, time.monotonic() + SECONDS_TO_WAIT)
    try:
        yield
    finally:
        if is_new and is_file_at(fd, path) and os.fstat(fd).st_size == 0:
            path.unlink(missing_ok=True)
        os.close(fd)


def open_locked(path: Path, end: float) -> tuple[int, bool]:
    """Returns the descriptor of the locked file at `path`, and whether this call created the file."""
    while True:
        is_new = not path.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise CannotWrite(f"cannot write {printable(str(path))}: {error.strerror or error}") from error
        try:
            take_lock(fd, path, end)
        except BaseException:
            os.close(fd)
            raise
        if is_file_at(fd, path):
            return fd, is_new
        os.close(fd)  # it was replaced while this waited


def take_lock(fd: int, path: Path, end: float) -> None:
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > end:
                raise CannotWrite(f"cannot write {printable(str(path))}: another process is writing it; try again when it has ended") from error
            time.sleep(SECONDS_BETWEEN_TRIES)
        except OSError:
            return  # a file system without locks is written without one


def is_file_at(fd: int, path: Path) -> bool:
    """True if `path` still names the open file."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except OSError:
        return False

"""Reads the files of samples that nvbench writes with --jsonbin."""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path, PurePosixPath

from .results import Odd

MOST_SAMPLES = 1 << 26  # 256 MiB, more than any run takes


def places(json_file: Path, name: str) -> list[Path]:
    """Returns where the named file may lie: only next to the JSON. The name may be absolute or relative to
    the benchmark's folder, and the JSON may have been renamed; its last two parts are
    FOLDER-bin/NUMBER.bin."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    found = [(*parts[-2:-1], *parts[-1:]), (f"{json_file.name}-bin", *parts[-1:]), parts[-1:]]
    return [json_file.parent.joinpath(*part) for part in dict.fromkeys(found) if part and ".." not in part and "/" not in part]


def content(path: Path, length: int) -> bytes | None:
    """Returns `length` bytes of a regular file; None if there is none. Raises Odd if it has another length.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)  # a pipe would block the reader
    except (OSError, ValueError):
        return None
    try:
        info = os.fstat(file)
        if not stat.S_ISREG(info.st_mode):
            return None
        if info.st_size != length:
            raise Odd(f"{path}: it has {info.st_size} bytes where {length // 4} samples of 4 bytes are announced")
        with open(file, "rb", closefd=False) as stream:
            return stream.read(length)
    finally:
        os.close(file)


def samples_of(json_file: Path, name: str, count: int) -> tuple[float, ...] | None:
    """Returns little-endian 32-bit numbers; None if there is no such file. Raises Odd if their number
    differs."""
    if not 0 < count <= MOST_SAMPLES:
        raise Odd(f"{count} samples are announced in {name}: expected 1 to {MOST_SAMPLES}")
    for path in places(json_file, name):
        if (data := content(path, 4 * count)) is not None:
            return struct.unpack(f"<{count}f", data)
    return None

"""Writing the report: whole files or none, and a clear word when the disk says no."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class CannotWrite(Exception):
    """The message is for the user."""


def write_whole(path: Path, text: str) -> None:
    """Writes beside the target and renames: a full disk leaves an earlier report as it was."""
    scratch = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(scratch, 0o666 & ~current_umask())
        os.replace(scratch, path)
    except OSError as error:
        if scratch and os.path.exists(scratch):
            os.unlink(scratch)
        raise CannotWrite(
            f"cannot write {path}: {error.strerror or error}. The records are untouched; free some space or "
            "choose another place with --output."
        ) from error


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

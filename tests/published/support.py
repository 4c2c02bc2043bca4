"""What the tests of the published values share."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.published import command  # noqa: E402
from cfdmark.published.load import load, load_all, shipped  # noqa: E402
from cfdmark.published.model import Experiment  # noqa: E402
from cfdmark.published.nodes import BadFile, Number  # noqa: E402, F401


def experiments() -> dict[str, Experiment]:
    loaded, wrong = load_all(shipped())
    if wrong:
        raise AssertionError("\n".join(wrong))
    return {experiment.id: experiment for experiment in loaded}


def run_command(*arguments: object) -> tuple[int, str, str]:
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command.main([str(argument) for argument in arguments])
    return status, out.buffer.getvalue().decode("utf-8"), err.getvalue()


@contextlib.contextmanager
def file_of(text: str, name: str = "author-table-1.yaml"):
    """A file that is gone after the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        yield path

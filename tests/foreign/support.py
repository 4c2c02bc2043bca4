"""What the tests of others' files share."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.foreign.read import read  # noqa: E402
from cfdmark.foreign.results import Benchmark, Results  # noqa: E402
from cfdmark.records.records import BadInput  # noqa: E402


class ForeignCase(unittest.TestCase):
    """A folder for files as others write them."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)

    def read(self, content, **options) -> Results | None:
        """What is read of a text, of bytes, or of a value as JSON."""
        path = self.scratch / "theirs.json"
        data = content if isinstance(content, (str, bytes)) else json.dumps(content, indent=1)
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        return read(path, **options)

    def cases(self, content, **options) -> dict[str, Benchmark]:
        return {benchmark.case: benchmark for benchmark in self.read(content, **options).benchmarks}

    def times(self, content, **options) -> dict[str, list[float]]:
        """Samples in nanoseconds."""
        return {name: [round(1e9 * s, 6) for s in b.samples] for name, b in self.cases(content, **options).items()}

    def refuses(self, content, *words: str) -> None:
        with self.assertRaises(BadInput) as caught:
            self.read(content)
        for word in words:
            self.assertIn(word, str(caught.exception))

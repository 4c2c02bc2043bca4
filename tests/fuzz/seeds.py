"""Writes the seeds of fuzzing: a file for each kept line of a record, table or sweep.

    seeds.py records|tables|sweeps|meshes|matrices FOLDER

No mesh or matrix is kept: those in tests/fuzz/corpus are the seeds of its reader.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERY = 40  # of the kept records, which resemble each other
ENTRIES = 3  # of a tuned table


def records() -> list[str]:
    kept = [line for path in sorted(ROOT.glob("results/**/*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    examples = [example["line"] for example in json.loads((ROOT / "tests/records.json").read_text("utf-8"))]
    return kept[::EVERY] + examples


def tables() -> list[str]:
    found = [json.loads(path.read_text("utf-8")) for path in sorted(ROOT.glob("results/tuned/*/*.json"))]
    return [json.dumps(table | {"entries": table["entries"][:ENTRIES]}) for table in found]


def sweeps() -> list[str]:
    return [path.read_text("utf-8") for path in sorted(ROOT.glob("sweeps/**/*.yaml"))]


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2])
    makers = {"records": records, "tables": tables, "sweeps": sweeps, "meshes": list, "matrices": list}
    for n, text in enumerate(makers[kind]()):
        (folder / f"{n:04d}").write_text(text, "utf-8", "surrogateescape")


if __name__ == "__main__":
    main()

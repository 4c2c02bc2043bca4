"""What the tests of the kept results share."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "results"
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.records.machine import machine_ids  # noqa: E402


def programs_of(path: Path) -> list[dict]:
    """What is known of each program that wrote into a file of records, a history or a tuned table."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return [entry["program"] for entry in json.loads(text)["entries"]]
    lines = [json.loads(line) for line in text.splitlines()]
    programs = [line["program"] for line in lines if line["type"] == "environment"]
    points = [line for line in lines if line["type"] == "point"]
    known = {line.get("id") for line in lines if line["type"] == "environment"}
    lost = [line for line in lines if line["type"] == "record" and line["environment"] not in known]
    return programs + points + [{} for _ in lost]


def machines_of(path: Path) -> set[str]:
    """The machines that wrote into a file of records, GPUs with them."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return set(machine_ids(line for line in lines if line["type"] == "environment"))


def why_not_clean(path: Path) -> str:
    """Empty if every number of the file is of a clean commit, which it names."""
    for program in programs_of(path):
        if not program.get("commit"):
            return "names no commit"
        if program.get("dirty") is not False:
            return f"has numbers of {program['commit'][:10]} with changes that are not in it, or does not say"
    return ""

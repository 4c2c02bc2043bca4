"""Findings of a trial."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Findings:
    """What went wrong, and how much was tried."""

    tried: Counter = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # worth reading, and no faults

    def add(self, what: str, detail: str, file: Path, keep: Path | None) -> None:
        kept = ""
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            kept = keep / f"{len(self.faults)}-{file.name}"
            kept.write_bytes(file.read_bytes())
        self.faults.append(f"{what}: {detail.strip()[-1500:]}{f' ({kept})' if kept else ''}")

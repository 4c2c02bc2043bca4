"""Record files as blocks: an environment line and its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cfdmark.records.record_check import SCHEMA, BadLine, object_in
from cfdmark.records.records import BadInput, lines_of, parse_line, shown


@dataclass
class Block:
    """Output of one run. Lines are kept unchanged."""

    head: str  # the environment line
    environment: dict
    records: dict[str, dict] = field(default_factory=dict)  # by line, in order
    # Sort key: its time, or that of an earlier block of its file if the clock was set back in between, and the number
    # of consecutive blocks since.
    order: tuple[str, int] = ("", 0)
    files: set[Path] = field(default_factory=set)
    newest: dict[str, str] = field(default_factory=dict)  # line by case

    def add(self, line: str, raw: dict) -> None:
        """Adds a record. A record that extends an earlier one with another process's samples replaces it."""
        before = self.newest.get(raw["case"])
        if before is not None and goes_on(self.records[before], raw):
            del self.records[before]
        self.records[line] = raw
        self.newest[raw["case"]] = line

    @property
    def sweep(self) -> dict:
        return self.environment.get("sweep", {})

    @property
    def shard(self) -> dict:
        return self.sweep.get("shard", {"index": 1, "count": 1, "cases": self.sweep.get("cases")})


def goes_on(before: dict, raw: dict) -> bool:
    first, now = (r.get("time", {}).get("samples", []) for r in (before, raw))
    return first != [] and first == now[: len(first)]


def schema_of(line: str):
    try:
        return object_in(line).get("schema", SCHEMA)
    except BadLine:
        return SCHEMA


def read_blocks(path: Path, warnings: list[str]) -> list[Block]:
    """Returns the blocks of a file. Raises BadInput if it is empty, of another schema, or has records before
    any environment."""
    blocks: list[Block] = []
    latest, set_back = "", 0
    for number, line in lines_of(path):
        place = f"{shown(path)}:{number}"
        if schema_of(line) != SCHEMA:
            raise BadInput(f"{place}: schema {schema_of(line)}; this program merges schema {SCHEMA}")
        try:
            raw = parse_line(line)
        except BadLine as problem:
            warnings.append(f"{place}: line skipped: {problem}")
            continue
        if raw["type"] == "environment":
            time = str(raw.get("time", ""))
            latest, set_back = (time, 0) if time >= latest else (latest, set_back + 1)
            blocks.append(Block(line, raw, order=(latest, set_back), files={path}))
        elif not blocks:
            raise BadInput(f"{place}: a record before any environment line: its machine is unknown")
        else:
            blocks[-1].add(line, raw)
    if not blocks:
        raise BadInput("\n".join([*warnings, f"{shown(path)} holds no run: it is empty or no record file"]))
    return blocks


def united(copies: list[Block]) -> Block:
    """Joins copies of a block: from a file that was merged before, or copied while it grew."""
    copies = sorted(copies, key=lambda b: (-len(b.records), list(b.records)))
    whole = Block(copies[0].head, copies[0].environment, order=max(b.order for b in copies))
    for block in copies:
        whole.records |= {line: raw for line, raw in block.records.items() if line not in whole.records}
        whole.files |= block.files
    return whole


def sorted_blocks(blocks: list[Block]) -> list[Block]:
    """Returns each block once, oldest first, so that the later of two records of a case counts."""
    by_head: dict[str, list[Block]] = {}
    for block in blocks:
        by_head.setdefault(block.head, []).append(block)
    return sorted(map(united, by_head.values()), key=lambda b: (b.order, b.shard["index"], b.head))


def text_of(blocks: list[Block]) -> str:
    return "".join(f"{line}\n" for block in blocks for line in (block.head, *block.records))


def counting(blocks: list[Block]) -> list[Block]:
    """Returns blocks with a current record, or without any record. Blocks that were measured again are kept
    but do not count."""
    owner = {raw["case"]: block for block in blocks for raw in block.records.values()}
    owners = set(map(id, owner.values()))
    return [block for block in blocks if id(block) in owners or not block.records]


def latest_records(blocks: list[Block]) -> dict[str, dict]:
    """Returns the current record of each case, as readers of the file see it."""
    return {raw["case"]: raw for block in blocks for raw in block.records.values()}

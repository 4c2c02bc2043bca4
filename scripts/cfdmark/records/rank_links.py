"""Records of the kernels `halo` and `sum_over_ranks`, and what a message and a sum cost by them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cfdmark.stats.quantity import Quantity
from cfdmark.stats.theil_sen import Points, with_interval

from .records import Record
from .select import grouped

HALO, SUM = "halo", "sum_over_ranks"
LINK_KERNELS = (HALO, SUM)
SHORT, LONG = 64 * 1024, 4 * 1024 * 1024  # bytes: latency from messages up to, bandwidth from messages from


def traffic(record: Record, part: str, key: str) -> float:
    """Returns a number of `ranks.exchange` or `ranks.sums`; 0 without one."""
    return float(record.section("ranks").get(part, {}).get(key, 0) or 0)


def message_bytes(record: Record) -> float:
    return traffic(record, "exchange", "largest_message")


def time_of_message(record: Record) -> Quantity | None:
    """Returns the time of a rank's message in an exchange; None if the ranks send messages of several sizes."""
    messages = traffic(record, "exchange", "messages_per_step")
    if not messages or traffic(record, "exchange", "bytes_per_step") != messages * message_bytes(record):
        return None
    return record.time.scaled(record.ranks / messages)


def bytes_of_sum(record: Record) -> float:
    """Returns the bytes of the numbers that each rank gets in a step, its own included."""
    return traffic(record, "sums", "bytes_per_step") / max(record.ranks - 1, 1)


@dataclass(frozen=True)
class Links:
    """Costs of communication between a number of ranks, joined in one way on one machine."""

    ranks: int
    joined_by: str
    way: str  # of values between devices, such as store; between ranks of a host: memory
    halos: tuple[Record, ...]
    sums: tuple[Record, ...]

    @cached_property
    def messages(self) -> Points:
        return sorted((message_bytes(r), t.value) for r in self.halos if (t := time_of_message(r)))

    @cached_property
    def alpha(self) -> Quantity | None:
        """Seconds of a message without bytes."""
        return with_interval([p for p in self.messages if p[0] <= SHORT], lambda line: line[0])

    @cached_property
    def beta(self) -> Quantity | None:
        """Bytes a second of long messages of one rank, while all send; None if time does not grow with the bytes."""
        per_byte = with_interval([p for p in self.messages if p[0] >= LONG], lambda line: line[1])
        return per_byte.per_second(1.0) if per_byte and per_byte.value > 0 else None

    @cached_property
    def sum_points(self) -> Points:
        return sorted((bytes_of_sum(r), r.time.value) for r in self.sums)

    @cached_property
    def sum_alpha(self) -> Quantity | None:
        """Seconds of a sum without numbers."""
        return with_interval(self.sum_points, lambda line: line[0])

    @cached_property
    def sum_per_byte(self) -> Quantity | None:
        return with_interval(self.sum_points, lambda line: line[1])

    def time_of_messages(self, messages: float, size: float) -> float | None:
        """Returns the seconds of messages of a rank with `size` bytes together; None without both costs."""
        if not messages:
            return 0.0
        return messages * self.alpha.value + size / self.beta.value if self.alpha and self.beta else None

    def time_of_sums(self, sums: float, size: float) -> float | None:
        """Returns the seconds of sums whose numbers have `size` bytes together; None without both costs."""
        if not sums:
            return 0.0
        known = self.sum_alpha and self.sum_per_byte
        return sums * self.sum_alpha.value + size * self.sum_per_byte.value if known else None


def way_of(record: Record) -> str:
    """Returns the way of values between the devices of ranks; memory between ranks of a host."""
    return str(record.section("ranks").get("exchange", {}).get("way", "memory"))


def link_key(dataset, record: Record) -> tuple:
    """Returns what decides the links of a record on several ranks: machine, way to join, way between devices, ranks."""
    return (dataset.machine_of(record), str(record.section("ranks").get("joined_by", "")), way_of(record), record.ranks)


def links_of(dataset) -> dict[tuple, Links]:
    """Returns the links by link_key()."""
    records = [r for r in dataset.ok() if r.name in LINK_KERNELS and r.kind == "kernel" and r.ranks > 1]
    found = {}
    for key, group in grouped(records, lambda r: link_key(dataset, r)).items():
        halos, sums = (tuple(r for r in group if r.name == name) for name in LINK_KERNELS)
        slabs = [tuple(r for r in of if r.config.get("partition") == "slabs") for of in (halos, sums)]
        if any(slabs):
            _, joined_by, way, ranks = key
            found[key] = Links(ranks, joined_by, way, *slabs)
    return found

"""The model of the time on several ranks, its check against measured times, and its lines beyond them.

    T(P) = work of the busiest rank + work that every rank repeats + x (latency + bytes / bandwidth) + cost of sums

with x messages of the busiest rank in a step. Work is that of the record, and on devices, whose work has no clock of its
own, a share of the time of one. The rest follows from records of the kernels `halo` and `sum_over_ranks` with as many ranks
on the same machine, by the same way. Beyond the measured ranks the work of a rank falls as
1 / P, repeated work stays, a rank of slabs has two neighbours, and the latency of a sum grows with the ranks that it waits for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean

from cfdmark.records.rank_links import Links, bytes_of_sum, link_key, links_of, traffic
from cfdmark.records.ranks import COPIES, cuts_slabs, partition, seconds_by_rank
from cfdmark.records.records import Record

from ..model import COUNT, Column, Table

MOST_OFF = 0.15  # a line that misses a measured time by more is not drawn
BEYOND = 4  # times the measured ranks, to which lines are drawn


@dataclass(frozen=True)
class Model:
    """The model of one record."""

    record: Record
    links: Links
    of_one: Record | None = None  # the same on one rank

    @property
    def exchanges(self) -> float:
        """Exchanges of a step by slabs of a domain with ends."""
        return traffic(self.record, "exchange", "messages_per_step") / (2 * (self.record.ranks - 1))

    def messages(self, ranks: int) -> float:
        """Returns the messages that the busiest rank sends in a step."""
        if cuts_slabs(self.record):
            return self.exchanges * min(ranks - 1, 2)
        return traffic(self.record, "exchange", "messages_per_step") / self.record.ranks

    def work(self, ranks: int) -> float | None:
        """Returns the seconds of the busiest rank's work in a step; None if they are not known."""
        seconds = seconds_by_rank(self.record)
        if seconds:
            return max(seconds["work"]) * self.record.ranks / ranks + mean(seconds["redundant"])
        if self.of_one is None:
            return None
        return self.of_one.time.value * (1 + traffic(self.record, "partition", "imbalance")) / ranks

    def time(self, ranks: int) -> float | None:
        """Returns the seconds of a step on a number of ranks; None if a cost is not known."""
        work, measured = self.work(ranks), self.record.ranks
        sent, size = self.messages(ranks), traffic(self.record, "exchange", "bytes_per_step")
        of_message = size / max(traffic(self.record, "exchange", "messages_per_step"), 1)
        exchange = self.links.time_of_messages(sent, sent * of_message)
        sums = self.links.time_of_sums(
            traffic(self.record, "sums", "per_step") * (ranks - 1) / (measured - 1), bytes_of_sum(self.record))
        if work is None or exchange is None or sums is None:
            return None
        return work + exchange + sums

    @property
    def ratio(self) -> float | None:
        """Predicted over measured."""
        predicted = self.time(self.record.ranks)
        return predicted / self.record.time.value if predicted else None

    @property
    def holds(self) -> bool:
        return self.ratio is not None and abs(self.ratio - 1) <= MOST_OFF


def models_of(dataset, records: list[Record], of_one: Callable[[Record], Record | None]) -> dict[str, Model]:
    """Returns the models of the records whose links are known, by case and machine. `of_one`: the same on one rank."""
    links, found = links_of(dataset), {}
    for record in records:
        key = link_key(dataset, record)
        if key in links and record.config.get("partition") != COPIES:
            model = Model(record, links[key], of_one(record))
            if model.ratio is not None:
                found[identity(dataset, record)] = model
    return found


def identity(dataset, record: Record) -> str:
    return f"{dataset.machine_of(record)} {record.case}"


def beyond(models: list[Model]) -> list[tuple[int, float]]:
    """Returns the times of a line beyond its measured ranks, from the last measured number on; empty unless the
    model holds at every measured number and the parts are slabs."""
    if not models or not all(m.holds for m in models) or not cuts_slabs(models[0].record):
        return []
    last = max(models, key=lambda m: m.record.ranks)
    most = last.record.ranks
    return [(most * 2**n, last.time(most * 2**n)) for n in range(BEYOND.bit_length())]


def table(context, models: list[Model]) -> Table:
    what, precision, grid, row = context.row_columns(lambda m: m.record)
    columns = [
        what, precision, grid, row,
        Column("partition", "partition", of=lambda m: partition(m.record)),
        Column("ranks", "ranks", COUNT, of=lambda m: m.record.ranks),
        Column("measured", "time of a step", "seconds", "plus_minus", of=lambda m: m.record.time),
        Column("model", "by the model", "seconds", of=lambda m: m.time(m.record.ranks)),
        Column("ratio", "model over measured", "ratio", of="ratio"),
        Column("drawn", "drawn", of=lambda m: "yes" if m.holds else f"no: off by more than {100 * MOST_OFF:.0f} %"),
    ]
    return Table.of("scaling-model", "The model against measured times", columns, models, collapsed=True)

"""The page and the terminal list of all experiments."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark.report.model import Section

from .documents import Document
from .page import card
from .verdict import NOT_BUILT, OUT_OF_REACH, Verdict

ORDER = [
    ("agrees", "Agrees"),
    ("same_direction", "Same direction"),
    ("differs", "Differs"),
    ("not_comparable", "Not comparable on this machine"),
    ("not_measured", "Not measured yet"),
    ("not_built", "Not yet built"),
    ("out_of_reach", "Out of reach"),
]
MEANING = {
    "agrees": "The published result is found here, too, at about the same size. Each finding names its test.",
    "same_direction": "The same side is faster here, by another factor, or the document states none.",
    "differs": "Some published result is not found here. The pages name it and the likely reason.",
    "not_comparable": "A device that this machine lacks, another rule for transfers, a number that the document "
    "does not state, or sizes at which both sides do no more than start kernels.",
    "not_measured": "There are no records of these: cfdmark reproduce ID makes them.",
    "not_built": "The solver or the kernels of these do not exist here yet. What was published is shown.",
    "out_of_reach": "Programs or machines that are not available. What was published is shown.",
}


@dataclass(frozen=True)
class Entry:
    document: Document
    verdict: Verdict
    number: str  # main finding in numbers
    page: str  # path from the index; empty if there is no page


def sections_of_index(entries: list[Entry]) -> list[Section]:
    """Returns a section for each verdict."""
    made = []
    for word, title in ORDER:
        mine = [e for e in entries if e.verdict.word == word]
        section = Section(word, f"{title} ({len(mine)})", MEANING[word])
        section.cards = [card(e.document, e.verdict, e.number, e.page, wide=False) for e in mine]
        if mine:
            made.append(section)
    return made


def obstacle(document: Document) -> str:
    """Returns why an experiment is not measured; empty if it is."""
    lacks = document.data.lacks
    return f"needs {lacks}" if lacks else document.data.out_of_reach


def list_text(documents: list[Document]) -> str:
    """Returns id and title of each experiment, and its obstacle."""
    width = max(len(document.id) for document in documents)

    def listed(kept: list[Document]) -> list[str]:
        return [f"{d.id:<{width}}  {d.title}{f': {obstacle(d)}' if obstacle(d) else ''}" for d in kept]

    groups = [
        ("EXPERIMENTS: cfdmark reproduce ID", [d for d in documents if d.plan]),
        ("NOT YET BUILT: a page shows what was published", [d for d in documents if d.data.lacks]),
        ("OUT OF REACH: a page shows what was published", [d for d in documents if d.data.out_of_reach]),
    ]
    return "\n\n".join("\n".join([title, *listed(kept)]) for title, kept in groups if kept)


def unmeasured(document: Document) -> Verdict:
    return Verdict(NOT_BUILT if document.data.lacks else OUT_OF_REACH, obstacle(document))

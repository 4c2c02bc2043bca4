"""The page that lists all experiments, and the list on the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark_report.model import Section

from .documents import Document
from .page import card
from .verdict import NOT_BUILT, Verdict

ORDER = [
    ("agrees", "Agrees"),
    ("same_direction", "Same direction"),
    ("differs", "Differs"),
    ("not_comparable", "Not comparable on this machine"),
    ("not_measured", "Not measured yet"),
    ("not_built", "Not yet built"),
]
MEANING = {
    "agrees": "What was found then is found here too, in about the same size: the test is named with each finding.",
    "same_direction": "What was faster then is faster here, by another factor, or the document states none.",
    "differs": "Something that was found then is not found here. The pages say what, and the likely reason.",
    "not_comparable": "A device that this machine lacks, another rule for transfers, or a number that the document does not "
    "state.",
    "not_measured": "There are no records of these: cfdmark reproduce ID makes them.",
    "not_built": "The solver or the kernels of these do not exist here yet. What was published is shown.",
}


@dataclass(frozen=True)
class Entry:
    document: Document
    verdict: Verdict
    number: str  # its main finding in numbers
    page: str  # where it is, from the index; empty if it has not been made


def sections_of_index(entries: list[Entry]) -> list[Section]:
    """One section a verdict."""
    made = []
    for word, title in ORDER:
        mine = [e for e in entries if e.verdict.word == word]
        section = Section(word, f"{title} ({len(mine)})", MEANING[word])
        section.cards = [card(e.document, e.verdict, e.number, e.page, wide=False) for e in mine]
        if mine:
            made.append(section)
    return made


def list_text(entries: list[tuple[Document, str]]) -> str:
    """ID, what is known of it, title. An entry: document, what it lacks (empty: nothing)."""
    width = max(len(document.id) for document, _ in entries)
    built = [f"{d.id:<{width}}  {d.title}" for d, lacks in entries if not lacks]
    unbuilt = [f"{d.id:<{width}}  {d.title}: needs {lacks}" for d, lacks in entries if lacks]
    return "\n".join(
        [
            "EXPERIMENTS: cfdmark reproduce ID",
            *built,
            "",
            "NOT YET BUILT: a page shows what was published",
            *unbuilt,
        ]
    )


def unbuilt(lacks: str) -> Verdict:
    return Verdict(NOT_BUILT, f"needs {lacks}")

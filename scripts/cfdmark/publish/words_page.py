"""The site's page of words: all terms of the reports in plain words. Every page of the site links it."""

from __future__ import annotations

from cfdmark.records.records import Dataset
from cfdmark.report.model import VERDICT_WORDS, Column, Section, Table
from cfdmark.report.renderers import html
from cfdmark.report.renderers.words import WORDS
from cfdmark.reproduce.index import MEANING

from .index import OtherPage

COLUMNS = [Column("word", "word", of=lambda pair: pair[0]), Column("meaning", "meaning", of=lambda pair: pair[1])]
CASES = {
    "ok": "the result was verified, and the case has a time",
    "unsteady": WORDS["unsteady"],
    "failed": "the result was wrong, so there is no time",
    "error": "it stopped with an error, which is its reason",
    "crashed": "the process that measured it ended; other cases are not touched",
    "timeout": "it took longer than the limit of one preparation, verification or sample",
    "not_run": "it cannot run here; the record gives the reason",
}


def table(key: str, title: str, words: dict[str, str]) -> Table:
    return Table.of(key, title, COLUMNS, sorted(words.items()))


HOLDS = OtherPage("words", html.WORDS_PAGE, "what the words of the reports mean")


def render() -> str:
    """Returns the page."""
    verdicts = {VERDICT_WORDS[word]: meaning for word, meaning in MEANING.items()}
    section = Section("terms", "All words", "What the words of the reports mean.")
    section.tables = [
        table("terms", "Measuring and comparing", WORDS),
        table("published-verdicts", "A published figure, measured again", verdicts),
        table("statuses", "A case", CASES),
    ]
    return html.render([section], "Words", Dataset(), "The terms of all reports", "index.html")

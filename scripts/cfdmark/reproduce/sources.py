"""Sources of the records of an experiment: a folder of a run, files that the user names, kept answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cfdmark.places import RESULTS
from cfdmark.program import warn
from cfdmark.records.machine import on_gpu
from cfdmark.records.records import BadInput, Dataset, read_file
from cfdmark.text.suggestion import did_you_mean

from .documents import Document


def chosen(words: Iterable[str], known: Iterable[str]) -> list[str]:
    """Returns the experiments that the words name: one each, or all of a prefix that ends at a hyphen, such
    as normore or normore-table. Raises BadInput for an unknown word."""
    known, found = list(known), []
    for word in words:
        mine = [name for name in known if name == word or name.startswith(f"{word}-")]
        if not mine:
            works = {name.partition("-")[0] for name in known}
            suggestion = did_you_mean(word, [*known, *sorted(works)]) or "; --list shows them"
            raise BadInput(f"unknown experiment '{word}'{suggestion}")
        found += [name for name in mine if name not in found]
    return found


def files_of(document: Document, named: list[Path]) -> list[Path]:
    """Returns the files with an experiment's records among named files and folders. Raises BadInput for a
    path that does not exist, or a folder without a file of the experiment."""
    files = []
    for path in named:
        if not path.exists():
            raise BadInput(f"cannot read {path}: No such file or directory; --records takes a file of records or a folder of ID.jsonl")
        inside = [path / f"{name}.jsonl" for name in document.measured_with]
        mine = [file for file in inside if file.is_file()] if path.is_dir() else [path]
        if not mine:
            raise BadInput(f"no records of {document.id} in {path}: expected {' or '.join(f.name for f in inside)}")
        files += mine
    return files


def with_records(documents: list[Document], named: list[Path]) -> list[str]:
    """Returns those experiments that have records at the named places, and warns of the others. Raises
    BadInput if none has."""
    found, problems = [], []
    for document in documents:
        try:
            files_of(document, named)
            found.append(document.id)
        except BadInput as problem:
            problems.append(str(problem))
    if not found:
        raise BadInput("\n".join(dict.fromkeys(problems)))
    for problem in problems:
        warn(problem)
    return found


def has_gpu_times(dataset: Dataset) -> bool:
    return any(r.ok and on_gpu(r.raw, dataset.environments.get(r.environment, {})) for r in dataset.records)


def kept_on_gpu(document: Document) -> list[Path]:
    """Returns the folders of kept results that have times of a GPU for this experiment."""
    found = []
    for folder in sorted(RESULTS.glob("*/reproduce")):
        kept = Dataset()
        for file in (folder / f"{name}.jsonl" for name in document.measured_with):
            if file.is_file():
                read_file(file, kept)
        if has_gpu_times(kept):
            found.append(folder)
    return found

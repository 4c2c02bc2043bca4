"""Contents of results/: every records file, read once, and the problems with those that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cfdmark.history.timeline import SHORT
from cfdmark.records.records import BadInput, Dataset, read_files
from cfdmark.report.baseline import Baselines, parse_selector
from cfdmark.report.current import Current
from cfdmark.report.sections.context import Context
from cfdmark.reproduce.command import Result, examine
from cfdmark.reproduce.documents import Document, read_documents
from cfdmark.text.wording import from_to

NO_DEVICES = {"published", "schema", "tuned", "history"}


@dataclass
class Entry:
    """A records file of a device. Without a dataset it could not be read."""

    path: Path
    page: str  # relative to the site
    dataset: Dataset | None = None
    result: Result | None = None  # comparison with a published experiment
    device: Device | None = None

    @property
    def environments(self) -> list[dict]:
        used = {r.environment for r in self.dataset.records}
        return [e for key, e in self.dataset.environments.items() if key in used]

    @property
    def dates(self) -> str:
        return from_to(sorted({str(e.get("time", ""))[:10] for e in self.environments} - {""}))

    @property
    def commits(self) -> str:
        """Short commits; a plus marks uncommitted changes."""
        programs = [e["program"] for e in self.environments if "program" in e]
        return ", ".join(
            dict.fromkeys(str(p.get("commit", ""))[:SHORT] + "+" * bool(p.get("dirty")) for p in programs)
        )

    @property
    def measured(self) -> int:
        return len(self.dataset.ok())

    @property
    def without_time(self) -> int:
        return len(self.dataset.records) - self.measured

    @cached_property
    def context(self) -> Context:
        current = self.device.current if self.device else None
        return Context(self.dataset, Baselines(self.dataset, parse_selector(None, self.dataset)), current)


@dataclass
class Device:
    name: str
    folder: Path
    entries: list[Entry] = field(default_factory=list)  # one for each file of records
    without_own: list[Entry] = field(default_factory=list)  # experiments that use the records of others

    @property
    def runs(self) -> list[Entry]:
        return [e for e in self.entries if e.dataset and not e.result]

    @property
    def experiments(self) -> list[Entry]:
        found = [e for e in [*self.entries, *self.without_own] if e.result]
        return sorted(found, key=lambda e: e.result.document.id)

    @cached_property
    def current(self) -> Current:
        """Current records of all its files, including experiments."""
        return Current(r for e in self.entries if e.dataset for r in e.dataset.records)

    @cached_property
    def context_of_current(self) -> Context:
        """Context of the current records of its runs, as those of one machine."""
        runs = {e.path for e in self.runs}
        alone = Dataset([r for r in self.current.records if r.file in runs])
        context = Context(alone, Baselines(alone, parse_selector(None, alone)))
        for entry in self.runs:
            alone.environments |= entry.dataset.environments
        return context

    @property
    def roofline(self) -> str:
        """Page of all its runs against its ceilings."""
        return f"{self.name}/all-runs-roofline.html"

    @cached_property
    def context(self) -> Context:
        """Context of all its runs together."""
        whole = Dataset()
        for entry in self.runs:
            whole.records += entry.dataset.records
            whole.environments |= entry.dataset.environments
            whole.files += entry.dataset.files
        return Context(whole, Baselines(whole, parse_selector(None, whole)))


@dataclass
class Found:
    devices: list[Device] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)  # each names the file and, if there is one, the line

    def attempt(self, make: Callable):
        """Returns the result of `make`; None, with a recorded problem, if its input cannot be used."""
        try:
            return make()
        except BadInput as problem:
            self.problems += str(problem).splitlines()
            return None


def read_experiment(document: Document, path: Path) -> Result:
    if not path.is_file():
        raise BadInput(f"cannot read {path}: No such file or directory")
    return examine(document, path.parent)


def read_entry(path: Path, page: str, found: Found) -> Entry:
    entry = Entry(path, page)
    document = found.documents.get(path.stem) if path.parent.name == "reproduce" else None
    if document:
        entry.result = found.attempt(lambda: read_experiment(document, path))
        entry.dataset = entry.result.dataset if entry.result else None
    else:
        entry.dataset = found.attempt(lambda: read_files([path]))
    if entry.dataset:
        found.problems += entry.dataset.warnings
    return entry


def find(results: Path, only: str | None = None) -> Found:
    """Reads all devices, or only that of this name."""
    if not results.is_dir():
        raise BadInput(f"there is no folder {results}; --results DIR names another")
    found = Found()
    found.documents, wrong = read_documents(sorted((results / "published").glob("*.yaml")))
    found.problems += wrong
    for folder in sorted(p for p in results.iterdir() if p.is_dir() and p.name not in NO_DEVICES):
        if only and folder.name != only:
            continue
        device = Device(folder.name, folder)
        for path in sorted(folder.rglob("*.jsonl")):
            page = path.relative_to(results).with_suffix(".html").as_posix()
            device.entries.append(read_entry(path, page, found))
            device.entries[-1].device = device
        if device.entries:
            device.without_own = without_own_records(folder / "reproduce", results, found)
            found.devices.append(device)
    if only and not found.devices:
        raise BadInput(f"no records in {results / only}; --device names a folder of {results}")
    return found


def without_own_records(folder: Path, results: Path, found: Found) -> list[Entry]:
    made = []
    for name, document in found.documents.items():
        used = [folder / f"{other}.jsonl" for other in document.measured_with]
        if name in document.measured_with or not any(path.is_file() for path in used):
            continue
        path = folder / f"{name}.jsonl"
        entry = Entry(path, path.relative_to(results).with_suffix(".html").as_posix())
        entry.result = found.attempt(lambda: examine(document, folder))
        entry.dataset = entry.result.dataset if entry.result else None
        made.append(entry)
    return made

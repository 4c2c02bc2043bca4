"""Words for rows, configs and lists, the same everywhere."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.ceiling import exceeds


def number_text(value: float) -> str:
    """In as few digits as give the same number again: 64, 1.95, 1e-06."""
    return repr(value).removesuffix(".0")


def value_text(value) -> str:
    return value if isinstance(value, str) else number_text(value)


def settings_text(config: dict) -> str:
    """block_x=64,schedule=guided"""
    return ",".join(f"{name}={value_text(value)}" for name, value in config.items())


def plural(count: int, noun: str, many: str = "") -> str:
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def listed(items: list[str], limit: int = 5) -> str:
    """Returns: a, b and c. A long list ends with the number of items not shown."""
    if len(items) > limit:
        items = items[: limit - 1] + [f"{len(items) - limit + 1} more"]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""


def from_to(ordered: list[str]) -> str:
    """Returns: a to c, or a if all are the same; empty for none."""
    return " to ".join(dict.fromkeys([ordered[0], ordered[-1]])) if ordered else ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def cut_front(text: str, width: int) -> str:
    """Cuts the front of a long text: cases differ at their ends."""
    return text if len(text) <= width else "…" + text[len(text) - width + 1 :]


def grid_text(record: Record) -> str:
    return "×".join(str(n) for n in record.grid)


def domain_text(record: Record) -> str:
    """Returns the grid, or the mesh with its numbering: triangles-178x178, hilbert."""
    return f"{record.mesh}, {record.numbering}" if record.mesh else grid_text(record)


def config_text(record: Record) -> str:
    return ", ".join(f"{key}={value_text(value)}" for key, value in sorted(record.config.items())) or "-"


def threads_text(record: Record) -> str:
    if record.threads is None or record.backend == "cuda":
        return ""
    return plural(record.threads, "thread")


def row_text(record: Record, where: str = "") -> str:
    """Returns: cuda/tiled."""
    return f"{where or record.backend}/{record.method}"


def full_row_text(record: Record, where: str, parameters: set[str]) -> str:
    """Returns: openmp/fp64/plain, 2 threads. Names a baseline; shows the settings in `parameters`."""
    parts = [f"{where}/{record.precision}/{record.method}", threads_text(record)]
    shown = sorted((k, v) for k, v in record.config.items() if k in parameters - {"threads"})
    return ", ".join([t for t in parts if t] + [f"{k}={value_text(v)}" for k, v in shown])


# A kernel launch takes 2 to 4 microseconds: a case with no more time than this per launch is bound by launches.
LAUNCH_SECONDS = 5e-6
PLACES = {"cache": "in cache", "transition": "partly in cache", "memory": "in main memory"}


def launch_bound(record: Record) -> bool:
    return bool(record.ok and record.launches and record.iteration_time.value < LAUNCH_SECONDS * record.launches)


def place_text(record: Record) -> str:
    """Returns the cache regime in words, or what bounds the case instead; empty if the record has none. Only
    this function puts the regime into words."""
    if launch_bound(record):
        return "bound by launches"
    if exceeds(record):
        return "larger than the caches, but above the measured memory bandwidth"
    return PLACES.get(record.regime, "")

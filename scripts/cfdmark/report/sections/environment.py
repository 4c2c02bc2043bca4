"""Origin of the numbers: program, host, GPU, libraries, ceilings, and the state of the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfdmark.records.machine import gpus, on_gpu, part
from cfdmark.records.record_check import finite
from cfdmark.records.records import Record, machine_letter
from cfdmark.records.select import grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import from_to, listed, plural

from ..ceiling import raised
from ..limits import quantity
from ..model import COUNT, Column, Section, Table
from .context import Context


def fact_text(value) -> str:
    """Returns any JSON value as text; empty if it is absent."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(fact_text(v) for v in value)
    if isinstance(value, dict):
        return ", ".join(f"{k} {fact_text(v)}" for k, v in value.items())
    return str(value)


def size(value) -> str:
    return with_unit(value, "bytes") if finite(value) else fact_text(value)


def cache_text(cache: dict) -> str:
    shared = cache.get("shared_by", 1)
    return f"L{cache.get('level', '?')} {size(cache.get('bytes'))}" + (f" for {shared}" if shared > 1 else "")


def load_text(environment: dict) -> str:
    """Returns the load when the run began; empty if it was not recorded. results/README.md explains its
    parts."""
    load = part(environment, "load")
    busy, stolen, average = (load.get(key) for key in ("busy_cores", "stolen_cores", "average"))
    if not all(map(finite, (busy, stolen, average))):
        return ""
    return f"{busy:.1f} processors busy, {stolen:.1f} taken by the host of a lent machine, load average {average:.1f}"


def gpu_load_text(gpu: dict) -> str:
    """Returns the GPU's load when the run began; empty if NVML did not report it."""
    load = part(gpu, "load")
    parts = [
        (load.get("processes"), lambda n: plural(n, "process", "processes")),
        (load.get("used_bytes"), lambda n: f"{n / 1e9:.2f} GB held"),
        (load.get("busy_share"), lambda n: f"at work for {100 * n:.0f} % of a second"),
    ]
    return ", ".join(text(value) for value, text in parts if finite(value))


def gpu_name_text(environment: dict) -> str:
    gpu = part(environment, "gpu")
    return fact_text(gpu.get("name")) or f"none: {fact_text(gpu.get('reason')) or 'not recorded'}"


def commit_text(environment: dict) -> str:
    program = part(environment, "program")
    return fact_text(program.get("commit")) + (" (with uncommitted changes)" if program.get("dirty") else "")


# Facts in the order of the table: a member of the environment, or the whole for an empty path, and its text.
FACTS = {
    "recorded": ("time", fact_text),
    "cfdmark": ("program.version", fact_text),
    "commit": ("", commit_text),
    "fingerprint": ("program.fingerprint", fact_text),
    "build": ("program.build_type", fact_text),
    "compiler": ("program.compiler", fact_text),
    "flags": ("program.flags", fact_text),
    "instruction set": ("program.instruction_set", fact_text),
    "built on": ("program.built_on", fact_text),
    "OpenMP": ("openmp", fact_text),
    "Kokkos on the host": ("kokkos", fact_text),
    "processor": ("host.cpu", fact_text),
    "cores": ("host.cores", fact_text),
    "processors by quota": ("host.cpu_quota", fact_text),
    "caches": ("host.caches", lambda caches: ", ".join(map(cache_text, caches or []))),
    "memory": ("host.memory_bytes", size),
    "system": ("host.os", fact_text),
    "kernel": ("host.kernel", fact_text),
    "NUMA nodes": ("host.numa_nodes", fact_text),
    "several threads a core": ("host.smt", fact_text),
    "clock governor": ("host.governor", fact_text),
    "board": ("host.board", fact_text),
    "processor's family": ("host.processor", fact_text),
    "work of others when it began": ("", load_text),
    "host name hash": ("host.name_hash", fact_text),
    "machine": ("host.machine", fact_text),
    "GPU": ("", gpu_name_text),
    "compute capability": ("gpu.compute_capability", fact_text),
    "multiprocessors": ("gpu.multiprocessors", fact_text),
    "GPU memory": ("gpu.memory_bytes", size),
    "GPU L2": ("gpu.l2_bytes", size),
    "driver": ("gpu.driver", fact_text),
    "CUDA": ("gpu.cuda", fact_text),
    "device compiler": ("gpu.compiler", fact_text),
    "device compiler's options": ("gpu.compiler_options", fact_text),
    "GPU's identity": ("gpu.identity", fact_text),
    "others on the GPU when it began": ("", lambda e: "; ".join(filter(None, map(gpu_load_text, gpus(e))))),
    "libraries": ("libraries", fact_text),
}


def member(environment: dict, path: str):
    """Returns the member that a path such as host.cpu names; the environment itself for an empty path."""
    for key in path.split(".") if path else ():
        environment = environment.get(key) if isinstance(environment, dict) else None
    return environment


def facts(environment: dict) -> list[tuple[str, str]]:
    lines = [(fact, text(member(environment, path))) for fact, (path, text) in FACTS.items()]
    return [(fact, value) for fact, value in lines if value]


def environment_table(context: Context, environments: list[dict], index: int) -> Table:
    """Returns all facts; of a further environment on the same machine only those that differ from its first.
    """
    mine = environments[index]
    first = next(e for e in environments if machine_id_of(context, e) == machine_id_of(context, mine))
    label = machine_label_of(context, mine)
    name = f"Environment {mine.get('id', '')}" + (f", machine {label}" if label else "")
    lines = facts(mine)
    if first is not mine:
        name += f": what differs from {first.get('id', '')}"
        lines = [line for line in lines if line not in facts(first)]
        lines = lines or [("facts", "none but the measured roofs")]
    columns = [Column("fact", "fact"), Column("value", "value")]
    return Table(f"environment-{index + 1}", name, columns, [list(line) for line in lines])


def roof_of(roof: dict, environment: dict) -> Quantity:
    """Returns the ceiling of an entry of `roofs`; on a host it includes the lines that stores read first."""
    above = raised(roof, on_host=not on_gpu(roof, environment))
    return quantity(roof, "bytes_per_second").scaled(above)


def roofs_table(environments: list[dict]) -> Table:
    """Returns a table with a row for each pair of an environment and one of its roofs."""

    def kernel_text(roof: dict) -> str:
        unsound = f", unsound: {roof['unsound']}" if roof.get("unsound") else ""
        return fact_text(roof.get("kernel")) + unsound

    def bandwidth(pair: tuple[dict, dict]) -> Quantity:
        environment, roof = pair
        return roof_of(roof, environment)

    columns = [
        Column("environment", "environment", of=lambda pair: fact_text(pair[0].get("id"))),
        Column("backend", "backend", of=lambda pair: fact_text(pair[1].get("backend"))),
        Column("precision", "precision", of=lambda pair: fact_text(pair[1].get("precision"))),
        Column("kernel", "kernel", of=lambda pair: kernel_text(pair[1])),
        Column("config", "config", of=lambda pair: fact_text(pair[1].get("config")) or "-"),
        Column("bandwidth", "bandwidth", "bytes_per_second", "plus_minus", of=bandwidth),
    ]
    pairs = [(environment, roof) for environment in environments for roof in environment.get("roofs", [])]
    measured = [pair for pair in pairs if quantity(pair[1], "bytes_per_second")]
    return Table.of("roofs", "Roofs measured in these runs", columns, measured)


def links_table(environments: list[dict]) -> Table:
    """Returns a table with a row for each pair of an environment and one direction of one of its links."""

    def kind_text(link: dict) -> str:
        if link.get("kind") == "nvlink":
            return f"NVLink x{link.get('nvlinks', '?')}"
        facts = [("PCIe", link.get("kind")), (" {}", link.get("pcie_generation")), (" x{}", link.get("pcie_lanes")),
                 (" over {}", link.get("pcie_path"))]
        return "".join(form.format(value) for form, value in facts if value) or "not recorded"

    def number(key: str, unit: float, digits: int) -> Callable[[tuple[dict, dict]], str]:
        return lambda pair: f"{value / unit:.{digits}f}" if finite(value := pair[1].get(key)) else "-"

    columns = [
        Column("environment", "environment", of=lambda pair: fact_text(pair[0].get("id"))),
        Column("from", "from", of=lambda pair: fact_text(pair[1].get("from"))),
        Column("to", "to", of=lambda pair: fact_text(pair[1].get("to"))),
        Column("kind", "kind", of=lambda pair: kind_text(pair[1])),
        Column("copy", "copy GB/s", of=number("copy_bytes_per_second", 1e9, 1)),
        Column("copy_both_ways", "both ways GB/s", of=number("copy_both_ways_bytes_per_second", 1e9, 1)),
        Column("store", "stores GB/s", of=number("store_bytes_per_second", 1e9, 1)),
        Column("store_both_ways", "both ways GB/s", of=number("store_both_ways_bytes_per_second", 1e9, 1)),
        Column("copy_seconds", "copy of 8 B us", of=number("copy_seconds", 1e-6, 2)),
        Column("flag_seconds", "store and flag us", of=number("flag_seconds", 1e-6, 2)),
        Column("nccl_seconds", "NCCL 8 B us", of=number("nccl_seconds", 1e-6, 2)),
        Column("missing", "missing", of=lambda pair: fact_text(pair[1].get("reason")) or ""),
    ]
    pairs = [(environment, link) for environment in environments for link in environment.get("links", [])]
    return Table.of("links", "Links measured in these runs", columns, pairs)


def throttles(record: Record) -> list[str]:
    reasons = record.section("device_state").get("throttle_reasons", [])
    return [reason for reason in reasons if reason not in ("", "0", "none")]


def span(key: str) -> Callable[[list[Record]], str | None]:
    """Returns a function for a column: the range of a number of the device's state."""

    def text(records: list[Record]) -> str | None:
        values = [v for r in records if (v := r.number("device_state", key)) is not None]
        return from_to([f"{value:.0f}" for value in sorted(values)]) or None

    return text


def throttled_by(records: list[Record]) -> str:
    return listed(sorted({reason for r in records for reason in throttles(r)})) or "nothing"


STATE_COLUMNS = [
    Column("environment", "environment", of=lambda records: records[0].environment),
    Column("cases", "cases", COUNT, of=len),
    Column("sm_clock", "SM clock MHz", of=span("sm_clock_mhz")),
    Column("memory_clock", "memory clock MHz", of=span("memory_clock_mhz")),
    Column("temperature", "temperature °C", of=span("temperature_c")),
    Column("power", "power W", of=span("power_w")),
    Column("throttled", "throttled by", of=throttled_by),
]


def state_table(context: Context) -> Table:
    stated = [r for r in context.dataset.ok() if r.section("device_state")]
    groups = grouped(stated, lambda r: r.environment).values()
    return Table.of("device-state", "State of the GPU just after its cases", STATE_COLUMNS, groups)


def program_key(environment: dict) -> tuple:
    """Returns the program's fingerprint, or the facts known of a program without one."""
    program = part(environment, "program")
    known = ("fingerprint",) if program.get("fingerprint") else ("commit", "compiler", "flags")
    return tuple(fact_text(program.get(key)) for key in known)


def unequal_threads(used: list[dict]) -> list[str]:
    """Returns a warning where Kokkos has other threads than OpenMP: their times are of different numbers of
    cores."""
    counts = {(part(e, "kokkos").get("threads"), part(e, "openmp").get("max_threads")) for e in used}
    return [
        f"Kokkos ran on {plural(kokkos, 'thread')} and OpenMP on up to {openmp}"
        for kokkos, openmp in sorted(c for c in counts if all(map(finite, c)))
        if kokkos != openmp
    ]


def warnings(context: Context, used: list[dict]) -> list[str]:
    """Returns objections that a careful reader would raise."""
    found = []
    if any(part(e, "program").get("dirty") for e in used):
        found.append("the program was built from uncommitted changes")
    builds = {fact_text(part(e, "program").get("build_type")) for e in used}
    if builds - {"", "Release", "RelWithDebInfo"}:
        found.append(f"the build type is {listed(sorted(builds))}")
    foreign = {fact_text(part(e, "program").get("built_on")) for e in used if part(e, "program").get("built_for_another_processor")}
    if foreign:
        found.append(f"the program was compiled for another processor than it ran on ({listed(sorted(foreign))})")
    quotas = {fact_text(part(e, "host").get("cpu_quota")) for e in used} - {""}
    if quotas:
        found.append(f"a control group allowed the time of {listed(sorted(quotas))} processors")
    found += unequal_threads(used)
    programs = {program_key(e) for e in used}
    if len(programs) > 1:
        found.append(f"they were measured with {len(programs)} different builds of the program")
    busy = [load_text(e) for e in used if part(e, "load").get("busy") is True]
    if busy:
        found.append(f"the machine was busy when {'it began' if len(busy) == 1 else 'they began'} ({'; '.join(busy)})")
    for gpu in (g for e in used for g in gpus(e) if part(g, "load").get("busy") is True):
        found.append(f"others were on the GPU when a run began ({gpu_load_text(gpu)})")
    accompanied = sum(bool(r.number("device_state", "other_processes")) for r in context.dataset.ok() if "round" not in r.raw)
    if accompanied:
        found.append(f"another process was on the GPU in {plural(accompanied, 'case')}")
    throttled = sum(bool(throttles(r)) for r in context.dataset.ok())
    if throttled:
        found.append(f"the GPU reports a throttle reason in {plural(throttled, 'case')}")
    lost = {r.environment for r in context.dataset.records} - set(context.dataset.environments)
    if lost:
        found.append("some records point at an environment that the files lack")
    return found


def used_environments(context: Context) -> list[dict]:
    pointed_at = {r.environment for r in context.dataset.records}
    return [e for key, e in context.dataset.environments.items() if key in pointed_at]


def machine_id_of(context: Context, environment: dict) -> str:
    return context.dataset.machine_ids[str(environment.get("id", ""))]


def machine_label_of(context: Context, environment: dict) -> str:
    machines = context.dataset.machines
    return machine_letter(machines.index(machine_id_of(context, environment))) if len(machines) > 1 else ""


def finding(context: Context, used: list[dict]) -> str:
    places = plural(len({machine_id_of(context, e) for e in used}), "machine")
    first = f"The records come from {places} in {plural(len(used), 'environment')}"
    remarks = warnings(context, used)
    return f"{first}. Mind that {listed(remarks)}." if remarks else f"{first}, without warnings."


def build(context: Context) -> Section:
    section = Section("environment", "Environment", summed_up=True)
    used = used_environments(context)
    if not used:
        why = "The files hold no environment line for these records, so the machine is unknown."
        return replace(section, empty=why)
    section.finding = finding(context, used)
    section.tables = [environment_table(context, used, index) for index in range(len(used))]
    section.tables += [table for table in (roofs_table(used), links_table(used), state_table(context)) if table.rows]
    return section

"""Origin of the numbers: program, host, GPU, libraries, ceilings, and the state of the device."""

from __future__ import annotations

from cfdmark.records.machine import on_gpu, part
from cfdmark.records.record_check import finite
from cfdmark.records.records import Record, machine_letter
from cfdmark.records.select import grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import listed, plural

from ..ceiling import raised
from ..model import COUNT, Column, Section, Table
from .context import Context

ROOF_COLUMNS = [
    Column("environment", "environment"),
    Column("backend", "backend"),
    Column("precision", "precision"),
    Column("kernel", "kernel"),
    Column("config", "config"),
    Column("bandwidth", "bandwidth", "bytes_per_second", "plus_minus"),
]
STATE_COLUMNS = [
    Column("environment", "environment"),
    Column("cases", "cases", COUNT),
    Column("sm_clock", "SM clock MHz"),
    Column("memory_clock", "memory clock MHz"),
    Column("temperature", "temperature °C"),
    Column("power", "power W"),
    Column("throttled", "throttled by"),
]


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


def host_lines(environment: dict) -> list[tuple[str, str]]:
    host = part(environment, "host")
    return [
        ("processor", fact_text(host.get("cpu"))),
        ("cores", fact_text(host.get("cores"))),
        ("processors by quota", fact_text(host.get("cpu_quota"))),
        ("caches", ", ".join(map(cache_text, host.get("caches", [])))),
        ("memory", size(host.get("memory_bytes"))),
        ("system", fact_text(host.get("os"))),
        ("kernel", fact_text(host.get("kernel"))),
        ("NUMA nodes", fact_text(host.get("numa_nodes"))),
        ("several threads a core", fact_text(host.get("smt"))),
        ("clock governor", fact_text(host.get("governor"))),
        ("board", fact_text(host.get("board"))),
        ("processor's family", fact_text(host.get("processor"))),
        ("work of others when it began", load_text(environment)),
        ("host name hash", fact_text(host.get("name_hash"))),
        ("machine", fact_text(host.get("machine"))),
    ]


def load_text(environment: dict) -> str:
    """Returns the load when the run began; empty if it was not recorded. results/README.md explains its
    parts."""
    load = part(environment, "load")
    busy, stolen, average = (load.get(key) for key in ("busy_cores", "stolen_cores", "average"))
    if not all(map(finite, (busy, stolen, average))):
        return ""
    return f"{busy:.1f} processors busy, {stolen:.1f} taken by the host of a lent machine, load average {average:.1f}"


def gpus_of(environment: dict) -> list[dict]:
    return environment.get("gpus", [part(environment, "gpu")])


def gpu_load_text(gpu: dict) -> str:
    """Returns the GPU's load when the run began; empty if NVML did not report it."""
    load = part(gpu, "load")
    parts = [
        (load.get("processes"), lambda n: plural(n, "process", "processes")),
        (load.get("used_bytes"), lambda n: f"{n / 1e9:.2f} GB held"),
        (load.get("busy_share"), lambda n: f"at work for {100 * n:.0f} % of a second"),
    ]
    return ", ".join(text(value) for value, text in parts if finite(value))


def gpu_lines(environment: dict) -> list[tuple[str, str]]:
    gpu = part(environment, "gpu")
    if "name" not in gpu:
        return [("GPU", f"none: {fact_text(gpu.get('reason')) or 'not recorded'}")]
    return [
        ("GPU", fact_text(gpu.get("name"))),
        ("compute capability", fact_text(gpu.get("compute_capability"))),
        ("multiprocessors", fact_text(gpu.get("multiprocessors"))),
        ("GPU memory", size(gpu.get("memory_bytes"))),
        ("GPU L2", size(gpu.get("l2_bytes"))),
        ("driver", fact_text(gpu.get("driver"))),
        ("CUDA", fact_text(gpu.get("cuda"))),
        ("device compiler", fact_text(gpu.get("compiler"))),
        ("device compiler's options", fact_text(gpu.get("compiler_options"))),
        ("GPU's identity", fact_text(gpu.get("identity"))),
        ("others on the GPU when it began", "; ".join(filter(None, map(gpu_load_text, gpus_of(environment))))),
    ]


def program_lines(environment: dict) -> list[tuple[str, str]]:
    program, openmp, kokkos = (part(environment, key) for key in ("program", "openmp", "kokkos"))
    commit = fact_text(program.get("commit")) + (" (with uncommitted changes)" if program.get("dirty") else "")
    return [
        ("cfdmark", fact_text(program.get("version"))),
        ("commit", commit),
        ("fingerprint", fact_text(program.get("fingerprint"))),
        ("build", fact_text(program.get("build_type"))),
        ("compiler", fact_text(program.get("compiler"))),
        ("flags", fact_text(program.get("flags"))),
        ("instruction set", fact_text(program.get("instruction_set"))),
        ("built on", fact_text(program.get("built_on"))),
        ("OpenMP", fact_text(openmp) if openmp else ""),
        ("Kokkos on the host", fact_text(kokkos) if kokkos else ""),
    ]


def facts(environment: dict) -> list[tuple[str, str]]:
    lines = (
        [("recorded", fact_text(environment.get("time")))] + program_lines(environment) + host_lines(environment)
    )
    lines += gpu_lines(environment) + [("libraries", fact_text(part(environment, "libraries")))]
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
        lines = [line for line in lines if line not in facts(first)] or [
            ("facts", "none but the measured roofs")
        ]
    columns = [Column("fact", "fact"), Column("value", "value")]
    return Table(f"environment-{index + 1}", name, columns, [list(line) for line in lines])


def roof_of(roof: dict, environment: dict) -> Quantity:
    """Returns the ceiling of an entry of `roofs`; on a host it includes the lines that stores read first."""
    above = raised(roof, on_host=not on_gpu(roof, environment))
    return Quantity(roof["bytes_per_second"], roof.get("low"), roof.get("high")).scaled(above)


def roof_rows(environments: list[dict]) -> list[list]:
    rows = []
    for environment in environments:
        for roof in environment.get("roofs", []):
            if "bytes_per_second" in roof:
                rows.append(
                    [
                        fact_text(environment.get("id")),
                        *(fact_text(roof.get(k)) for k in ("backend", "precision")),
                        fact_text(roof.get("kernel")) + (f", unsound: {roof['unsound']}" if roof.get("unsound") else ""),
                        fact_text(roof.get("config")) or "-",
                        roof_of(roof, environment),
                    ]
                )
    return rows


def throttles(record: Record) -> list[str]:
    reasons = record.section("device_state").get("throttle_reasons", [])
    return [reason for reason in reasons if reason not in ("", "0", "none")]


def state_row(name: str, records: list[Record]) -> list:
    spans = []
    for key in ("sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w"):
        values = [v for r in records if (v := r.number("device_state", key)) is not None]
        low, high = (f"{min(values):.0f}", f"{max(values):.0f}") if values else (None, None)
        spans.append(low if low == high else f"{low} to {high}")
    return [
        name,
        len(records),
        *spans,
        listed(sorted({t for r in records for t in throttles(r)})) or "nothing",
    ]


def state_table(context: Context) -> list[Table]:
    stated = [r for r in context.dataset.ok() if r.section("device_state")]
    rows = [state_row(name, group) for name, group in grouped(stated, lambda r: r.environment).items()]
    return (
        [Table("device-state", "State of the GPU just after its cases", STATE_COLUMNS, rows)] if rows else []
    )


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
    for gpu in (g for e in used for g in gpus_of(e) if part(g, "load").get("busy") is True):
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
        section.empty = ("The files hold no environment line for these records, so the machine is unknown.")
        return section
    section.finding = finding(context, used)
    section.tables = [environment_table(context, used, index) for index in range(len(used))]
    roofs = roof_rows(used)
    if roofs:
        section.tables.append(Table("roofs", "Roofs measured in these runs", ROOF_COLUMNS, roofs))
    section.tables += state_table(context)
    return section

"""Normore 2010: per-machine pairs among all pairs, averages and sums of table 6.7, estimates of table 8.1."""

from __future__ import annotations

from intervals import about, exact, printed, total
from statements import Experiments, add, statement

DEVICES = {
    "8200": "GeForce 8200",
    "9800_gt": "GeForce 9800 GT",
    "9800_gtx": "GeForce 9800 GTX+",
    "c1060": "Tesla C1060",
}
MACHINES = {
    "8200": "Athlon 4850e",
    "9800_gt": "Athlon 3200",
    "9800_gtx": "Athlon 4850e",
    "c1060": "Xeon X5550",
}
ALL_PAIRS = {"simple": "normore-table-6.4", "piso": "normore-table-6.6"}
PER_MACHINE = {"simple": "normore-table-6.3", "piso": "normore-table-6.5"}
CALLS = ["fewest_calls", "most_calls"]


def same_peak_in_both_tables(solver: str, device: str):
    def check(all_: Experiments) -> bool:
        pair = {"device": DEVICES[device], "host": MACHINES[device]}
        alone = all_[PER_MACHINE[solver]].table().value("speedup", **pair)
        among_all = all_[ALL_PAIRS[solver]].table().value("speedup", **pair)
        return printed(alone).agrees(printed(among_all))

    return check


for _solver in ALL_PAIRS:
    for _device, _host in MACHINES.items():
        _name = f"{_solver}_{_device}_with_{_host.lower().replace(' ', '_')}"
        add(_name, same_peak_in_both_tables(_solver, _device))


@statement
def which_athlon_is_slower(all_: Experiments) -> bool:
    """The Athlon 3200, by section 7.2 the least powerful CPU, gives no smaller speedup than the 4850e."""
    return all(
        all_[table].table().value("speedup", device=device, host="Athlon 3200")
        >= all_[table].table().value("speedup", device=device, host="Athlon 4850e")
        for table in ALL_PAIRS.values()
        for device in DEVICES.values()
    )


@statement
def the_xeon_is_the_fastest_cpu_against_every_gpu(all_: Experiments) -> bool:
    return all(
        all_[table].table().value("speedup", device=device, host="Xeon X5550")
        < all_[table].table().value("speedup", device=device, host=host)
        for table in ALL_PAIRS.values()
        for device in DEVICES.values()
        for host in ("Athlon 4850e", "Athlon 3200")
    )


@statement
def number_of_gpus(all_: Experiments) -> bool:
    simple = all_["normore-table-6.3"]
    return len(set(simple.table("devices").column("device"))) == simple.claim("gpus_in_the_text")


@statement
def number_of_cpus_and_machines(all_: Experiments) -> bool:
    simple = all_["normore-table-6.3"]
    hosts = simple.table("machines").column("host")
    return (len(set(hosts)), len(hosts)) == (
        simple.claim("cpus_in_the_text"),
        simple.claim("machines_in_the_text"),
    )


@statement
def simple_9800_gt_300_or_360(all_: Experiments) -> bool:
    simple = all_["normore-table-6.3"]
    in_the_table = simple.table().value("speedup", device="GeForce 9800 GT")
    return in_the_table == simple.claim("speedup_of_the_9800_gt_in_the_text")


@statement
def speedup_multiplied_by_iterations(all_: Experiments) -> bool:
    """The speedup of a whole run is that of one of its iterations."""
    simple = all_["normore-table-6.4"]
    of_an_iteration = simple.table().value("speedup", device="GeForce 8200", host="Xeon X5550")
    return simple.claim("overall_speedup_of_the_example") == of_an_iteration


@statement
def launches_explain_the_time_of_cg(all_: Experiments) -> bool:
    """The ratio of launches is, within a factor of ten, the ratio of times that it is said to explain."""
    figure = all_["normore-figure-6.1"]
    launches = figure.table().column("launches_per_iteration")
    return figure.claim("cg_over_sor_time") <= 10 * launches[1] / launches[0]


def rows_of(all_: Experiments, solver: str) -> list[list]:
    return [row for row in all_["normore-table-6.7"].table().rows if row[0] in (solver, "shared")]


def average_is_printed(all_: Experiments, solver: str) -> bool:
    occupancies = [printed(row[2]) for row in rows_of(all_, solver)]
    average = total(occupancies) / exact(len(occupancies))
    totals = all_["normore-table-6.7"].table("totals")
    return average.agrees(printed(totals.value("average_occupancy", solver=solver)))


@statement
def average_occupancy_of_simple(all_: Experiments) -> bool:
    return average_is_printed(all_, "SIMPLE")


@statement
def average_occupancy_of_piso(all_: Experiments) -> bool:
    return average_is_printed(all_, "PISO")


@statement
def calls_of_table_6_7_add_up_to_its_totals(all_: Experiments) -> bool:
    totals = all_["normore-table-6.7"].table("totals")
    return all(
        sum(row[column] for row in rows_of(all_, solver)) == totals.value(name, solver=solver)
        for solver in ("SIMPLE", "PISO")
        for column, name in zip((3, 4), CALLS)
    )


@statement
def most_calls_of_red_black(all_: Experiments) -> bool:
    table = all_["normore-table-6.7"]
    kernel = "redBlack_shared_maxres_iteration_kernel"
    return table.table().value("most_calls", kernel=kernel) == table.claim(
        "most_calls_of_red_black_in_the_text"
    )


def occupancy(threads: int, registers_of_a_block: float, registers: int) -> float:
    """Limited by registers, compute capability 1.0 and 1.1: 24 warps of 32, registers in units of 256."""
    allotted = -(-int(registers_of_a_block) // 256) * 256
    return min(24, registers // allotted * threads // 32) / 24


def resources(all_: Experiments) -> list[list]:
    return all_["normore-table-6.7"].table("resources").rows


@statement
def occupancies_follow_from_registers_and_threads(all_: Experiments) -> bool:
    return all(
        about(occupancy(int(threads), threads * registers, 8192), 1e-9).agrees(printed(shown))
        for _, threads, registers, _, shown in resources(all_)
    )


@statement
def registers_of_a_multiprocessor(all_: Experiments) -> bool:
    """The limit that the text gives makes the occupancy that the table has."""
    table = all_["normore-table-6.7"]
    _, threads, _, _, shown = resources(all_)[-1]
    limit = int(table.claim("register_limit_in_the_text"))
    made = occupancy(int(threads), table.claim("registers_of_a_coefficient_block"), limit)
    return about(made, 1e-9).agrees(printed(shown))


@statement
def registers_of_a_coefficient_block(all_: Experiments) -> bool:
    _, threads, registers, _, _ = resources(all_)[-1]
    return threads * registers == all_["normore-table-6.7"].claim("registers_of_a_coefficient_block")


@statement
def mesh_of_the_shape_design(all_: Experiments) -> bool:
    memory, estimate = all_["normore-figure-6.13"].table(), all_["normore-table-8.1"]
    return (memory.column("nx")[0], memory.column("ny")[0]) == (
        estimate.claim("mesh_nx"),
        estimate.claim("mesh_ny"),
    )


def estimate(all_: Experiments, hardware: str) -> float:
    rows = all_["normore-table-8.1"].table().rows
    return next(row[3] for row in rows if row[0] == hardware)


@statement
def fifty_processors_divide_the_time_of_table_8_1(all_: Experiments) -> bool:
    """70 days and 10 days are printed with one digit: 5 days either way; 1.4 years within 0.05."""
    day, year = 86400, 365.25 * 86400
    cpus = exact(estimate(all_, "one CPU") / 50).agrees(about(estimate(all_, "50 CPUs"), 5 * day))
    one_gpu = about(estimate(all_, "one GPU"), 0.05 * year) / exact(50)
    return cpus and one_gpu.agrees(about(estimate(all_, "50 GPUs"), 0.5 * day))


@statement
def fifty_gpus_10_days_or_11_hours(all_: Experiments) -> bool:
    in_the_text = all_["normore-table-8.1"].claim("fifty_gpus_in_the_text")
    return about(estimate(all_, "50 GPUs"), 43200).agrees(about(in_the_text, 1800))


def speedups_of_average_gpus(all_: Experiments) -> list[float]:
    return [
        row[2]
        for table in (*ALL_PAIRS.values(), *PER_MACHINE.values())
        for row in all_[table].table().rows
        if row[0].startswith("GeForce 9800")
    ]


@statement
def gpu_speedup_of_the_estimate(all_: Experiments) -> bool:
    measured = speedups_of_average_gpus(all_)
    return min(measured) <= estimate(all_, "one CPU") / estimate(all_, "one GPU") <= max(measured)


@statement
def eleven_hours_fit_the_measured_speedups(all_: Experiments) -> bool:
    one_gpu = 50 * all_["normore-table-8.1"].claim("fifty_gpus_in_the_text")
    measured = speedups_of_average_gpus(all_)
    return min(measured) <= estimate(all_, "one CPU") / one_gpu <= max(measured)

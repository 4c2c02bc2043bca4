"""Jespersen 2009: ratios of times, sums of times, and the same run in two tables."""

from __future__ import annotations

from intervals import Interval, about, printed
from statements import Experiments, statement

CASES = ["g_plate", "g_duct", "t_plate", "t_duct"]
DEVICE_CASES = ["gtx_plate", "gtx_duct", "c1060_plate", "c1060_duct"]


def times(all_: Experiments, table: int, algorithm: str) -> list[Interval]:
    main = all_[f"jespersen-table-{table}"].table()
    return [printed(main.value(case, algorithm=algorithm)) for case in CASES]


def ratios_are_those_of_the_times(all_: Experiments, table: int, upper: str, lower: str) -> bool:
    printed_ratios = all_[f"jespersen-table-{table}"].table("ratio").rows[0][1:]
    pairs = zip(times(all_, table, upper), times(all_, table, lower), printed_ratios)
    return all((a / b).agrees(printed(ratio)) for a, b, ratio in pairs)


@statement
def gpu_over_cpu_ratios_of_table_1(all_: Experiments) -> bool:
    return ratios_are_those_of_the_times(all_, 1, "Jacobi GPU", "SSOR CPU")


@statement
def gpu_over_cpu_ratios_of_table_2(all_: Experiments) -> bool:
    return ratios_are_those_of_the_times(all_, 2, "Jacobi GPU", "SSOR CPU")


@statement
def ratios_of_32_to_64_bits_of_table_4(all_: Experiments) -> bool:
    return ratios_are_those_of_the_times(all_, 4, "SSOR-32 CPU", "SSOR-64 CPU")


@statement
def speedup_range_of_the_implicit_solver(all_: Experiments) -> bool:
    """All four speedups lie in the range in words, "between 2.5 and 3", with its printed digits."""
    claim = all_["jespersen-table-1"].claim
    low, high = about(claim("lowest_speedup"), 0.05), about(claim("highest_speedup"), 0.5)
    stated = Interval(low.low, high.high)
    speedups = [cpu / gpu for cpu, gpu in zip(times(all_, 1, "SSOR CPU"), times(all_, 1, "Jacobi GPU"))]
    return all(speedup.agrees(stated) for speedup in speedups)


@statement
def the_rest_of_the_step_changes(all_: Experiments) -> bool:
    """A step without its implicit solver takes the same time with either solver."""
    rest = {
        name: [whole - part for whole, part in zip(times(all_, 2, name), times(all_, 1, name))]
        for name in ("SSOR CPU", "Jacobi GPU")
    }
    return all(cpu.agrees(gpu) for cpu, gpu in zip(rest["SSOR CPU"], rest["Jacobi GPU"]))


@statement
def the_gpu_saves_about_40_percent_of_the_whole_code(all_: Experiments) -> bool:
    saved = about(all_["jespersen-table-2"].claim("saved_share"), 0.05)
    rows = zip(times(all_, 2, "SSOR CPU"), times(all_, 2, "Jacobi GPU"))
    return all(((cpu - gpu) / cpu).agrees(saved) for cpu, gpu in rows)


@statement
def kernel_and_transfer_make_the_total_of_table_3(all_: Experiments) -> bool:
    main = all_["jespersen-table-3"].table()

    def part(name: str, case: str) -> Interval:
        return printed(main.value(case, part=name))

    return all(
        (part("GPU kernel only", case) + part("Data transfer", case)).agrees(part("GPU total", case))
        for case in DEVICE_CASES
    )


@statement
def transfers_of_table_3_exceed_the_kernel_on_the_c1060_only(all_: Experiments) -> bool:
    main = all_["jespersen-table-3"].table()
    exceeds = [
        main.value(case, part="Data transfer") > main.value(case, part="GPU kernel only")
        for case in DEVICE_CASES
    ]
    return exceeds == [False, False, True, True]


@statement
def ssor_in_64_bits_is_the_same_in_tables_2_and_4(all_: Experiments) -> bool:
    return times(all_, 2, "SSOR CPU") == times(all_, 4, "SSOR-64 CPU")


def threads(all_: Experiments, algorithm: str, count: int) -> list[float]:
    main = all_["jespersen-table-5"].table()
    return next(row[2:] for row in main.rows if row[0] == algorithm and row[1] == count)


@statement
def one_thread_of_table_5_is_table_4(all_: Experiments) -> bool:
    main = all_["jespersen-table-4"].table()
    return all(
        threads(all_, name, 1) == [main.value(case, algorithm=f"{name} CPU") for case in CASES]
        for name in ("SSOR-64", "SSOR-32")
    )


@statement
def revised_ssor_is_slower_on_one_thread_and_faster_on_more(all_: Experiments) -> bool:
    def slower(bits: int, count: int) -> list[bool]:
        pairs = zip(threads(all_, f"Revised SSOR-{bits}", count), threads(all_, f"SSOR-{bits}", count))
        return [revised > original for revised, original in pairs]

    return all(slower(bits, count) == [count == 1] * len(CASES) for bits in (64, 32) for count in (1, 2, 4))


def one_thread_pairs(all_: Experiments, device: str, machine: str) -> bool:
    """One thread and the GPU in table 6, and Jacobi on the GPU in table 2, are the same run."""
    with_openmp = all_["jespersen-table-6"].table()
    whole = all_["jespersen-table-2"].table()
    return all(
        printed(with_openmp.column(f"{device}_{case}")[0]).agrees(
            printed(whole.value(f"{machine}_{case}", algorithm="Jacobi GPU"))
        )
        for case in ("plate", "duct")
    )


@statement
def one_thread_with_the_8800_gtx(all_: Experiments) -> bool:
    return one_thread_pairs(all_, "gtx", "g")


@statement
def one_thread_with_the_c1060(all_: Experiments) -> bool:
    return one_thread_pairs(all_, "c1060", "t")


def time_saved_over_the_whole_cpu(all_: Experiments, columns: list[str], cpu: list[float]) -> list[Interval]:
    gpu = all_["jespersen-table-6"].table()
    return [
        (printed(best) - printed(gpu.column(name)[-1])) / printed(best) for best, name in zip(cpu, columns)
    ]


@statement
def over_the_whole_cpu_the_c1060_gains_25_percent_and_the_8800_gtx_a_few(all_: Experiments) -> bool:
    best = threads(all_, "Revised SSOR-32", 4)
    gtx = time_saved_over_the_whole_cpu(all_, DEVICE_CASES[:2], best[:2])
    c1060 = time_saved_over_the_whole_cpu(all_, DEVICE_CASES[2:], best[2:])
    stated = about(all_["jespersen-table-6"].claim("gain_over_the_whole_cpu_c1060"), 0.025)
    return all(gain.agrees(about(0.03, 0.02)) for gain in gtx) and all(gain.agrees(stated) for gain in c1060)

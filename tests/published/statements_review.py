"""The review: percentages, counts of cells and transactions, shares of the time."""

from __future__ import annotations

import math

from intervals import exact, printed
from statements import Experiments, statement


@statement
def peak_in_32_bits_is_12_times_the_peak_in_64_bits(all_: Experiments) -> bool:
    single, double = all_["review-precision"].table("peak").column("rate")
    return exact(single / double).agrees(printed(all_["review-precision"].claim("peak_ratio")))


@statement
def efficiency_on_8_gpus_is_speedup_over_8(all_: Experiments) -> bool:
    _, gpus, _, speedup, efficiency = all_["review-scaling"].table().rows[0]
    return (printed(speedup) / exact(gpus)).agrees(printed(efficiency))


@statement
def parts_of_the_v_cycle_can_make_up_the_whole(all_: Experiments) -> bool:
    table = all_["review-multigrid"].table()
    return sum(table.column("lowest_share")) <= 1 <= sum(table.column("highest_share"))


@statement
def share_of_smoothing(all_: Experiments) -> bool:
    """The share of the red-black kernels is within the range given for smoothing, which is red-black too."""
    smoothing = all_["review-multigrid"].table()
    low = smoothing.value("lowest_share", part="smoothing")
    high = smoothing.value("highest_share", part="smoothing")
    return low <= all_["review-figure-19"].table().column("share")[0] <= high


@statement
def computed_cells_and_ghosts_make_up_a_block(all_: Experiments) -> bool:
    rows = all_["review-memory"].table("cells_of_a_block").rows
    return all(
        computed + ghosts == cells and exact(computed / cells).agrees(printed(share))
        for _, cells, computed, ghosts, share in rows
    )


@statement
def gain_of_texture_memory(all_: Experiments) -> bool:
    memory = all_["review-memory"]
    return memory.claim("texture_speedup") - 1 <= memory.table().value(
        "highest_gain", memory="constant and texture"
    )


@statement
def transactions_follow_from_128_bits(all_: Experiments) -> bool:
    return all(
        one_by_one == numbers and together == math.ceil(numbers * bits / 128)
        for _, numbers, bits, one_by_one, together in all_["review-layout"].table().rows
    )


@statement
def only_half_the_speed_agrees_with_twice_the_time(all_: Experiments) -> bool:
    """46 to 66 % slower meets 2 to 3 times the time if it means less speed, not if it means more time."""
    (_, low, high), (_, least, most) = all_["review-precision"].table().rows
    as_less_speed = 1 / (1 - low) <= most and 1 / (1 - high) >= least
    as_more_time = 1 + low <= most and 1 + high >= least
    return as_less_speed and not as_more_time

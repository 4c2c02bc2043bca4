"""Weymouth and Font 2025: the cost is the time over the cells."""

from __future__ import annotations

from intervals import exact, printed
from statements import Experiments, statement


@statement
def cost_of_a_cell_on_the_largest_grid(all_: Experiments) -> bool:
    data = all_["weymouth-cost"]
    _, cells, time = data.table().rows[-1]
    return (printed(time) / exact(cells)).agrees(printed(data.claim("cost_of_a_cell")))


@statement
def the_cost_falls_as_the_grid_grows(all_: Experiments) -> bool:
    costs = [time / cells for _, cells, time in all_["weymouth-cost"].table().rows]
    return costs == sorted(costs, reverse=True)


@statement
def cells_are_those_of_cubes(all_: Experiments) -> bool:
    return all(int(grid.split("x")[0]) ** 3 == cells for grid, cells, _ in all_["weymouth-cost"].table().rows)


@statement
def a_step_of_oceananigans_is_its_time_over_its_steps(all_: Experiments) -> bool:
    return printed(all_["weymouth-cost"].claim("step_of_oceananigans")).agrees(exact(1.074 * 3600 / 16650))

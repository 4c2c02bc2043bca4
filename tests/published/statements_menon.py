"""Menon 2008: rates from sizes and times, counts of mesh entities, and his layout algorithm run again."""

from __future__ import annotations

from intervals import Interval, about, exact, printed
from statements import Experiments, statement

from cfdmark.reproduce.experiments.menon_padding import padding


def rate(all_: Experiments, id_: str, operations_per_element: int) -> Interval:
    experiment = all_[id_]
    operations = operations_per_element * experiment.claim("elements") * experiment.claim("repetitions")
    return exact(operations) / printed(experiment.table().column("time")[0])


def rates(all_: Experiments, id_: str) -> tuple[Interval, Interval]:
    main = all_[id_].table()
    return tuple(printed(main.value("rate", processor=name)) for name in ("GPU", "CPU"))


@statement
def axpy_gain_of_8(all_: Experiments) -> bool:
    gpu, cpu = rates(all_, "menon-figure-2.5")
    return (gpu / cpu).agrees(about(all_["menon-figure-2.5"].claim("gpu_over_cpu"), 0.5))


@statement
def axpy_of_table_8_1_runs_at_the_rate_of_figure_2_5(all_: Experiments) -> bool:
    gpu, _ = rates(all_, "menon-figure-2.5")
    return rate(all_, "menon-table-8.1", 2).agrees(gpu)


def dot_product_runs_at_the_rate_of_figure_4_6(all_: Experiments, operations_per_element: int) -> bool:
    """Within 10 %: the figure's rate is printed as "about"."""
    shown = all_["menon-figure-4.6"].table().value("rate", processor="GPU")
    return rate(all_, "menon-table-8.2", operations_per_element).agrees(about(shown, 0.1 * shown))


@statement
def rate_of_the_dot_product(all_: Experiments) -> bool:
    return dot_product_runs_at_the_rate_of_figure_4_6(all_, 2)


@statement
def with_one_operation_an_element_the_dot_products_agree(all_: Experiments) -> bool:
    return dot_product_runs_at_the_rate_of_figure_4_6(all_, 1)


def scaling(all_: Experiments, id_: str) -> list[float]:
    times = all_[id_].table().column("time")
    return [times[0] / time for time in times]


@statement
def time_falls_with_the_number_of_processors(all_: Experiments) -> bool:
    """Within 4 percent of linear: nothing or little is communicated."""
    return all(
        abs(speedup / (index + 1) - 1) < 0.04
        for id_ in ("menon-table-8.1", "menon-table-8.2")
        for index, speedup in enumerate(scaling(all_, id_))
    )


@statement
def two_gpus_compute_the_gradient_about_3_times_as_fast(all_: Experiments) -> bool:
    table = all_["menon-table-8.3"]
    pairs = zip(table.table().column("cpu_time"), table.table().column("gpu_time"))
    stated = about(table.claim("gpu_over_cpu"), 0.5)
    return all((printed(cpu) / printed(gpu)).agrees(stated) for cpu, gpu in pairs)


def surface_of_triangles(cells: float, faces: float) -> float:
    return 2 * faces - 3 * cells


def surface_of_tetrahedra(cells: float, faces: float) -> float:
    return 2 * faces - 4 * cells


@statement
def meshes_of_table_8_3_are_of_triangles_and_of_tetrahedra(all_: Experiments) -> bool:
    """Some faces lie on the boundary of a mesh, but few: more than none and less than a tenth."""
    (flat_cells, flat_faces, *_), (cells, faces, *_) = all_["menon-table-8.3"].table().rows
    flat = 0 < surface_of_triangles(flat_cells, flat_faces) < 0.1 * flat_faces
    not_solid = surface_of_tetrahedra(flat_cells, flat_faces) < 0
    solid = 0 < surface_of_tetrahedra(cells, faces) < 0.1 * faces
    return flat and not_solid and solid


def crankshaft(all_: Experiments) -> dict[str, float]:
    return {row[0]: row[1] for row in all_["menon-figure-6.3"].table("crankshaft").rows}


@statement
def the_crankshaft_has_the_euler_number_of_a_solid_without_holes(all_: Experiments) -> bool:
    mesh = crankshaft(all_)
    return mesh["nodes"] - mesh["edges"] + mesh["faces"] - mesh["cells"] == 1


@statement
def surface_below_two_percent(all_: Experiments) -> bool:
    mesh = crankshaft(all_)
    surface = surface_of_tetrahedra(mesh["cells"], mesh["faces"])
    share = surface / (mesh["faces"] - surface)
    return share < all_["menon-figure-6.3"].claim("largest_share_of_the_surface")


def lengths_agree(all_: Experiments, passes: list[int]) -> bool:
    """Algorithm A.4 adds a pass at 0.75 Rmin^2 elements and at each fourfold; printed in thousands."""
    table = all_["menon-figure-4.4"].table("lengths_at_which_a_pass_is_added")
    printed_lengths = dict(zip(table.column("passes"), table.column("length")))
    return all(
        about(printed_lengths[count], 500).agrees(exact(0.75 * 128**2 * 4 ** (count - 1)))
        for count in passes
    )


@statement
def length_of_the_first_pass(all_: Experiments) -> bool:
    return lengths_agree(all_, [1])


@statement
def lengths_of_the_further_passes(all_: Experiments) -> bool:
    return lengths_agree(all_, [2, 3])


@statement
def extra_time_of_a_staged_sum_is_a_geometric_series(all_: Experiments) -> bool:
    claim = all_["menon-figure-4.4"].claim
    one, many = claim("extra_time_of_one_stage"), claim("extra_time_of_many_stages")
    return one == 1 / 4 and exact(sum(0.25**stage for stage in range(1, 40))).agrees(printed(many))


@statement
def rest_of_a_reduction_is_below_rmin_squared(all_: Experiments) -> bool:
    return all_["menon-figure-4.4"].claim("longest_rest") == 32**2


@statement
def largest_padding_of_algorithm_a_4(all_: Experiments) -> bool:
    """He sampled the lengths: his largest is at most the largest of all, and within 1 % of it."""
    table = all_["menon-figure-3.2"].table()
    return all(
        (printed(stated) / exact(padding(int(rmin)).largest)).agrees(Interval(0.99, 1.0))
        for rmin, stated in zip(table.column("rmin"), table.column("largest_padding"))
    )


@statement
def average_padding_of_algorithm_a_4(all_: Experiments) -> bool:
    """Within 1 %: the average over sampled lengths."""
    table = all_["menon-figure-3.2"].table()
    return all(
        (printed(stated) / exact(padding(int(rmin)).average)).agrees(about(1.0, 0.01))
        for rmin, stated in zip(table.column("rmin"), table.column("average_padding"))
    )


@statement
def padding_of_17_elements_in_a_square(all_: Experiments) -> bool:
    stated = all_["menon-figure-3.2"].claim("padding_of_a_square_with_17_elements")
    return exact((8**2 - 17) / 17).agrees(printed(stated))

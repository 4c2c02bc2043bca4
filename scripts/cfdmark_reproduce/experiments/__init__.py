"""How each experiment is compared. Adding one: a module with ID and compare(comparison), and a line here."""

from __future__ import annotations

from . import (
    menon_axpy,
    menon_dot,
    menon_sum,
    normore_convergence,
    normore_iteration_cost,
    review_laplace,
    review_layout,
    review_memory,
    review_precision,
    review_smoothing,
    shinn_heat,
    shinn_memory,
)

EXPERIMENTS = {
    module.ID: module
    for module in (
        normore_convergence,
        normore_iteration_cost,
        review_laplace,
        review_smoothing,
        review_memory,
        review_layout,
        review_precision,
        menon_axpy,
        menon_sum,
        menon_dot,
        shinn_heat,
        shinn_memory,
    )
}

# What the others need before they can be measured, by the beginning of their names.
LACKING = {
    "normore-table-6.7": "the SIMPLE and PISO solvers, whose kernels it lists",
    "normore-table-8.1": "the flow around an obstacle, and its drag",
    "normore-table": "the SIMPLE and PISO solvers",
    "normore-figure": "the SIMPLE and PISO solvers",
    "review-flux": "unstructured meshes",
    "review-renumber": "unstructured meshes",
    "review-multigrid": "the multigrid solver",
    "review-scaling": "several GPUs",
    "review": "the projection method",
    "menon-figure-3": "his layouts of vectors in two dimensions",
    "menon-figure-5": "unstructured meshes",
    "menon-figure-6": "unstructured meshes",
    "menon-figure-7": "the fractional-step methods on unstructured meshes",
    "menon-table-8": "several processors with message passing",
    "jespersen": "the implicit solver with 5 x 5 blocks",
    "shinn-poisson-share": "the fractional-step method",
}


def what_it_lacks(name: str) -> str:
    """Empty if the experiment can be measured."""
    if name in EXPERIMENTS:
        return ""
    found = [lacks for start, lacks in LACKING.items() if name.startswith(start)]
    return found[0] if found else "a solver or kernels that do not exist here yet"

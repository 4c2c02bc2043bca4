"""Code of experiments beyond their plans: a module for each name given as `code`."""

from __future__ import annotations

from . import (
    jespersen_convergence,
    menon_padding,
    normore_convergence,
    normore_machines,
    normore_occupancy,
    normore_shapes,
    review_cavity,
    review_levels,
    review_renumber,
    shinn_share,
)

CODE = {
    "jespersen_convergence": jespersen_convergence.add,
    "menon_padding": menon_padding.add,
    "normore_convergence": normore_convergence.add,
    "normore_machines": normore_machines.add,
    "normore_occupancy": normore_occupancy.add,
    "normore_shapes": normore_shapes.add,
    "review_cavity": review_cavity.add,
    "review_levels": review_levels.add,
    "review_renumber": review_renumber.add,
    "shinn_share": shinn_share.add,
}

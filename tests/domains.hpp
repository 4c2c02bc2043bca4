// Small domains for the rows of the catalog.
#pragma once

#include "bench/case/known_domain.hpp"
#include "bench/case/row.hpp"

namespace cfdmark {

// Returns one of the grids, of the row's dimension, or a small mesh or matrix.
inline Domain domain_for(const Row& row, const Grid& plane, const Grid& box) {
  if (row.runs_on == DomainKind::mesh) return domain_from(row.in_2d ? "triangles-4x3" : "tetrahedra-2x2x1");
  if (row.runs_on == DomainKind::matrix) return known(domain_from("poisson-6x6"));
  return row.in_2d ? plane : box;
}

}  // namespace cfdmark

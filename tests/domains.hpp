// Small domains for the rows of the catalog.
#pragma once

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns one of the grids, of the row's dimension, or for a row on meshes a small mesh.
inline Domain domain_for(const Row& row, const Grid& plane, const Grid& box) {
  if (row.on_meshes) return domain_from(row.in_2d ? "triangles-4x3" : "tetrahedra-2x2x1");
  return row.in_2d ? plane : box;
}

}  // namespace cfdmark

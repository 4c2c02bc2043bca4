// The rows of the catalog for kernels on meshes.
#pragma once

#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

// Appends a row per kernel on meshes, backend, precision and method.
void add_mesh_rows(std::vector<Row>&);

}  // namespace cfdmark

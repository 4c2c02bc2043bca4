// Reasons why a generated method does not exist for a kernel. A generated method is made from the cell body
// alone. The conditions repeat those of cells_cpu.hpp, cells_kokkos.hpp and cells_cuda.hpp, and a test
// compares both.
#pragma once

#include <string>
#include <vector>

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

struct AbsentMethod {
  std::string method, reason;
};

namespace absent {

template <class K>
std::string vector_reason() {
  if (has_neighbours<K>) return "it reads neighbours, which are not aligned to 16 bytes";
  if (has_operator<K>) return "it reads the coefficients of an operator";
  return every_second_cell<K> ? "it updates every second cell of a row" : "";
}

template <class K>
std::string column_reason() {
  if (is_reduction<K>) return "it is a reduction";
  if (every_second_cell<K>) return "it updates every second cell of a row";
  if (fields_of_role < K, Role::stencil_in_out >> 0) return "it updates a field whose neighbours it reads";
  if (fields_of_role<K, Role::stencil_in> != 1)
    return "it reads the neighbours of " + std::to_string(fields_of_role<K, Role::stencil_in>) +
           " fields, and a column keeps those of one in registers";
  if (fields_with<K>(is_written) != 1)
    return "it writes " + std::to_string(fields_with<K>(is_written)) + " fields, and a column writes one";
  return fields_of_role<K, Role::out> != 1 ? "it also reads the field that it writes" : "";
}

template <class K>
std::string tiles_reason() {
  return is_reduction<K> ? "it is a reduction" : "";
}

template <class K>
std::string scratch_reason() {
  constexpr int fields = fields_of_role<K, Role::stencil_in> + fields_of_role<K, Role::stencil_in_out>;
  if (is_reduction<K>) return tiles_reason<K>();
  if (fields != 1)
    return "it reads the neighbours of " + std::to_string(fields) + " fields, and scratch memory holds one";
  return halo_of<K> != 1
             ? "its halo is " + std::to_string(halo_of<K>) + ", and a tile has one layer of ghosts"
             : "";
}

}  // namespace absent

// Returns the generated methods of a backend that this kernel lacks, with the reasons. Empty for a backend
// that was not built.
template <class K>
std::vector<AbsentMethod> absent_methods(BackendKind kind) {
  using namespace absent;
  std::vector<AbsentMethod> all;
  if (kind == BackendKind::openmp) all = {{K::description().plain, ""}, {"chunked", ""}};
  if (kind == BackendKind::kokkos && built_with_kokkos)
    all = {
        {K::description().plain, ""}, {"mdrange", tiles_reason<K>()}, {"team_scratch", scratch_reason<K>()}};
  if (kind == BackendKind::cuda && built_with_cuda)
    all = {{K::description().plain, ""}, {"vector", vector_reason<K>()}, {"column", column_reason<K>()}};
  if (in_order<K>)
    for (AbsentMethod& one : all) one.reason = "each cell depends on the cells before it";
  std::erase_if(all, [](const AbsentMethod& one) { return one.reason.empty(); });
  return all;
}

}  // namespace cfdmark

// Persistent CG in shapes that the emulated device runs; the cases are shared by generator and test.
#pragma once

#include "solvers/linear/table.hpp"

namespace cfdmark {

inline SolverMethod persistent_cg_method() {
  for (const SolverMethod& method : cg_solver().methods(BackendKind::cuda))
    if (method.name == "persistent") return method;
  throw std::logic_error("cg has no method persistent");
}

// Blocks next to and above each other, at most eight; few cells and many.
inline std::vector<Config> persistent_cg_shapes() {
  return {{{"block_y", 4}, {"kept_cells", "4"}},
          {{"block_y", 4}, {"kept_cells", "16"}},
          {{"block_y", 8}, {"kept_cells", "2"}},
          {{"block_y", 4}, {"kept_cells", "4"}, {"sums", "one"}},
          {{"block_y", 8}, {"kept_cells", "2"}, {"sums", "one"}},
          {{"block_y", 16}, {"kept_cells", "1"}, {"sums", "one"}}};
}

// Calls f(problem, precision, config). The last blocks are partly filled: one column, one row.
template <class F>
void for_each_persistent_cg_case(const F& f) {
  for (const auto& [name, grid] : {std::pair{"heated_plate", Grid{50, 38}}, {"jump", {33, 33}}}) {
    const auto problem = std::make_shared<const LinearProblem>(make_problem(name, grid));
    for (const Precision p : {Precision::fp32, Precision::fp64})
      for (const Config& shape : persistent_cg_shapes()) f(problem, p, shape);
  }
}

}  // namespace cfdmark

// Fractional steps on meshes that run on the emulated device.
#pragma once

#include "tests/solvers/mesh_flow/step_solve.hpp"

namespace cfdmark {

// Calls f(kind, precision, flow) with both kinds and precisions.
template <class F>
void for_each_step_case(const F& f) {
  const auto flow =
      std::make_shared<const MeshFlow>(cavity_on_mesh(shared_triangles(9, 7, 40, 2), 100, 0.5, 4));
  for (const StepKind kind : {StepKind::classical, StepKind::exact})
    for (const Precision p : {Precision::fp32, Precision::fp64})
      if (not_built_reason(p).empty()) f(kind, p, flow);
}

}  // namespace cfdmark

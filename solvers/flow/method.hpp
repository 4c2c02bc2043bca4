// A flow solver, and its methods on a backend: each solver's file ends in a table of these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/core/iteration.hpp"
#include "solvers/core/recording.hpp"
#include "solvers/flow/flow_system.hpp"

namespace cfdmark {

struct FlowMethod {
  std::string name;
  TuningSpace space;
  // An iteration on a flow, with memory allocated and code compiled. The config is complete and valid.
  std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare;
  SourcePlace described_at = SourcePlace::here();
  Arrangement arrangement = Arrangement::collocated;  // of the flow that it iterates on
};

struct FlowSolverDescription {
  std::string name;
  std::vector<FlowMethod> (*methods)(BackendKind);
  // As many as a flow usually needs to come to rest on 256x256, and some more.
  int max_iterations = 0;
  bool in_3d = false;  // too
};

FlowSolverDescription simple_solver();
FlowSolverDescription piso_solver();
FlowSolverDescription projection_solver();

}  // namespace cfdmark

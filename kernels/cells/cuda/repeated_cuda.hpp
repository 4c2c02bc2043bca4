// CUDA's `repeated`: the plain method's launches for several iterations, submitted singly or as one graph. A
// baseline that shows the launch overhead of small grids, for methods that perform as many iterations in one
// launch.
#pragma once

#include <array>
#include <utility>

#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/device/cuda/plan/launch_mode.hpp"
#include "kernels/device/cuda/primitives/copy_with_ghosts.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {

inline constexpr const char* repeated_sweeps = "sweeps";

// Returns the launches. A kernel that computes `out` from `u` alternates between two fields, which receive
// u's ghosts when the step is loaded.
template <class K>
Plan repeated_launches(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const int sweeps = config.integer(repeated_sweeps);
  Plan plan;
  CellArgs<K> sweep = args;
  const auto add = [&] {
    for (Work& launch : cells_plain<K>(backend, sweep, config).run) plan.run.push_back(std::move(launch));
  };
  constexpr bool in_place = fields_of_role<K, Role::stencil_in_out> == 1;
  if constexpr (in_place) {
    for (int n = 0; n < sweeps; ++n) add();
  } else {
    std::array<Field, 2> between;
    for (int n = 0; n < std::min(sweeps - 1, 2); ++n) {
      between[n] = Field(backend, args.grid(), args.precision);
      plan.memory.push_back(between[n].buffer());
      with_types(args.precision, [&]<class S, class>() {
        plan.load.push_back(copy_with_ghosts<S>(args.grid(), args.fields.u.template as<S>(),
                                                between[n].view().template as<S>()));
      });
    }
    for (int n = 0; n < sweeps; ++n) {
      sweep.fields.out = n + 1 == sweeps ? args.fields.out : between[n % 2].view();
      add();
      sweep.fields.u = sweep.fields.out;
    }
  }
  return plan;
}

template <class K>
Step prepare_repeated_launches(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return in_launch_mode(backend, prepare_cuda<repeated_launches<K>>(backend, args, config), config,
                        config.integer(repeated_sweeps));
}

// Returns the method for a kernel that updates u in place or computes `out` from `u`. In solvers
// `graph_iterations` does the same.
template <class K>
Method<CellArgs<K>> repeated_launches_method() {
  return {.name = "repeated",
          .space = block_space({{repeated_sweeps, {}, 16, "sweeps per run"}, launch_mode_setting()}),
          .prepare = prepare_repeated_launches<K>,
          .for_solvers = false,
          .config_cost = [](const CellArgs<K>& args, const Config&) { return cell_cost(args); },
          .steps = repeated_sweeps};
}

}  // namespace cfdmark

// CUDA's `repeated`: the plain method's launches for several sweeps, one by one or as one graph. It shows
// what launches cost, on small grids beside methods that make as many sweeps in one launch.
#pragma once

#include <array>
#include <utility>

#include "kernels/backends/cells_cuda.hpp"
#include "kernels/backends/copy_with_ghosts.hpp"
#include "kernels/backends/field.hpp"

namespace cfdmark {

inline constexpr const char* repeated_sweeps = "sweeps";

// A kernel that makes `out` of `u` goes through two fields in turn, which have u's ghosts from when the step
// is loaded.
template <class K>
Plan repeated_launches(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const int sweeps = config.whole(repeated_sweeps);
  Plan plan;
  CellArgs<K> sweep = args;
  const auto add = [&] {
    for (Work& launch : cells_plain<K>(backend, sweep, config).run) plan.run.push_back(std::move(launch));
  };
  constexpr bool in_place = fields_of_role<K, Role::in_out_around> == 1;
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
  Step step = prepare_cuda<repeated_launches<K>>(backend, args, config);
  step.resources.launches /= config.whole(repeated_sweeps);  // a step is a sweep
  if (config.is("launch_mode", "stream")) return step;
  // One by one the first time, which loads the code, and as a graph from then on.
  step.run = [&backend, launches = std::move(step.run), graph = std::function<void()>()]() mutable {
    if (graph) return graph();
    launches();
    graph = backend.recorded(launches);
  };
  return step;
}

// Of a kernel that updates u in place, or makes `out` of `u`. Solvers have `graph_iterations` for the same.
template <class K>
Method<CellArgs<K>> repeated_launches_method() {
  return {.name = "repeated",
          .space = block_space({{repeated_sweeps, {}, 16, "that one step makes"},
                                word_setting("launch_mode", {"stream", "graph"}, "stream",
                                             "of a step's launches: one by one, or all as one CUDA graph")}),
          .prepare = prepare_repeated_launches<K>,
          .for_solvers = false,
          .config_cost = [](const CellArgs<K>& args, const Config&) { return cell_cost(args); },
          .steps = repeated_sweeps};
}

}  // namespace cfdmark

// A method for tests: `sweeps` passes per run, by the plain method with temporary fields.
#pragma once

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

template <class K>
Step repeated(Backend& on, const CellArgs<K>& args, const Config& config) {
  const Methods<CellArgs<K>> methods = CellKernel<K>::methods(on.kind());
  const Grid g = args.grid();
  std::vector<Field> between;
  std::vector<Step> sweeps;
  CellArgs<K> sweep = args;
  for (int left = config.integer("sweeps"); left > 0; --left) {
    if (left > 1) {
      HostField boundary(g, args.precision);  // the boundary values of the field
      with_types(args.precision, [&]<class S, class>() {
        const auto u = args.fields.u.template as<const S>();
        for_each_cell(g, true, [&](int i, int j, int k) { boundary.set(i, j, k, u(i, j, k)); });
      });
      between.emplace_back(on, g, args.precision).upload(boundary);
    }
    sweep.fields.out = left > 1 ? between.back().view() : args.fields.out;
    sweeps.push_back(methods.front().prepare(on, sweep, methods.front().space.defaults()));
    sweep.fields.u = sweep.fields.out;
  }
  Step step;
  step.run = [between, sweeps] {
    for (const Step& one : sweeps) one.run();
  };
  return step;
}

// Requires a backend whose memory the host can read.
template <class K>
Method<CellArgs<K>> repeated_method() {
  return {.name = "repeated",
          .space = {{{"sweeps", {1, 2, 4}, 1, "that one run makes"}}},
          .prepare = repeated<K>,
          .steps = "sweeps"};
}

}  // namespace cfdmark

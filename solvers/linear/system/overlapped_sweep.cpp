#include "solvers/linear/system/overlapped_sweep.hpp"

#include <utility>

namespace cfdmark {

void add_overlap(SolverMethod& method, std::vector<std::string> orders) {
  method.rank_settings.push_back(overlap_setting(std::move(orders)));
  method.space.require(overlap_refusal);
}

Overlap overlap_of(const System& system, const Config& config) {
  if (!system.ranks || !config.has(overlap_name)) return Overlap::none;
  return overlap_from(config.choice(overlap_name));
}

Operation apply_by_config(const System& system, const Config& config, const AnyView& u, const AnyView& q) {
  const Operations op(system, config);
  const Overlap order = overlap_of(system, config);
  if (order == Overlap::none) return op.apply(u, q);
  const CellArgs<Apply> args{.precision = system.precision,
                             .fields = {.a = system.stencil(), .u = u, .out = q}};
  const Methods<CellArgs<Apply>> methods = CellKernel<Apply>::methods(system.backend->kind());
  return overlapped_sweep(system, "apply", order, u, default_method(methods, args), args, op.config());
}

}  // namespace cfdmark

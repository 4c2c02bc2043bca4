#include "solvers/flow/sweeps.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/red_black_sor/red_black_sor.hpp"

namespace cfdmark {
namespace {

// Limited by the registers of a thread; more passes are also slower (measured on an H200).
constexpr int most_sweeps_of_strips = 4;
// Returns the method with several passes per pass over memory. On a GPU strips need many rows per
// multiprocessor, so tiles are faster below least_cells_of_strips.
std::string sweep_method_on(BackendKind kind, const Grid& grid, const std::string& asked) {
  if (kind != BackendKind::cuda) return "wavefront";
  if (asked != "usual") return asked;
  return grid.cells() >= least_cells_of_strips ? "wavefront" : "tiled";
}

}  // namespace

Cost Sweeps::cost(const PeriodicGhosts& ghosts) const {
  Cost all;
  for (const Operation& operation : turn) all = all + operation.cost + ghosts.cost();
  return double(times) * all;
}

Sweeps red_black_sweeps(const FlowSystem& flow, const System& system, const Coupling& coupling,
                        const Config& threads, const char* routine, double omega, int sweeps) {
  const auto sweep_of = [&](ColourOrder order) {
    return CellArgs<RedBlackSor>{.precision = flow.precision,
                                 .kernel = {.omega = omega, .order = order},
                                 .fields = {.a = system.stencil(), .u = system.u, .b = system.b}};
  };
  const BackendKind kind = system.backend->kind();
  const auto methods = CellKernel<RedBlackSor>::methods(kind);
  const bool is_one_launch = coupling.sweep_method == "persistent";
  if (flow.exchanges()) {
    if (is_one_launch)
      throw std::invalid_argument(
          "sweep_method=persistent: with periodic sides each colour needs its own launch; leave it out");
    const auto colour = [&](ColourOrder order) {
      return prepare(system, routine, methods.front(), sweep_of(order), threads);
    };
    return {{colour(ColourOrder::red), colour(ColourOrder::black)}, sweeps};
  }
  const CellArgs<RedBlackSor> args = sweep_of(ColourOrder::red_black);
  if (is_one_launch) {
    Operation all = prepare(system, routine, find_method(methods, "persistent_arrays"), args,
                            {{"depth", coupling.sweep_depth}, {"sweeps", sweeps}});
    all.cost = double(sweeps) * all.cost;
    return {{std::move(all)}, 1};
  }
  if (coupling.sweep_depth > 1) {
    const std::string method = sweep_method_on(kind, args.grid(), coupling.sweep_method);
    Config config = threads;
    const bool is_of_strips = kind == BackendKind::cuda && method == "wavefront";
    config.set("depth",
               is_of_strips ? std::min(coupling.sweep_depth, most_sweeps_of_strips) : coupling.sweep_depth);
    config.set("sweeps", sweeps);
    // A deep tile loses its halo rows and needs more rows of its own.
    if (method == "tiled") config.set("rows", coupling.sweep_depth > 4 ? 8 : 4);
    Operation all = prepare(system, routine, find_method(methods, method), args, config);
    all.cost = double(sweeps) * all.cost;
    return {{std::move(all)}, 1};
  }
  // On a CPU both colours share one pass, which reads the coefficients, most of the traffic, only once.
  const auto fused =
      std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.name == "fused"; });
  const auto& one = fused != methods.end() ? *fused : default_method(methods, args);
  return {{prepare(system, routine, one, args, threads)}, sweeps};
}

}  // namespace cfdmark

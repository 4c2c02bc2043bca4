// Several iterations in one pass, with the warps of a block as stages of a pipeline; see red_black_staged.cu.
#include <utility>

#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/device/cuda/primitives/sweep_pipeline_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr int reach = 2;  // per iteration: one row and column per colour

std::vector<int> launches_of(const Config& config) {
  return sweeps_of_launches(config.integer(sweeps_of_a_pipeline), pipeline_of(config, reach).depth());
}

template <class K>
Plan staged(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        Plan plan{.memory = {other.buffer()}};
        AnyView from = args.fields.u, to = other.view();
        const auto b = source_of<S>(args);
        using B = std::decay_t<decltype(b)>;
        const std::vector<int> launches = launches_of(config);
        for (std::size_t n = 0; n < launches.size(); ++n) {
          const int ghosts = n == 0;  // u has them; `other` from then on
          plan.run.push_back(pipeline_launch<S, C>(
              static_cast<CudaBackend&>(backend), args.grid(), config, reach, launches.front(), has_source<B>,
              [&](const std::vector<int>& numbers) {
                return Launch{{"kernels/red_black_sor/red_black_staged.cu",
                               instance<S, C, A, B>("red_black_staged", numbers)},
                              {},
                              {},
                              Arguments(a, from.as<const S>(), b, to.as<S>(), C(args.kernel.omega),
                                        launches[n], colours_of(args).front(), ghosts)};
              }));
          std::swap(from, to);
        }
        return plan;
      });
}

template <class K>
std::string why_not_staged(const CellArgs<K>& args) {
  if (const std::string reason = takes_rows(args); !reason.empty()) return reason;
  if (!args.fields.a.constant) return "it requires constant coefficients: arrays do not fit on the chip";
  return args.fields.a.is_edged() ? "it does not support edged operators of coarse grids" : "";
}

template <class K>
Cost staged_cost(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, launches_of(config), config);
}

}  // namespace

template <class K>
Method<CellArgs<K>> staged_method() {
  return {.name = "staged",
          .space =
              sweep_pipeline_space({.packs = 2, .each = 3, .warps = 2, .reach = reach},
                                   std::is_same_v<K, RedBlackSor>, [](int each) { return reach * each + 2; }),
          .prepare = prepare_cuda<staged<K>>,
          .unsupported = why_not_staged<K>,
          .config_cost = staged_cost<K>,
          .preferred = prefers_strips<K>,
          .steps = sweeps_of_a_pipeline};
}
template Method<CellArgs<RedBlackSor>> staged_method();
template Method<CellArgs<RedBlackLaplace>> staged_method();

}  // namespace cfdmark

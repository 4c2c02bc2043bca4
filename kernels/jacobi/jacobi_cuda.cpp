// Jacobi iterations on CUDA, with and without right-hand side: several in one pass over memory, or many with
// the grid in registers.
#include <algorithm>
#include <array>
#include <optional>

#include "kernels/cells/cuda/repeated_cuda.hpp"
#include "kernels/device/cuda/primitives/register_tile_cuda.hpp"
#include "kernels/device/cuda/primitives/sweep_pipeline_cuda.hpp"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"
#include "kernels/jacobi/jacobi_methods.hpp"

namespace cfdmark {
namespace {

constexpr const char* pipelined_source = "kernels/jacobi/jacobi_pipelined.cu";
constexpr const char* persistent_source = "kernels/jacobi/jacobi_persistent.cu";
constexpr int reach = 1;  // cells that an iteration depends on, in each direction

// Costs measured on an H100.
const TileScheme tiles_of_jacobi = {.steps = 1, .values = 2, .fp32 = {8.5, 1.6}, .fp64 = {24, 2.0}};

// Calls f with a view of b, or with ZeroRhs.
template <class S, class K, class F>
auto with_source(const CellArgs<K>& args, const F& f) {
  if constexpr (std::is_same_v<K, Jacobi>)
    return f(args.fields.b.template as<const S>());
  else
    return f(ZeroRhs{});
}

// Returns the iterations of each launch, as equal as possible. The last launch leaves room for `more`
// iterations.
std::vector<int> sweeps_of_launches(const Config& config, int more = 0) {
  const int sweeps = config.integer(sweeps_of_a_pipeline), depth = pipeline_of(config, reach).depth();
  const int launches = (sweeps + more + depth - 1) / depth;
  std::vector<int> each;
  for (int n = 0; n < launches; ++n) each.push_back(sweeps / launches + (n < sweeps % launches));
  return each;
}

// Returns a launch of `function`; `more` follows the common arguments.
template <class K, class S, class C, class A, class... More>
Launch pass(CudaBackend& backend, const char* function, int sweeps_with_residual, const CellArgs<K>& args,
            const A& a, const View<const S>& from, const View<S>& to, int sweeps, const Config& config,
            const More&... more) {
  return with_source<S>(args, [&]<class B>(const B& b) {
    return pipeline_launch<S, C>(backend, args.grid(), config, reach, sweeps_with_residual, has_source<B>,
                                 [&](const std::vector<int>& numbers) {
                                   return Launch{{pipelined_source, instance<S, C, A, B>(function, numbers)},
                                                 {},
                                                 {},
                                                 Arguments(a, from, b, to, sweeps, more...)};
                                 });
  });
}

// Adds the last launch of iterations, into out, and the launch that reduces its blocks' squared residuals.
template <class K, class S, class C, class A>
void add_with_residual(Plan& plan, CudaBackend& backend, const CellArgs<K>& args, const A& a,
                       const View<const S>& from, int sweeps, const Config& config, double* square) {
  constexpr int joining = 256;
  const auto squares = std::make_shared<double*>(nullptr);
  const Launch last = pass<K, S, C>(backend, "jacobi_pipelined_residual", sweeps + 1, args, a, from,
                                    args.fields.out.template as<S>(), sweeps, config, squares);
  const int blocks = last.blocks.x * last.blocks.y;
  const Buffer memory(backend, std::size_t(blocks) * sizeof(double));
  *squares = static_cast<double*>(memory.data());
  plan.memory.push_back(memory);
  plan.run.push_back(last);
  plan.run.push_back(Launch{{cells_source(ResidualSquare::description().described_at),
                             instance<ResidualSquare>("join_results", {joining})},
                            {1},
                            {joining},
                            Arguments(static_cast<const double*>(*squares), blocks, square)});
}

// Returns a plan from u through up to two alternating fields, which receive its ghosts, to out. square: null,
// or where the sum of squared residuals is stored; then the last launch also computes the sums of its blocks,
// and another launch adds them.
template <class K>
Plan sweeps_down_strips(Backend& backend, const CellArgs<K>& args, const Config& config, double* square) {
  const std::vector<int> launches = sweeps_of_launches(config, square != nullptr);
  std::array<std::optional<Field>, 2> between;
  for (std::size_t n = 0; n < std::min<std::size_t>(launches.size() - 1, 2); ++n)
    between[n].emplace(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        Plan plan;
        for (const auto& field : between)
          if (field) plan.memory.push_back(field->buffer());
        View<const S> from = args.fields.u.template as<const S>();
        for (std::size_t n = 0; n < launches.size(); ++n) {
          const bool last = n + 1 == launches.size();
          const AnyView to = last ? args.fields.out : between[n % 2]->view();
          auto& device = static_cast<CudaBackend&>(backend);
          if (last && square)
            add_with_residual<K, S, C>(plan, device, args, a, from, launches[n], config, square);
          else
            plan.run.push_back(pass<K, S, C>(device, "jacobi_pipelined", launches[n], args, a, from,
                                             to.template as<S>(), launches[n], config, int(!last)));
          from = to.template as<const S>();
        }
        return plan;
      });
}

template <class K>
Plan pipelined(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return sweeps_down_strips(backend, args, config, nullptr);
}
Plan pipelined_with_residual(Backend& backend, const SweepsAndResidual<Jacobi>& both, const Config& config) {
  return sweeps_down_strips(backend, both.sweeps, config, both.square);
}

// Returns the cost: each launch reads u and b once and writes once; overlaps come from the caches.
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const Config& config, int more) {
  Cost cost = cell_cost(args);
  cost.bytes *= double(sweeps_of_launches(config, more).size()) / config.integer(sweeps_of_a_pipeline);
  return cost;
}
template <class K>
Cost pipelined_cost(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, config, 0);
}
Cost cost_with_residual(const SweepsAndResidual<Jacobi>& both, const Config& config) {
  return with_residual(cost_of_launches(both.sweeps, config, 1), cell_cost(both.sweeps), both.sweeps,
                       config.integer(sweeps_of_a_pipeline), 0);
}

template <class K>
std::string why_not_planes(const CellArgs<K>& args) {
  if (args.grid().is_3d()) return "it requires a 2-D grid";
  if (!args.fields.a.constant) return "it requires constant coefficients: arrays do not fit on the chip";
  if (args.fields.a.is_edged()) return "it does not support edged operators of coarse grids";
  return unaligned(args);
}

template <class K>
TuningSpace pipelined_space() {
  return sweep_pipeline_space({.packs = 4, .each = 2, .warps = 6, .reach = reach}, std::is_same_v<K, Jacobi>,
                              [](int each) { return 2 * each + 1; });
}

template <class K>
Plan persistent(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        return in_register_tiles(
            backend, args.grid(), args.precision, tiles_of_jacobi, config, 0,
            [&](const DeepTile& tile, const AnyView& through, const AnyView& next, unsigned* arrived) {
              return with_source<S>(args, [&]<class B>(const B& b) {
                return Launch{
                    {persistent_source, instance<S, C, A, B>("jacobi_persistent", template_numbers(tile))},
                    {},
                    {},
                    Arguments(a, args.fields.u.template as<const S>(), b, args.fields.out.template as<S>(),
                              through.as<S>(), next.as<S>(), config.integer(sweeps_of_a_tile), arrived)};
              });
            });
      });
}

template <class K>
Cost persistent_cost(const CellArgs<K>& args, const Config& config) {
  return register_tile_cost(cell_cost(args), config);
}

template <class K>
bool never(const CellArgs<K>&) {
  return false;  // the largest grid that fits depends on the device
}

template <class K>
Methods<CellArgs<K>> of_several_sweeps() {
  return {{.name = "pipelined",
           .space = pipelined_space<K>(),
           .prepare = prepare_cuda<pipelined<K>>,
           .unsupported = why_not_planes<K>,
           .config_cost = pipelined_cost<K>,
           .steps = sweeps_of_a_pipeline},
          {.name = "persistent",
           .space = register_tile_space(tiles_of_jacobi),
           .prepare = prepare_cuda<persistent<K>>,
           .unsupported = why_not_planes<K>,
           .config_cost = persistent_cost<K>,
           .preferred = never<K>,
           .steps = sweeps_of_a_tile},
          repeated_launches_method<K>()};
}

}  // namespace

Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual_cuda() {
  return {{.name = "pipelined",
           .space = pipelined_space<Jacobi>(),
           .prepare = prepare_cuda<pipelined_with_residual>,
           .unsupported = [](const SweepsAndResidual<Jacobi>& a) { return why_not_planes(a.sweeps); },
           .config_cost = cost_with_residual,
           .steps = sweeps_of_a_pipeline}};
}

Methods<CellArgs<Jacobi>> jacobi_cuda() { return of_several_sweeps<Jacobi>(); }
Methods<CellArgs<JacobiLaplace>> jacobi_laplace_cuda() { return of_several_sweeps<JacobiLaplace>(); }

}  // namespace cfdmark

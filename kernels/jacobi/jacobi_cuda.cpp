// Jacobi sweeps on CUDA, with a right-hand side and without: several in one pass over memory, and many of a
// grid that stays in registers.
#include <algorithm>
#include <array>
#include <optional>

#include "kernels/backends/register_tile_cuda.hpp"
#include "kernels/backends/repeated_cuda.hpp"
#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/jacobi/jacobi_pipeline.hpp"

namespace cfdmark {
namespace {

constexpr const char* pipelined_source = "kernels/jacobi/jacobi_pipelined.cu";
constexpr const char* persistent_source = "kernels/jacobi/jacobi_persistent.cu";
constexpr const char* sweeps_of_a_step = "sweeps";

// Calls f(right-hand side): a view of b, or what stands for none.
template <class S, class K, class F>
auto with_source(const CellArgs<K>& args, const F& f) {
  if constexpr (std::is_same_v<K, Jacobi>)
    return f(args.fields.b.template as<const S>());
  else
    return f(NoSource{});
}

JacobiPipeline shape_of(const Config& c) {
  return {c.whole("packs"), c.whole("sweeps_a_warp"), c.whole("warps")};
}

// The sweeps of each launch: as equal as they can be. The last leaves room for so many more.
std::vector<int> sweeps_of_launches(const Config& config, int more = 0) {
  const int sweeps = config.whole(sweeps_of_a_step), depth = shape_of(config).depth();
  const int launches = (sweeps + more + depth - 1) / depth;
  std::vector<int> each;
  for (int n = 0; n < launches; ++n) each.push_back(sweeps / launches + (n < sweeps % launches));
  return each;
}

// Of `function`, with `arguments` behind those that all have, and with no more warps than so many sweeps
// need. The blocks are as many as are resident at once, or `waves` times so many: a few more than that would
// take as long again.
template <class K, class S, class C, class A, class... More>
Launch pass(CudaBackend& backend, const char* function, int sweeps_with_residual, const CellArgs<K>& args,
            const A& a, const View<const S>& from, const View<S>& to, int sweeps, const Config& config,
            const More&... more) {
  const Grid g = args.grid();
  constexpr int bytes = int(sizeof(S));
  JacobiPipeline shape = shape_of(config);
  // A lane computes in 64 bits what it holds in 32: registers suffice for half as many cells.
  if (sizeof(C) > sizeof(S)) shape.packs = std::max(shape.packs / 2, 1);
  shape.warps = std::min(shape.warps, (sweeps_with_residual + shape.each - 1) / shape.each);
  Launch launch = with_source<S>(args, [&]<class B>(const B& b) {
    return Launch{{pipelined_source,
                   instance<S, C, A, B>(function, {shape.packs, shape.each, shape.warps,
                                                   config.whole("resident"), g.nx % shape.cells(bytes)})},
                  {shape.strips(g.nx, bytes)},
                  {32, shape.warps},
                  Arguments(a, from, b, to, sweeps, more...),
                  shape.shared_bytes(has_source<B>)};
  });
  const int places = config.whole("waves") * backend.resident_blocks(launch);
  launch.blocks.y = std::clamp(places / launch.blocks.x, 1, g.ny);
  return launch;
}

// The last launch of sweeps, into out, and the one that adds what its blocks leave.
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

// From u through one or two fields, which get its ghosts, to out. square: null, or where the sum of the
// squares of the residuals goes. The last launch of sweeps then leaves the sums of its blocks, and another
// launch adds them.
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

// Each launch reads u and b once and writes once; what overlaps comes from the caches.
template <class K>
Cost cost_of_launches(const CellArgs<K>& args, const Config& config, int more) {
  Cost cost = cell_cost(args);
  cost.bytes *= double(sweeps_of_launches(config, more).size()) / config.whole(sweeps_of_a_step);
  return cost;
}
template <class K>
Cost pipelined_cost(const CellArgs<K>& args, const Config& config) {
  return cost_of_launches(args, config, 0);
}
Cost cost_with_residual(const SweepsAndResidual<Jacobi>& both, const Config& config) {
  return with_residual(cost_of_launches(both.sweeps, config, 1), cell_cost(both.sweeps), both.sweeps,
                       config.whole(sweeps_of_a_step), 0);
}

template <class K>
std::string why_not_planes(const CellArgs<K>& args) {
  if (args.grid().is_3d()) return "it takes rows of a 2-D grid";
  if (!args.fields.a.constant) return "coefficients of all its rows would not fit on the chip";
  if (args.fields.a.is_edged()) return "the last cells have coefficients of their own";
  return unaligned(args);
}

TuningSpace pipelined_space() {
  TuningSpace space = {
      {{"packs", {2, 3, 4, 6}, 4, "packs of 16 bytes of a row that a lane holds"},
       {"sweeps_a_warp", {1, 2, 3, 4}, 2, "sweeps that each warp of a block makes, one after the other"},
       {"warps", {2, 3, 4, 6, 8, 12}, 6, "warps of a block, each of which goes on where another one ends"},
       {"resident", {1, 2, 3}, 2, "blocks that a multiprocessor is to hold: fewer registers for each"},
       {"waves", {1, 2}, 1, "blocks, in multiples of those that are resident at once"},
       {sweeps_of_a_step, {}, 48, "that one step makes"}},
      [](const Config& c) -> std::string {
        const JacobiPipeline shape = shape_of(c);
        if (shape.warps > 32) return "warps: at most 32 a block";
        if (shape.own_lanes(sizeof(double)) <= 0)
          return "strips overlap by a column for each sweep on either side: nothing is left";
        // Of a block, as much as an A100 has; of a multiprocessor, as much as a Hopper has.
        constexpr int most_of_a_block = 163 * 1024, most_in_all = 227 * 1024, registers = 2048, others = 44;
        const int resident = c.whole("resident"), bytes = shape.shared_bytes(true);
        if (bytes > most_of_a_block || resident * bytes > most_in_all)
          return "shared memory: rows of more than 163 KiB a block, or of 227 KiB a multiprocessor";
        const int held = (2 * shape.each + 1) * shape.packs * 4;
        if (held + others <= std::min(255, registers / (shape.warps * resident))) return "";
        return "a lane holds 2 sweeps_a_warp + 1 rows of 4 packs registers, and 44 more: a multiprocessor "
               "has "
               "2048 for each lane of its warps, of which one can have 255";
      }};
  return space;
}

template <class K>
Plan persistent(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const TileShape tile = tile_of(config, 1);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        return in_register_tiles(
            backend, args.grid(), args.precision, tile, 0,
            [&](const AnyView& through, const AnyView& next, unsigned* arrived) {
              return with_source<S>(args, [&]<class B>(const B& b) {
                return Launch{
                    {persistent_source,
                     instance<S, C, A, B>("jacobi_persistent",
                                          {tile.cells, tile.rows, tile.warps, config.whole("depth")})},
                    {},
                    {},
                    Arguments(a, args.fields.u.template as<const S>(), b, args.fields.out.template as<S>(),
                              through.as<S>(), next.as<S>(), config.whole(sweeps_of_a_tile), arrived)};
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
  return false;  // how large a grid it fits depends on the device
}

template <class K>
Methods<CellArgs<K>> of_several_sweeps() {
  return {{.name = "pipelined",
           .space = pipelined_space(),
           .prepare = prepare_cuda<pipelined<K>>,
           .unsupported = why_not_planes<K>,
           .config_cost = pipelined_cost<K>,
           .steps = sweeps_of_a_step},
          {.name = "persistent",
           .space = register_tile_space(1),
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
           .space = pipelined_space(),
           .prepare = prepare_cuda<pipelined_with_residual>,
           .unsupported = [](const SweepsAndResidual<Jacobi>& a) { return why_not_planes(a.sweeps); },
           .config_cost = cost_with_residual,
           .steps = sweeps_of_a_step}};
}

Methods<CellArgs<Jacobi>> jacobi_cuda() { return of_several_sweeps<Jacobi>(); }
Methods<CellArgs<JacobiLaplace>> jacobi_laplace_cuda() { return of_several_sweeps<JacobiLaplace>(); }

}  // namespace cfdmark

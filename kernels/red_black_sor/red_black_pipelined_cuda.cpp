// Several iterations in one pass down strips of rows: alone, with the residual norm, and as halves of a
// multigrid level.
#include <algorithm>
#include <utility>

#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

constexpr const char* pipelined_source = "kernels/red_black_sor/red_black_pipelined.cu";
constexpr const char* smooth_restrict_source = "kernels/red_black_sor/red_black_smooth_restrict.cu";

// Dimensions of the strips; see red_black_strip.cuh.
struct Strips {
  int cells, warps, rows;
  Strips(const Grid& grid, const Config& c)
      : cells(c.integer("cells")),
        warps(c.integer("warps")),
        rows(even((grid.ny + c.integer("row_blocks") - 1) / c.integer("row_blocks"))) {}

  // Returns the smallest power of two that holds the sweeps of a launch, at most config's depth. Few distinct
  // depths limit compilations.
  static int depth_for(int sweeps, const Config& c) {
    int depth = 1;
    while (depth < sweeps) depth *= 2;
    return std::min(depth, c.integer("depth"));
  }
  // Returns the lanes whose columns belong to the strip, if `spoilt` columns on either side do not.
  static int own_lanes(int cells, int spoilt) { return 32 - 2 * ((spoilt + cells - 1) / cells); }
  // Returns the invalid columns per side after `depth` iterations. Residuals need one more, their restriction
  // another.
  static int spoilt(int depth, bool residuals) { return 2 * depth + (residuals ? 2 : 0); }

  Extent blocks(const Grid& grid, int depth, bool residuals) const {
    const int lanes = own_lanes(cells, spoilt(depth, residuals)),
              held = grid.nx / cells + 2;  // lanes that hold columns -1 to nx
    return {((held + lanes - 1) / lanes + warps - 1) / warps, (grid.ny + rows - 1) / rows};
  }

  // Returns a launch of FUNCTION<Types..., cells, depth, warps> of a source.
  template <class... Types>
  Launch launch(const char* source, const char* function, const Grid& grid, int depth, bool residuals,
                Arguments arguments) const {
    return {{source, instance<Types...>(function, {cells, depth, warps})},
            blocks(grid, depth, residuals),
            {32, warps},
            std::move(arguments)};
  }

  // Returns a launch of `sweeps` (at most depth) iterations from `from` into `to`, with or without ghosts.
  template <class S, class C, class A, class K>
  Launch pass(const CellArgs<K>& args, const A& a, const View<S>& from, const View<S>& to, int sweeps,
              int depth, bool ghosts) const {
    const auto b = source_of<S>(args);
    return launch<S, C, A, std::decay_t<decltype(b)>>(
        pipelined_source, "red_black_pipelined", args.grid(), depth, false,
        Arguments(a, from, b, to, C(args.kernel.omega), sweeps, colours_of(args).front(), rows, int(ghosts)));
  }
  // The same, with the sum of squared residuals of each block.
  template <class S, class C, class A>
  Launch pass_with_residual(const RedBlackArgs& args, const A& a, const View<S>& from, const View<S>& to,
                            int sweeps, int depth, bool ghosts, double* squares) const {
    const auto b = source_of<S>(args);
    return launch<S, C, A, std::decay_t<decltype(b)>>(
        pipelined_source, "red_black_pipelined_residual", args.grid(), depth, true,
        Arguments(a, from, b, to, C(args.kernel.omega), sweeps, colours_of(args).front(), rows, int(ghosts),
                  squares));
  }
  // The same with ghosts, as one half of a multigrid level.
  template <class S, class C, class A>
  Launch leg(const RedBlackPass& pass, const A& a, int sweeps, int depth) const {
    const RedBlackArgs& args = pass.sweep;
    const View<S> from = args.fields.u.as<S>(), to = pass.to.as<S>();
    const View<const S> b = args.fields.b.as<const S>();
    const C omega = C(args.kernel.omega);
    const int first = colours_of(args).front();
    if (pass.leg == CycleLeg::down)
      return launch<S, C, A>(smooth_restrict_source, "red_black_down", args.grid(), depth, true,
                             Arguments(a, from, b, to, pass.coarse.as<S>(), omega, sweeps, first, rows));
    return launch<S, C, A>(smooth_restrict_source, "red_black_up", args.grid(), depth, false,
                           Arguments(a, from, pass.coarse.as<const S>(), b, to, omega, sweeps, first, rows));
  }
};

// Returns a plan of consecutive launches. square: null, or where the sum of squared residuals is stored; then
// the last launch also computes the sums of its blocks, and another launch adds them.
template <class K>
Plan sweeps_down_strips(Backend& backend, const CellArgs<K>& args, const Config& config, double* square) {
  const Strips strips(args.grid(), config);
  const Field other(backend, args.grid(), args.precision);
  return with_level_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        Plan plan{.memory = {other.buffer()}};
        View<S> from = args.fields.u.template as<S>(), to = other.view().as<S>();
        const std::vector<int> launches = sweeps_of_launches(config);
        const int depth = strips.depth_for(launches.front(), config);
        const std::size_t passes = launches.size() - (square != nullptr);
        for (std::size_t n = 0; n < passes; ++n) {
          const bool ghosts = n % 2 == 0;  // u has them
          plan.run.push_back(strips.template pass<S, C>(args, a, from, to, launches[n], depth, ghosts));
          std::swap(from, to);
        }
        if constexpr (std::is_same_v<K, RedBlackSor>)
          if (square) {
            constexpr int joining = 256;
            const Extent blocks = strips.blocks(args.grid(), depth, true);
            const Buffer squares(backend, std::size_t(blocks.x * blocks.y) * sizeof(double));
            double* const of_blocks = static_cast<double*>(squares.data());
            plan.memory.push_back(squares);
            plan.run.push_back(strips.template pass_with_residual<S, C>(args, a, from, to, launches.back(),
                                                                        depth, false, of_blocks));
            plan.run.push_back(
                Launch{{cells_source(ResidualSquare::description().described_at),
                        instance<ResidualSquare>("join_results", {joining})},
                       {1},
                       {joining},
                       Arguments(static_cast<const double*>(of_blocks), blocks.x * blocks.y, square)});
          }
        return plan;
      });
}

template <class K>
Plan pipelined(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return sweeps_down_strips(backend, args, config, nullptr);
}
Plan pipelined_with_residual(Backend& backend, const SweepsAndResidual<RedBlackSor>& both,
                             const Config& config) {
  return sweeps_down_strips(backend, both.sweeps, config, both.square);
}
Cost cost_with_residual(const SweepsAndResidual<RedBlackSor>& both, const Config& config) {
  const Cost sweeps = cost_of_launches(both.sweeps, config);
  return with_residual(sweeps, sweeps, both.sweeps, config.integer(sweeps_of_a_step), 0);
}

// Returns a plan with all iterations of a step in one launch.
Plan pass(Backend&, const RedBlackPass& args, const Config& config) {
  const Strips strips(args.sweep.grid(), config);
  const int sweeps = config.integer(sweeps_of_a_step), depth = strips.depth_for(sweeps, config);
  return with_level_operator(args.sweep.precision, args.sweep.fields.a, args.sweep.grid(),
                             [&]<class S, class C, int dims, class A>(const A& a) -> Plan {
                               if (args.leg == CycleLeg::none)
                                 return {.run = {strips.pass<S, C>(args.sweep, a, args.sweep.fields.u.as<S>(),
                                                                   args.to.as<S>(), sweeps, depth, true)}};
                               return {.run = {strips.leg<S, C>(args, a, sweeps, depth)}};
                             });
}
// Returns the cost per iteration: reads and writes of the pass are divided by its iterations.
Cost cost_of_pass(const RedBlackPass& args, const Config& config) {
  const int sweeps = config.integer(sweeps_of_a_step);
  Cost cost = red_black_fused_cost(args.sweep);
  const double cells = cost.cells, value = double(stored_bytes(args.sweep.precision));
  const bool down = args.leg == CycleLeg::down;
  if (args.leg != CycleLeg::none) {
    cost.bytes += double(args.coarse.grid.cells()) * value;
    cost.flops += cells * (down ? stencil_flops(2, true) + 4 : 7) / sweeps;
  }
  cost.bytes /= sweeps;
  return cost;
}

TuningSpace pipelined_space() {
  TuningSpace space = strip_space({8, 16, 32, 64}, 64);
  add_sweeps(space, {1, 2, 4});
  space.require([](const Config& c) -> std::string {
    const int cells = c.integer("cells"), depth = c.integer("depth");
    if (Strips::own_lanes(cells, Strips::spoilt(depth, false)) <= 0)
      return "strips overlap by 2 depth columns and have no columns of their own: reduce depth";
    if ((2 * depth + 4) * cells <= 80) return "";
    return "(2 depth + 4) cells is more than the 80 values that a lane can hold: reduce depth or cells";
  });
  return space;
}

TuningSpace pass_space() {
  TuningSpace space = pipelined_space();
  space.require([](const Config& c) -> std::string {
    if (c.integer(sweeps_of_a_step) <= c.integer("depth")) return "";
    return "sweeps must not exceed depth: they run in one pass";
  });
  return space;
}

TuningSpace pipelined_with_residual_space() {
  TuningSpace space = pipelined_space();
  space.require([](const Config& c) -> std::string {
    const int cells = c.integer("cells"), depth = c.integer("depth");
    if (Strips::own_lanes(cells, Strips::spoilt(depth, true)) > 0) return "";
    return "strips with residuals overlap by 2 depth + 2 columns and have no columns of their own: reduce "
           "depth";
  });
  return space;
}

std::string why_no_pass(const RedBlackPass& args) {
  if (const std::string reason = takes_rows(args.sweep); !reason.empty()) return reason;
  if (!args.to.rows_are_aligned()) return "rows of the written field are not aligned to 16 bytes";
  if (args.leg == CycleLeg::none) return "";
  if (!args.sweep.fields.a.constant) return "transfer between grids requires a constant operator";
  return args.coarse.rows_are_aligned() ? "" : "rows of the coarse grid are not aligned to 16 bytes";
}

}  // namespace

template <class K>
Method<CellArgs<K>> pipelined_method() {
  return {.name = "pipelined",
          .space = pipelined_space(),
          .prepare = prepare_cuda<pipelined<K>>,
          .unsupported = takes_rows<K>,
          .config_cost = cost_of_launches<K>,
          .preferred = prefers_strips<K>,
          .steps = sweeps_of_a_step};
}
template Method<CellArgs<RedBlackSor>> pipelined_method();
template Method<CellArgs<RedBlackLaplace>> pipelined_method();

Methods<SweepsAndResidual<RedBlackSor>> red_black_with_residual_cuda() {
  return {{.name = "pipelined",
           .space = pipelined_with_residual_space(),
           .prepare = prepare_cuda<pipelined_with_residual>,
           .unsupported = [](const SweepsAndResidual<RedBlackSor>& a) { return takes_rows(a.sweeps); },
           .config_cost = cost_with_residual,
           .steps = sweeps_of_a_step}};
}

Methods<RedBlackPass> red_black_passes_cuda() {
  return {{.name = "pipelined",
           .space = pass_space(),
           .prepare = prepare_cuda<pass>,
           .unsupported = why_no_pass,
           .config_cost = cost_of_pass,
           .steps = sweeps_of_a_step}};
}

}  // namespace cfdmark

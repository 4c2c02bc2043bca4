// Methods that do both colours in one pass over memory, of one sweep or of several.
#include <algorithm>
#include <utility>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {
namespace {

constexpr const char* streamed_source = "kernels/red_black_sor/red_black_streamed.cu";
constexpr const char* pipelined_source = "kernels/red_black_sor/red_black_pipelined.cu";
constexpr const char* legs_source = "kernels/red_black_sor/red_black_legs.cu";
constexpr const char* tiled_source = "kernels/red_black_sor/red_black_tiled.cu";

int even(int n) { return n + n % 2; }

// One pass from one array to another, which then change places.
Plan streamed(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const int cells = config.whole("cells"), warps = config.whole("warps");
  const int strips = (args.grid().nx + 30 * cells - 1) / (30 * cells);
  const int rows = even((args.grid().ny + config.whole("row_blocks") - 1) / config.whole("row_blocks"));
  const Extent blocks = {(strips + warps - 1) / warps, (args.grid().ny + rows - 1) / rows};
  const Extent copying = {64, 4};
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto from = std::make_shared<View<S>>(), to = std::make_shared<View<S>>();
        const View<S> u = args.fields.u.as<S>(), scratch = other.view().as<S>();
        const DeviceFunction sweep{streamed_source,
                                   instance<S, C, A>("red_black_streamed", {cells, warps, rows})};
        const DeviceFunction copy{streamed_source, instance<S>("copy_with_ghosts", {copying.x, copying.y})};
        const Extent copies = blocks_over({args.grid().nx + 2, args.grid().ny + 2}, copying);
        return Plan{.run = {Launch{sweep,
                                   blocks,
                                   {32, warps},
                                   Arguments(a, from, args.fields.b.as<const S>(), to, C(args.kernel.omega))},
                            HostCall{[=](const CudaQueue&) { std::swap(*from, *to); }}},
                    .load = {HostCall{[=](const CudaQueue&) { *from = u, *to = scratch; }},
                             Launch{copy, copies, copying, Arguments(u, scratch)}},
                    .store = {Launch{copy, copies, copying, Arguments(from, u)}},
                    .memory = {other.buffer()}};
      });
}

std::string takes_rows(const RedBlackArgs& args) {
  if (args.grid().is_3d()) return "it takes rows of a 2-D grid";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}

std::string streamable(const RedBlackArgs& args) {
  if (args.grid().parity) return "it takes rows in pairs, the first of which begins with a red cell";
  return takes_rows(args);
}

TuningSpace strip_space(std::vector<Value> row_blocks, int usual_row_blocks) {
  return {{{"cells", {2, 4}, 2, "cells of a row that a lane holds, half of them red"},
           {"warps", {1, 2, 4, 8}, 4, "warps of a block, side by side"},
           {"row_blocks", std::move(row_blocks), usual_row_blocks, "parts that the rows are cut into"}},
          [](const Config& c) -> std::string {
            const int cells = c.whole("cells");
            if (cells != 2 && cells != 4 && cells != 8) return "cells: 2, 4 or 8 a lane, half of them red";
            return c.whole("warps") <= 32 ? "" : "warps: at most 32 a block";
          }};
}
TuningSpace streamed_space() { return strip_space({16, 32, 64, 128, 256}, 64); }

// A warp walks along many rows one after the other: only where there are enough of them for all warps of a
// device. With coefficient arrays it holds too much in registers.
bool prefers_streamed(const RedBlackArgs& args) {
  return args.fields.a.constant && args.grid().cells() >= 2048 * 2048;
}

constexpr const char* sweeps_of_a_step = "sweeps";

// Of a method of several sweeps a launch, in turn: back and forth between two arrays, so that an even number
// of launches ends where it began.
std::vector<int> sweeps_of_launches(const Config& config) {
  const int there_and_back = 2 * config.whole("depth"), sweeps = config.whole(sweeps_of_a_step);
  const int launches = 2 * ((sweeps + there_and_back - 1) / there_and_back);
  std::vector<int> each;
  for (int n = 0; n < launches; ++n) each.push_back(sweeps / launches + (n < sweeps % launches));
  return each;
}
// Each launch reads everything once and writes u once; what overlaps comes from the caches.
Cost cost_of_launches(const RedBlackArgs& args, const Config& config) {
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double(sweeps_of_launches(config).size()) / config.whole(sweeps_of_a_step);
  return cost;
}
void add_sweeps(TuningSpace& space, std::vector<Value> depths) {
  space.settings.push_back({"depth", std::move(depths), 4, "sweeps that a launch makes at most"});
  space.settings.push_back({sweeps_of_a_step, {}, 16, "that one step makes"});
}

// How strips walk down a grid: see red_black_strip.cuh.
struct Strips {
  int cells, warps, rows;
  Strips(const Grid& grid, const Config& c)
      : cells(c.whole("cells")),
        warps(c.whole("warps")),
        rows(even((grid.ny + c.whole("row_blocks") - 1) / c.whole("row_blocks"))) {}

  // No deeper than the sweeps of a launch need, in few sizes, each of which is compiled.
  static int depth_for(int sweeps, const Config& c) {
    int depth = 1;
    while (depth < sweeps) depth *= 2;
    return std::min(depth, c.whole("depth"));
  }
  // Of a strip; `spoilt` columns on either side of it are not its own.
  static int own_lanes(int cells, int spoilt) { return 32 - 2 * ((spoilt + cells - 1) / cells); }
  // By a pass that makes at most `depth` sweeps. Residuals and their sums need a column more each.
  static int spoilt(int depth, CycleLeg leg) { return 2 * depth + (leg == CycleLeg::down ? 2 : 0); }

  // Runs FUNCTION<S, C, A, cells, depth, warps> of a source.
  template <class S, class C, class A, class... Values>
  Launch launch(const char* source, const char* function, const Grid& grid, int depth, CycleLeg leg,
                const Values&... values) const {
    const int lanes = own_lanes(cells, spoilt(depth, leg)),
              held = grid.nx / cells + 2;  // that hold columns -1 to nx
    return {{source, instance<S, C, A>(function, {cells, depth, warps})},
            {((held + lanes - 1) / lanes + warps - 1) / warps, (grid.ny + rows - 1) / rows},
            {32, warps},
            Arguments(values...)};
  }

  // `sweeps`, at most depth, of `from` into `to`, with the ghosts or without.
  template <class S, class C, class A>
  Launch pass(const RedBlackArgs& args, const A& a, const View<S>& from, const View<S>& to, int sweeps,
              int depth, bool ghosts) const {
    return launch<S, C, A>(pipelined_source, "red_black_pipelined", args.grid(), depth, CycleLeg::none, a,
                           from, args.fields.b.as<const S>(), to, C(args.kernel.omega), sweeps,
                           colours_of(args).front(), rows, int(ghosts));
  }
  // Likewise with the ghosts, as a leg of a cycle.
  template <class S, class C, class A>
  Launch leg(const RedBlackPass& pass, const A& a, int sweeps, int depth) const {
    const RedBlackArgs& args = pass.sweep;
    const View<S> from = args.fields.u.as<S>(), to = pass.to.as<S>();
    const View<const S> b = args.fields.b.as<const S>();
    const C omega = C(args.kernel.omega);
    const int first = colours_of(args).front();
    if (pass.leg == CycleLeg::down)
      return launch<S, C, A>(legs_source, "red_black_down", args.grid(), depth, pass.leg, a, from, b, to,
                             pass.coarse.as<S>(), omega, sweeps, first, rows);
    return launch<S, C, A>(legs_source, "red_black_up", args.grid(), depth, pass.leg, a, from,
                           pass.coarse.as<const S>(), b, to, omega, sweeps, first, rows);
  }
};

Plan pipelined(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const Strips strips(args.grid(), config);
  const Field other(backend, args.grid(), args.precision);
  return with_operator(args.precision, args.fields.a, args.grid(),
                       [&]<class S, class C, int dims, class A>(const A& a) {
                         Plan plan{.memory = {other.buffer()}};
                         View<S> from = args.fields.u.as<S>(), to = other.view().as<S>();
                         const std::vector<int> launches = sweeps_of_launches(config);
                         const int depth = strips.depth_for(launches.front(), config);
                         for (const int sweeps : launches) {
                           const bool ghosts = plan.run.size() % 2 == 0;  // u has them
                           plan.run.push_back(strips.pass<S, C>(args, a, from, to, sweeps, depth, ghosts));
                           std::swap(from, to);
                         }
                         return plan;
                       });
}

// All sweeps of a step in one launch.
Plan pass(Backend&, const RedBlackPass& args, const Config& config) {
  const Strips strips(args.sweep.grid(), config);
  const int sweeps = config.whole(sweeps_of_a_step), depth = strips.depth_for(sweeps, config);
  return with_operator(args.sweep.precision, args.sweep.fields.a, args.sweep.grid(),
                       [&]<class S, class C, int dims, class A>(const A& a) -> Plan {
                         if (args.leg == CycleLeg::none)
                           return {.run = {strips.pass<S, C>(args.sweep, a, args.sweep.fields.u.as<S>(),
                                                             args.to.as<S>(), sweeps, depth, true)}};
                         return {.run = {strips.leg<S, C>(args, a, sweeps, depth)}};
                       });
}
// Of a sweep: what the pass reads and writes is shared by all of its sweeps.
Cost cost_of_pass(const RedBlackPass& args, const Config& config) {
  const int sweeps = config.whole(sweeps_of_a_step);
  Cost cost = red_black_fused_cost(args.sweep);
  const double cells = cost.cells, value = double(stored_bytes(args.sweep.precision));
  const bool down = args.leg == CycleLeg::down;
  if (args.leg != CycleLeg::none) cost.bytes += double(args.coarse.grid.cells()) * value;
  if (args.leg != CycleLeg::none) cost.flops += cells * (down ? stencil_flops(2, true) + 4 : 7) / sweeps;
  cost.bytes /= sweeps;
  return cost;
}

TuningSpace pipelined_space() {
  TuningSpace space = strip_space({8, 16, 32, 64}, 64);
  add_sweeps(space, {1, 2, 4});
  space.require([](const Config& c) -> std::string {
    const int cells = c.whole("cells"), depth = c.whole("depth");
    if (Strips::own_lanes(cells, Strips::spoilt(depth, CycleLeg::none)) <= 0)
      return "strips overlap by 2 depth columns: nothing is left";
    if ((2 * depth + 4) * cells <= 80) return "";
    return "a lane holds 2 depth + 4 rows of its cells: at most 80 values";
  });
  return space;
}

// What tiles of a config look like: see red_black_tiled.cu.
struct Tiling {
  explicit Tiling(const Config& c)
      : threads{c.whole("block_x"), c.whole("block_y")},
        rows(c.whole("rows")),
        depth(c.whole("depth")),
        own{2 * threads.x - 4 * depth, threads.y * rows - 4 * depth} {}
  Extent threads;
  int rows, depth;
  Extent own;  // cells of a tile, without the layers that overlap
};

Plan tiled(Backend& backend, const RedBlackArgs& args, const Config& config) {
  const Tiling tiling(config);
  const Extent blocks = blocks_over(args.grid(), tiling.own);
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const DeviceFunction function{
            tiled_source, instance<S, C, A>("red_black_tiled",
                                            {tiling.threads.x, tiling.threads.y, tiling.rows, tiling.depth})};
        const AnyView views[2] = {args.fields.u, other.view()};
        Plan plan{.memory = {other.buffer()}};
        for (const int sweeps : sweeps_of_launches(config)) {
          const int n = int(plan.run.size());
          const AnyView &from = views[n % 2], &to = views[1 - n % 2];
          Launch launch{
              function, blocks, tiling.threads,
              Arguments(a, args.fields.u.as<const S>(), from.as<const S>(), args.fields.b.as<const S>(),
                        to.as<S>(), C(args.kernel.omega), colours_of(args).front(), sweeps)};
          launch.shared_bytes = 2 * tiling.threads.x * tiling.threads.y * tiling.rows * int(sizeof(S));
          plan.run.push_back(launch);
        }
        return plan;
      });
}

TuningSpace tiled_space() {
  TuningSpace space = {{{"block_x", {16, 32}, 32, "threads of a block along x, which have two cells each"},
                        {"block_y", {4, 8, 16, 32}, 8, "threads of a block along y"},
                        {"rows", {1, 2, 4, 8}, 4, "rows of a tile that a thread has cells in"}}};
  add_sweeps(space, {1, 2, 4, 8});
  space.require([](const Config& c) -> std::string {
    const Tiling tiling(c);
    if (tiling.threads.x * tiling.threads.y > 1024) return "a block has at most 1024 threads";
    if (tiling.rows > 16) return "rows: at most 16";
    if (tiling.own.x > 0 && tiling.own.y > 0) return "";
    return "tiles overlap by 4 depth cells, and are 2 block_x wide and block_y rows high: nothing is left";
  });
  return space;
}

TuningSpace pass_space() {
  TuningSpace space = pipelined_space();
  space.require([](const Config& c) -> std::string {
    if (c.whole(sweeps_of_a_step) <= c.whole("depth")) return "";
    return "a pass makes at most depth sweeps";
  });
  return space;
}

std::string why_no_pass(const RedBlackPass& args) {
  if (const std::string reason = takes_rows(args.sweep); !reason.empty()) return reason;
  if (!args.to.rows_are_aligned()) return "the rows that it writes are not aligned";
  if (args.leg == CycleLeg::none) return "";
  if (!args.sweep.fields.a.constant) return "shares between grids would come from the coefficients";
  return args.coarse.rows_are_aligned() ? "" : "rows of the coarse grid are not aligned";
}

}  // namespace

Methods<RedBlackPass> red_black_passes_cuda() {
  return {{.name = "pipelined",
           .space = pass_space(),
           .prepare = prepare_cuda<pass>,
           .unsupported = why_no_pass,
           .config_cost = cost_of_pass,
           .steps = sweeps_of_a_step}};
}

Methods<RedBlackArgs> red_black_one_pass_cuda() {
  return {{.name = "streamed",
           .space = streamed_space(),
           .prepare = prepare_cuda<streamed>,
           .unsupported = streamable,
           .cost = red_black_fused_cost,
           .preferred = prefers_streamed},
          {.name = "pipelined",
           .space = pipelined_space(),
           .prepare = prepare_cuda<pipelined>,
           .unsupported = takes_rows,
           .config_cost = cost_of_launches,
           .preferred = prefers_streamed,
           .steps = sweeps_of_a_step},
          {.name = "tiled",
           .space = tiled_space(),
           .prepare = prepare_cuda<tiled>,
           .unsupported = takes_rows,
           .config_cost = cost_of_launches,
           .steps = sweeps_of_a_step}};
}

}  // namespace cfdmark

// Methods that update both colours in one pass over memory, for one iteration or several.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/device/cuda/primitives/copy_with_ghosts.hpp"
#include "kernels/device/cuda/runtime/cuda_limits.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {

TuningSpace strip_space(std::vector<Value> row_blocks, int usual_row_blocks) {
  return {{{"cells", {2, 4}, 2, "cells of a row per lane, half of them red"},
           {"warps", {1, 2, 4, 8}, 4, "warps per block, side by side"},
           {"row_blocks", std::move(row_blocks), usual_row_blocks, "number of parts of the rows"}},
          [](const Config& c) -> std::string {
            const int cells = c.integer("cells");
            if (cells != 2 && cells != 4 && cells != 8) return "cells must be 2, 4 or 8";
            return c.integer("warps") <= 32 ? "" : "warps must be at most 32";
          }};
}

std::vector<int> sweeps_of_launches(int sweeps, int depth) {
  const int there_and_back = 2 * depth;
  const int launches = 2 * ((sweeps + there_and_back - 1) / there_and_back);
  std::vector<int> each;
  for (int n = 0; n < launches; ++n) each.push_back(sweeps / launches + (n < sweeps % launches));
  return each;
}
std::vector<int> sweeps_of_launches(const Config& config) {
  return sweeps_of_launches(config.integer(sweeps_of_a_step), config.integer("depth"));
}
void add_sweeps(TuningSpace& space, std::vector<Value> depths, int usual_depth) {
  space.settings.push_back({"depth", std::move(depths), usual_depth, "maximum of sweeps per launch"});
  space.settings.push_back({sweeps_of_a_step, {}, 16, "sweeps per run"});
}

namespace {

constexpr const char* streamed_source = "kernels/red_black_sor/red_black_streamed.cu";
constexpr const char* tiled_source = "kernels/red_black_sor/red_black_tiled.cu";

// Returns the number of parts of the rows that fills every multiprocessor once: 20 warps in fp64, 40 in fp32.
// More parts would run in a second wave.
int parts_at_once(Precision p, int warps_beside) {
  const int warps = 160 / int(stored_bytes(arithmetic_of(p))) * cuda_limits().multiprocessors;
  return std::clamp(warps / warps_beside, 16, 160);
}

// Returns a plan with one pass from one array to another, which then swap roles.
template <class K>
Plan streamed(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const int cells = config.integer("cells"), warps = config.integer("warps");
  const int strips = (args.grid().nx + 30 * cells - 1) / (30 * cells), beside = (strips + warps - 1) / warps;
  const int parts = config.is("row_blocks", fit) ? parts_at_once(args.precision, beside * warps)
                                                 : config.integer("row_blocks");
  const int rows = even((args.grid().ny + parts - 1) / parts);
  const Extent blocks = {beside, (args.grid().ny + rows - 1) / rows};
  // With coefficient arrays a run-time row count would spill a register.
  const int compiled_rows = args.fields.a.constant ? 0 : rows;
  const Field other(backend, args.grid(), args.precision);
  return with_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto from = std::make_shared<View<S>>(), to = std::make_shared<View<S>>();
        const View<S> u = args.fields.u.template as<S>(), scratch = other.view().as<S>();
        const auto b = source_of<S>(args);
        const DeviceFunction sweep{streamed_source, instance<S, C, A, std::decay_t<decltype(b)>>(
                                                        "red_black_streamed", {cells, warps, compiled_rows})};
        return Plan{
            .run = {Launch{sweep, blocks, {32, warps}, Arguments(a, from, b, to, C(args.kernel.omega), rows)},
                    HostCall{[=](const CudaQueue&) { std::swap(*from, *to); }}},
            .load = {HostCall{[=](const CudaQueue&) { *from = u, *to = scratch; }},
                     copy_with_ghosts<S>(args.grid(), u, scratch)},
            .store = {copy_with_ghosts<S>(args.grid(), from, u)},
            .memory = {other.buffer()}};
      });
}

template <class K>
bool has_constants(const CellArgs<K>& args) {
  return args.fields.a.constant;
}

template <class K>
std::string streamable(const CellArgs<K>& args) {
  if (args.grid().parity) return "it requires a grid that begins with a red cell";
  return takes_rows(args);
}

TuningSpace streamed_space() {
  TuningSpace space = strip_space({fit, 16, 32, 64, 128, 256}, 64);
  Setting& row_blocks = space.settings.back();
  row_blocks.words = {fit}, row_blocks.default_value = fit;
  row_blocks.help += "; fit: fills the device once";
  return space;
}

// Tile dimensions of a config; see red_black_tiled.cu.
struct Tiling {
  explicit Tiling(const Config& c)
      : threads{c.integer("block_x"), c.integer("block_y")},
        rows(c.integer("rows")),
        depth(c.integer("depth")),
        own{2 * threads.x - 4 * depth, threads.y * rows - 4 * depth} {}
  Extent threads;
  int rows, depth;
  Extent own;  // cells of a tile without overlapping layers
};

template <class K>
Plan tiled(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const Tiling tiling(config);
  const Extent blocks = blocks_over(args.grid(), tiling.own);
  const Field other(backend, args.grid(), args.precision);
  return with_level_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto b = source_of<S>(args);
        const DeviceFunction function{
            tiled_source,
            instance<S, C, A, std::decay_t<decltype(b)>>(
                "red_black_tiled", {tiling.threads.x, tiling.threads.y, tiling.rows, tiling.depth})};
        const AnyView views[2] = {args.fields.u, other.view()};
        Plan plan{.memory = {other.buffer()}};
        for (const int sweeps : sweeps_of_launches(config)) {
          const int n = int(plan.run.size());
          const AnyView &from = views[n % 2], &to = views[1 - n % 2];
          Launch launch{function, blocks, tiling.threads,
                        Arguments(a, args.fields.u.template as<const S>(), from.as<const S>(), b, to.as<S>(),
                                  C(args.kernel.omega), colours_of(args).front(), sweeps)};
          launch.shared_bytes = 2 * tiling.threads.x * tiling.threads.y * tiling.rows * int(sizeof(S));
          plan.run.push_back(launch);
        }
        return plan;
      });
}

TuningSpace tiled_space() {
  TuningSpace space = {{{"block_x", {16, 32}, 32, "threads of a block along x, with two cells each"},
                        {"block_y", {4, 8, 16, 32}, 8, "threads of a block along y"},
                        {"rows", {1, 2, 4, 8}, 4, "rows of a tile per thread"}}};
  add_sweeps(space, {1, 2, 4, 8});
  space.require([](const Config& c) -> std::string {
    const Tiling tiling(c);
    if (tiling.threads.x * tiling.threads.y > 1024) return "a block has at most 1024 threads";
    if (tiling.rows > 16) return "rows must be at most 16";
    if (tiling.own.x > 0 && tiling.own.y > 0) return "";
    return "tiles of 2 block_x by block_y rows cells overlap by 4 depth and have no cells of their own: "
           "reduce depth";
  });
  return space;
}

}  // namespace

// In fp64, updating colours in place is faster where three fields exceed the cache and two fit.
template <class K>
bool prefers_streamed(const CellArgs<K>& args) {
  if (!std::is_same_v<K, RedBlackSor> || args.precision != Precision::fp64) return has_constants<K>(args);
  const double field = 8.0 * double(args.grid().cells()), cache = cuda_limits().cache_bytes;
  return has_constants<K>(args) && (3 * field < 0.8 * cache || 2 * field > cache);
}

template <class K>
Methods<CellArgs<K>> one_pass_methods() {
  return {{.name = "streamed",
           .space = streamed_space(),
           .prepare = prepare_cuda<streamed<K>>,
           .unsupported = streamable<K>,
           .cost = red_black_fused_cost<K>,
           .preferred = prefers_streamed<K>},
          staged_method<K>(),
          pipelined_method<K>(),
          wavefront_method<K>(),
          {.name = "tiled",
           .space = tiled_space(),
           .prepare = prepare_cuda<tiled<K>>,
           .unsupported = takes_rows<K>,
           .config_cost = cost_of_launches<K>,
           .steps = sweeps_of_a_step},
          persistent_method<K>(),
          persistent_arrays_method<K>()};
}
template Methods<CellArgs<RedBlackSor>> one_pass_methods();
template Methods<CellArgs<RedBlackLaplace>> one_pass_methods();

}  // namespace cfdmark

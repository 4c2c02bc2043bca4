// Several sweeps of a 3-D grid in one pass, plane by plane.
#include <utility>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"

namespace cfdmark {
namespace {

// How a config's columns lie on a grid: see red_black_planes.cu.
struct Columns {
  int rows, depth, pairs, planes;
  Extent blocks;
  Columns(const Grid& g, const Config& c)
      : rows(c.whole("rows")),
        depth(c.whole("depth")),
        pairs(c.whole("pairs")),
        planes((g.nz + c.whole("plane_blocks") - 1) / c.whole("plane_blocks")) {
    const auto parts = [](int cells, int own) { return (cells + own - 1) / own; };
    blocks = {parts(g.nx + 1 + 2 * pairs, own_columns()), parts(g.ny + 2, own_rows()), parts(g.nz, planes)};
  }
  int own_columns() const { return 2 * pairs * (32 - 2 * ((depth + pairs - 1) / pairs)); }
  int own_rows() const { return rows - 4 * depth; }
  // Of a block: a plane that arrives and those that are relaxed, or the whole window (Column::shown).
  int shared_bytes(std::size_t value) const {
    const int window = 2 * depth + 4, used = 2 * depth + 1;
    return int((window % used == 0 ? used : window) * 64 * pairs * rows * value);
  }
};

template <class K>
Plan planes(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const Columns columns(args.grid(), config);
  const Field other(backend, args.grid(), args.precision);
  return with_level_operator(
      args.precision, args.fields.a, args.grid(), [&]<class S, class C, int dims, class A>(const A& a) {
        const auto b = source_of<S>(args);
        const DeviceFunction function{"kernels/red_black_sor/red_black_planes.cu",
                                      instance<S, C, A, std::decay_t<decltype(b)>>(
                                          "red_black_planes", {columns.rows, columns.depth, columns.pairs})};
        Plan plan{.memory = {other.buffer()}};
        View<S> from = args.fields.u.template as<S>(), to = other.view().as<S>();
        for (const int sweeps : sweeps_of_launches(config)) {
          const int ghosts = plan.run.size() % 2 == 0;  // u has them
          Launch launch{function,
                        columns.blocks,
                        {32, columns.rows},
                        Arguments(a, from, b, to, C(args.kernel.omega), sweeps, colours_of(args).front(),
                                  columns.planes, ghosts)};
          launch.shared_bytes = columns.shared_bytes(sizeof(S));
          plan.run.push_back(launch);
          std::swap(from, to);
        }
        return plan;
      });
}

template <class K>
std::string takes_planes(const CellArgs<K>& args) {
  if (!args.grid().is_3d()) return "it takes planes of a 3-D grid";
  if (!args.fields.a.constant)
    return "coefficient arrays move so much more that it has no registers for them";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}

// Enough columns for all multiprocessors.
template <class K>
bool prefers_planes(const CellArgs<K>& args) {
  return args.grid().cells() >= 128 * 128 * 128;
}

TuningSpace planes_space() {
  TuningSpace space = {{{"rows", {8, 16, 24, 32}, 16, "of a block, of 32 lanes each"},
                        {"pairs", {1, 2}, 1, "of neighbouring cells that a lane has of a plane"},
                        {"plane_blocks", {1, 2, 4, 8, 16}, 4, "parts that the planes are cut into"}}};
  add_sweeps(space, {1, 2}, 1);
  space.require([](const Config& c) -> std::string {
    const int rows = c.whole("rows"), depth = c.whole("depth"), pairs = c.whole("pairs");
    if (pairs != 1 && pairs != 2) return "pairs: 1 or 2 of a lane";
    if (rows > 32) return "rows: a block has at most 1024 threads";
    if (rows <= 4 * depth) return "columns overlap by 4 depth rows: nothing is left";
    return rows * depth * pairs <= 48 ? ""
                                      : "rows * depth * pairs: at most 48, for shared memory and registers";
  });
  return space;
}

}  // namespace

template <class K>
Method<CellArgs<K>> planes_method() {
  return {.name = "planes",
          .space = planes_space(),
          .prepare = prepare_cuda<planes<K>>,
          .unsupported = takes_planes<K>,
          .config_cost = cost_of_launches<K>,
          .preferred = prefers_planes<K>,
          .steps = sweeps_of_a_step};
}
template Method<CellArgs<RedBlackSor>> planes_method();
template Method<CellArgs<RedBlackLaplace>> planes_method();

}  // namespace cfdmark

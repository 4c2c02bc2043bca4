// Several iterations of a 3-D grid in one pass, plane by plane.
#include <utility>

#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/device/cuda/runtime/cuda_limits.hpp"
#include "kernels/red_black_sor/red_black_one_pass.hpp"
#include "kernels/red_black_sor/red_black_planes.hpp"

namespace cfdmark {
namespace {

PlaneColumn column_of(const Config& c) {
  return {c.integer("rows"), c.integer("lane_rows"), c.integer("depth")};
}

template <class K>
Plan planes(Backend& backend, const CellArgs<K>& args, const Config& config) {
  const PlaneColumn column = column_of(config);
  const Grid g = args.grid();
  const int parts = config.integer("plane_blocks"), planes = (g.nz + parts - 1) / parts;
  const Field other(backend, g, args.precision);
  return with_level_operator(
      args.precision, args.fields.a, g, [&]<class S, class C, int dims, class A>(const A& a) {
        const auto b = source_of<S>(args);
        using B = std::decay_t<decltype(b)>;
        const DeviceFunction function{
            "kernels/red_black_sor/red_black_planes.cu",
            instance<S, C, A, B>("red_black_planes", {column.rows, column.lane_rows, column.depth,
                                                      config.integer("min_blocks_per_sm")})};
        const AnyView views[2] = {args.fields.u, other.view()};
        Plan plan{.memory = {other.buffer()}};
        for (const int sweeps : sweeps_of_launches(config)) {
          const int n = int(plan.run.size()), ghosts = n == 0;  // u has them; `other` from then on
          Launch launch{function,
                        {column.columns_in_x(g.nx, int(sizeof(S))), column.columns_in_y(g.ny),
                         (g.nz + planes - 1) / planes},
                        {32, column.warps()},
                        Arguments(a, views[n % 2].as<const S>(), b, views[1 - n % 2].as<S>(),
                                  C(args.kernel.omega), sweeps, colours_of(args).front(), planes, ghosts)};
          launch.shared_bytes = column.shared_bytes(has_source<B>);
          plan.run.push_back(launch);
        }
        return plan;
      });
}

template <class K>
std::string takes_planes(const CellArgs<K>& args) {
  if (!args.grid().is_3d()) return "it requires a 3-D grid";
  if (!args.fields.a.constant) return "it requires constant coefficients: arrays do not fit in registers";
  if (const std::string reason = unaligned(args); !reason.empty()) return reason;
  return only_red_black(args);
}

// The default block fits in the shared memory of an A100. Two rows per lane and 32 per block are faster on an
// H200.
TuningSpace planes_space() {
  TuningSpace space = {
      {{"rows", {8, 16, 24, 32}, 24, "rows of a block, of 32 lanes each"},
       {"lane_rows", {1, 2}, 1, "adjacent rows per lane"},
       {"min_blocks_per_sm",
        {1, 2, 3},
        1,
        "minimum of resident blocks per multiprocessor; more leave fewer registers per thread"},
       {"plane_blocks", {1, 2, 3, 4, 6, 8, 16}, 6, "number of parts of the planes"}}};
  add_sweeps(space, {1, 2}, 2);
  space.require([](const Config& c) -> std::string {
    const PlaneColumn column = column_of(c);
    if (column.warps() > 32) return "rows / lane_rows exceeds 32: a block has at most 1024 threads";
    if (column.rows % column.lane_rows != 0) return "rows must be a multiple of lane_rows";
    if (column.own_rows() <= 0)
      return "columns overlap by 4 depth rows and have no rows of their own: reduce depth";
    const int resident = c.integer("min_blocks_per_sm");
    if (resident * column.shared_bytes(true) > 227 * 1024)
      return "resident blocks need more than 227 KiB of shared memory per multiprocessor: reduce rows or "
             "min_blocks_per_sm";
    const int registers = 65536 / (32 * column.warps() * resident),
              held = 8 * (column.halves() + 2) * column.lane_rows + 32;
    return held <= registers
               ? ""
               : "a thread needs about " + std::to_string(held) + " registers: a multiprocessor has 65536";
  });
  return space;
}

// True for grids with enough columns for all multiprocessors, if a block fits.
template <class K>
bool prefers_planes(const CellArgs<K>& args) {
  return args.grid().cells() >= 128 * 128 * 128 &&
         column_of(planes_space().defaults()).shared_bytes(true) <= cuda_limits().shared_bytes;
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

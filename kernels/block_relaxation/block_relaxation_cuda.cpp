#include <cmath>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/cells/cell.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/block_relaxation/block_relaxation.cu";

int blocks_of(Index items, int a_block) { return int((items + a_block - 1) / a_block); }

// Returns a plan with one launch per front and `points` points per block. `numbers`: template arguments after
// the layout.
Plan fronts(const BlockArgs& args, const char* function, int points, Extent threads,
            std::vector<int> numbers) {
  return with_layout(args.layout, [&]<BlockLayout layout>() {
    return with_form(args, [&]<class S, class C, class X>(const auto& form) {
      using Form = std::decay_t<decltype(form)>;
      numbers.insert(numbers.begin(), int(layout));
      Plan plan;
      for (const BlockFront& front : args.fronts())
        plan.run.emplace_back(
            Launch{{source, instance<Form, S, C, X>(function, numbers)},
                   {blocks_of(front.points(), points)},
                   threads,
                   Arguments(front, form, block_matrices<layout, const S>(args.grid, args.matrices),
                             block_vectors<S, X>(args, front))});
      return plan;
    });
  });
}

Step prepared(Backend& backend, Plan plan) {
  return static_cast<CudaBackend&>(backend).prepare(std::move(plan));
}
Step by_points(Backend& backend, const BlockArgs& args, const Config& config) {
  const int threads = config.integer("points");
  return prepared(backend, fronts(args, "sweep_block_points", threads, {threads}, {threads}));
}
Step by_rows(Backend& backend, const BlockArgs& args, const Config& config) {
  const int points = config.integer("points");
  return prepared(backend, fronts(args, "sweep_block_rows", points, {points, block_rows}, {points}));
}
Step by_sixteen(Backend& backend, const BlockArgs& args, const Config& config) {
  const int points = config.integer("points");
  return prepared(backend, fronts(args, "sweep_block_sixteen", points, {16, points}, {points}));
}
Step by_warps(Backend& backend, const BlockArgs& args, const Config& config) {
  constexpr int warps = 4;
  const int points = config.integer("points");
  return prepared(backend, fronts(args, "sweep_block_warps", warps * points, {32, warps}, {points, warps}));
}

TuningSpace points_space(std::vector<Value> values, int default_value,
                         const char* help = "points per block of threads") {
  return {{{"points", std::move(values), default_value, help}}};
}

// In SSOR few points are active at once, so the more threads per point, the better.
bool prefers_warps(const BlockArgs& args) {
  if (args.sweep == BlockSweep::revised_ssor) return true;
  constexpr Index most_points = 1'000'000;  // from here on a front of SSOR has enough points for `rows`
  return args.sweep == BlockSweep::ssor && args.precision == Precision::fp64 &&
         args.grid.cells() <= most_points;
}
// `rows` reads the same matrices as `plain` with five threads per point, which fills the device on small
// grids too.
bool prefers_rows(const BlockArgs& args) {
  return args.sweep != BlockSweep::residual && args.sweep != BlockSweep::second_order_residual &&
         !prefers_warps(args);
}

Method<BlockArgs> preferred(bool (*where)(const BlockArgs&), Method<BlockArgs> method) {
  method.preferred = where;
  return method;
}

}  // namespace

Methods<BlockArgs> block_cuda(BlockSweep) {
  using enum BlockLayout;
  const TuningSpace of_a_warp =
      points_space({1, 3, 6}, 1, "points whose matrices a warp loads before its lanes sum");
  return {block_method<by_points>("plain", points_space({64, 128, 256}, 128), {soa_block, soa, aos25, aos32}),
          preferred(prefers_rows,
                    block_method<by_rows>("rows", points_space({32, 64, 96}, 32), {soa_block, soa})),
          block_method<by_sixteen>("sixteen", points_space({4, 8, 16}, 8), {aos32, aos25}),
          preferred(prefers_warps, block_method<by_warps>("warp", of_a_warp, {aos25, aos32}))};
}

Step block_copy_cuda(Backend& backend, const BlockCopy& copy) {
  constexpr int threads = 256, points = 32;  // of a block
  const Grid& g = copy.grid;
  return with_types(copy.precision, [&]<class S, class C>() {
    return with_layout(copy.layout, [&]<BlockLayout layout>() {
      return prepared(
          backend, {.run = {Launch{{source, instance<S>("copy_blocks", {int(layout), threads})},
                                   {blocks_of(g.cells(), points)},
                                   {threads},
                                   Arguments(block_matrices<BlockLayout::aos25, const S>(g, copy.from),
                                             block_matrices<layout, S>(g, copy.to), Cells{g.nx, g.ny, g.nz},
                                             S(std::nan("")))}}});
    });
  });
}

}  // namespace cfdmark

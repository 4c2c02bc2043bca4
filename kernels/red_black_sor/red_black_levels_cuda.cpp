// V-cycles over small grids in one block.
#include <fmt/format.h>

#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/red_black_sor/red_black_levels.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {
namespace {

template <class C, class S, class A>
A typed(const Operator& a, const Grid& g) {
  if constexpr (std::is_same_v<A, EdgedStencil<C>>)
    return a.as_edged<C>(g);
  else
    return a.as_arrays<S, C>();
}

template <class S, class C, class A>
Plan in_one_block(const SmallCycle& cycle, int threads) {
  LevelsOfCycle<S, A> levels = {};
  levels.count = int(cycle.levels.size());
  for (int n = 0; n < levels.count; ++n) {
    const SmallCycle::Level& from = cycle.levels[n];
    levels.level[n] = {typed<C, S, A>(from.a, from.u.grid), from.u.as<S>(), from.b.as<S>(), from.r.as<S>(),
                       from.by};
  }
  const int dims = cycle.levels.front().u.grid.is_3d() ? 3 : 2;
  return {.run = {Launch{{"kernels/red_black_sor/red_black_levels.cu",
                          instance<S, C, A>("red_black_levels", {dims, threads})},
                         {1},
                         {threads},
                         Arguments(levels, C(cycle.omega), cycle.nu1, cycle.nu2, cycle.coarsest_sweeps,
                                   cycle.symmetric ? 1 : 0)}}};
}

// An operator that is constant on one level is so on all. Edged instances serve the others too.
Plan levels(Backend&, const SmallCycle& cycle, const Config& config) {
  return with_types(cycle.precision, [&]<class S, class C>() {
    const int threads = config.integer("threads");
    return cycle.levels.front().a.constant ? in_one_block<S, C, EdgedStencil<C>>(cycle, threads)
                                           : in_one_block<S, C, StencilArrays<S, C>>(cycle, threads);
  });
}

std::string too_many(const SmallCycle& cycle) {
  if (cycle.levels.size() <= most_levels_in_a_block) return "";
  return fmt::format("one block processes at most {} levels", most_levels_in_a_block);
}

}  // namespace

Methods<SmallCycle> red_black_small_cycles_cuda() {
  return {{.name = "block",
           .space = {{{"threads", {256, 512, 1024}, 512, "threads of the block"}}},
           .prepare = prepare_cuda<levels>,
           .unsupported = too_many}};
}

}  // namespace cfdmark

// Arguments and shared parts of the methods of block_relaxation.hpp.
#pragma once

#include <functional>
#include <vector>

#include "kernels/block_relaxation/block_relaxation.hpp"
#include "kernels/cells/timed_problem.hpp"

namespace cfdmark {

// Returns true for a sweep that computes a residual and relaxes nothing.
constexpr bool is_residual(BlockSweep sweep) {
  return sweep == BlockSweep::residual || sweep == BlockSweep::second_order_residual;
}

struct BlockArgs {
  Precision precision = Precision::fp64;  // of the matrices and of the written field
  Grid grid;                              // one cell per point
  BlockSweep sweep = BlockSweep::jacobi;
  AnyView matrices = {};
  BlockLayout layout = BlockLayout::aos25;  // layout of `matrices`
  // For residuals in mixed precision, b and old may be stored in 64 bits.
  AnyView b = {}, old = {}, next = {};
  double w = 1;
  bool backward = false;

  std::vector<BlockFront> fronts() const;    // in the order in which they are processed
  int from_next(const BlockFront& f) const;  // BlockVectors::from_next
};

// Component c of point (i, j, k) is at (i, j, k + c * block_component_planes(..)).
inline int block_component_planes(const Grid& points, int halo = 1) { return points.nz + 2 * halo; }

// Functions that decide how an iteration runs are in headers, because fingerprints of tuned configs cover
// headers (cmake/source_hashes.cmake).
inline std::vector<BlockFront> BlockArgs::fronts() const {
  const int count = sweep == BlockSweep::ssor           ? grid.ny + grid.nz - 1
                    : sweep == BlockSweep::revised_ssor ? grid.nx + grid.ny - 1
                    : sweep == BlockSweep::red_black    ? 2
                                                        : 1;
  std::vector<BlockFront> all;
  for (int n = 0; n < count; ++n)
    all.push_back({sweep, backward ? count - 1 - n : n, grid.nx, grid.ny, grid.nz});
  return all;
}

inline int BlockArgs::from_next(const BlockFront& front) const {
  switch (sweep) {
    case BlockSweep::ssor: return backward ? 0b101000 : 0b010100;
    case BlockSweep::revised_ssor: return backward ? 0b001010 : 0b000101;
    case BlockSweep::red_black: return (front.number == 1) != backward ? 0b111100 : 0;
    default: return 0;
  }
}

// Return the grids of a system's fields, for `g` points.
inline Grid block_matrices_grid(const Grid& g, BlockLayout layout) {
  const int points = int(g.cells());
  switch (layout) {
    case BlockLayout::aos25: return {block_entries * g.nx, g.ny, g.nz, 3, 0};
    case BlockLayout::soa: return {g.nx, g.ny, block_entries * g.nz, 3, 0};
    case BlockLayout::aos32: return {32 * block_directions, points, 1, 3, 0};
    case BlockLayout::soa_block:
    case BlockLayout::soa_8: break;
  }
  constexpr int a_row = 32;  // whole tiles in rows without padding
  return {block_entries * a_row, (points + a_row - 1) / a_row, 1, 3, 0};
}

inline Grid block_vector_grid(const Grid& g, int halo = 1) {
  return {g.nx, g.ny, block_rows * block_component_planes(g, halo) - 2 * halo, 3, halo};
}

Setting block_layout_setting(std::vector<BlockLayout> that_suit);
BlockLayout block_layout_from(const std::string& word);

// A copy of the matrices from layout aos25, the host's, to another layout.
struct BlockCopy {
  Precision precision;
  Grid grid;
  AnyView from, to;
  BlockLayout layout;
};
// Returns a step that copies the matrices; padding of a matrix becomes NaN.
Step block_copy_step(Backend&, const BlockCopy&);

// One iteration. If the config's layout differs from that of the args, Step::load copies the matrices to it.
Cost block_cost(const BlockArgs&);
Methods<BlockArgs> block_methods(BackendKind, BlockSweep);
KernelDescription<BlockArgs> block_jacobi_kernel();
KernelDescription<BlockArgs> block_ssor_kernel();
KernelDescription<BlockArgs> block_revised_ssor_kernel();
KernelDescription<BlockArgs> block_red_black_kernel();

// The rest is for the files of this folder.
Methods<BlockArgs> block_serial(BlockSweep);
Methods<BlockArgs> block_openmp(BlockSweep);
Methods<BlockArgs> block_kokkos(BlockSweep);
Methods<BlockArgs> block_cuda(BlockSweep);

// A front as CPU cores process it.
struct BlockLines {
  BlockFront front;
  // Updates the independent points begin to end - 1 of a line.
  std::function<void(int begin, int end, int j, int k)> stretch;
  std::function<void(int k)> plane;  // for revised SSOR: updates a plane point by point
};
std::vector<BlockLines> block_lines(const BlockArgs&);
BlockLines relaxing_lines(const BlockArgs&, const BlockFront&);
BlockLines residual_lines(const BlockArgs&, const BlockFront&);
// Performs one iteration. rows(n, f) calls f for 0 .. n - 1 in any order.
template <class Rows>
void sweep_block_lines(const std::vector<BlockLines>& fronts, const Rows& rows) {
  if (fronts.front().plane)
    return rows(fronts.front().front.nz, [&](Index k) { fronts.front().plane(int(k)); });
  for (const BlockLines& lines : fronts)
    rows(lines.front.lines(), [&](Index n) {
      const BlockPoint p = lines.front.line(n);
      if (lines.front.holds(p)) lines.stretch(0, lines.front.nx, p.j, p.k);
    });
}
void copy_block_line(const BlockCopy&, int j, int k);
Step block_copy_openmp(const BlockCopy&);
Step block_copy_kokkos(const BlockCopy&);
Step block_copy_cuda(Backend&, const BlockCopy&);
std::string block_unsupported(const BlockArgs&);
Cost block_config_cost(const BlockArgs&, const Config&);

// Returns a method made from `sweep`, which processes matrices in the layout of its args.
template <Step (*sweep)(Backend&, const BlockArgs&, const Config&)>
Method<BlockArgs> block_method(const char* name, TuningSpace space, std::vector<BlockLayout> layouts) {
  space.settings.push_back(block_layout_setting(std::move(layouts)));
  return {.name = name,
          .space = std::move(space),
          .prepare =
              [](Backend& backend, const BlockArgs& given, const Config& config) {
                BlockArgs args = given;
                args.layout = block_layout_from(config.choice("layout"));
                if (args.layout == given.layout) return sweep(backend, args, config);
                const Field own(backend, block_matrices_grid(args.grid, args.layout), args.precision);
                args.matrices = own.view();
                Step step = sweep(backend, args, config);
                const Step copy = block_copy_step(
                    backend, {args.precision, args.grid, given.matrices, args.matrices, args.layout});
                step.load = [copy = copy.run, own] { copy(); };
                return step;
              },
          .unsupported = block_unsupported,
          .config_cost = block_config_cost};
}

template <BlockLayout layout, class S>
BlockMatrices<int(layout), S> block_matrices(const Grid& g, const AnyView& matrices) {
  return {
      static_cast<S*>(matrices.origin), g.nx, g.ny, matrices.pitch, matrices.plane, matrices.plane * g.nz};
}
template <class S, class X>
BlockVectors<S, X> block_vectors(const BlockArgs& a, const BlockFront& front) {
  const AnyView& v = a.old;
  return {static_cast<const X*>(a.b.origin),
          static_cast<const X*>(v.origin),
          static_cast<S*>(a.next.origin),
          v.pitch,
          v.plane,
          v.plane * block_component_planes(a.grid, v.grid.halo),
          a.from_next(front)};
}

// Calls f.template operator()<layout>().
template <class F>
decltype(auto) with_layout(BlockLayout layout, F&& f) {
  switch (layout) {
    case BlockLayout::aos25: return f.template operator()<BlockLayout::aos25>();
    case BlockLayout::aos32: return f.template operator()<BlockLayout::aos32>();
    case BlockLayout::soa: return f.template operator()<BlockLayout::soa>();
    case BlockLayout::soa_block: return f.template operator()<BlockLayout::soa_block>();
    case BlockLayout::soa_8: break;
  }
  return f.template operator()<BlockLayout::soa_8>();
}

// Calls f.template operator()<S, C, S>(form) for a relaxation.
template <class F>
decltype(auto) with_relaxing_form(const BlockArgs& args, F&& f) {
  return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
    return f.template operator()<S, C, S>(Relaxing<C>{C(args.w), C(1) - C(args.w)});
  });
}
// Calls f.template operator()<S, C, X>(form) for a residual. X: stored type of b and old.
template <class F>
decltype(auto) with_residual_form(const BlockArgs& args, F&& f) {
  return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
    const auto residual = [&]<class X>() -> decltype(auto) {
      if (args.sweep == BlockSweep::residual) return f.template operator()<S, C, X>(FirstOrderResidual<C>());
      return f.template operator()<S, C, X>(SecondOrderResidual<C>());
    };
    if constexpr (std::is_same_v<C, double>)
      if (args.old.storage == Precision::fp64) return residual.template operator()<double>();
    return residual.template operator()<S>();
  });
}
// Calls f.template operator()<S, C, X>(form) for either.
template <class F>
decltype(auto) with_form(const BlockArgs& args, F&& f) {
  if (is_residual(args.sweep)) return with_residual_form(args, f);
  return with_relaxing_form(args, f);
}

}  // namespace cfdmark

#include <algorithm>
#include <cmath>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

namespace cfdmark {
namespace {

template <BlockLayout layout, class Form, class S, class C, class X>
struct TypedLines {
  Form form;
  BlockMatrices<int(layout), const S> a;
  BlockVectors<S, X> v;

  void point(int i, int j, int k) const {
    sweep_block<C, block_rows>(form, a, a.at(i, j, k), v, v.at(i, j, k), 0);
  }
  void vectors(const S* first, int begin, int end, Index here) const {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (Index i = begin; i < end; ++i) sweep_block<C, block_rows>(form, a, first + i, v, here + i, 0);
  }
};

// Prefetches the cache lines 2 KiB ahead within the tiles. In fp32 the hardware prefetcher alone does not
// keep up.
template <class S>
void fetch_ahead(const S* first, int values) {
  constexpr int ahead = 2048 / sizeof(S), line = 64 / sizeof(S);
  if constexpr (sizeof(S) == 4)
    for (int n = 0; n < values; n += line) __builtin_prefetch(first + ahead + n);
}

// Updates a stretch of a line: several points at a time for arrays and within tiles. The functions take
// `lines` by value, so that no store can alias it, and are compiled once for all backends, because they
// compile slowly.
template <BlockLayout layout, class Form, class S, class C, class X>
[[gnu::flatten, gnu::noinline]] void sweep_stretch(const TypedLines<layout, Form, S, C, X> lines, int begin,
                                                   int end, int j, int k) {
  const auto& a = lines.a;
  if constexpr (layout == BlockLayout::soa) {
    lines.vectors(a.at(0, j, k), begin, end, lines.v.at(0, j, k));
  } else if constexpr (block_tile(layout) > 1) {
    for (int i = begin, next; i < end; i = next) {
      const Index number = (Index(k) * a.ny + j) * a.nx + i;
      next = std::min(end, i + a.tile - int(number % a.tile));
      const S* const first = a.at_number(number) - i;
      // Whole tiles run in a loop of known length.
      if (layout == BlockLayout::soa_8 && next - i == a.tile) {
        fetch_ahead(first + i, a.tile * block_entries);
        lines.vectors(first, i, i + a.tile, lines.v.at(0, j, k));
      } else {
        lines.vectors(first, i, next, lines.v.at(0, j, k));
      }
    }
  } else {
    for (int i = begin; i < end; ++i) lines.point(i, j, k);
  }
}
template <BlockLayout layout, class Form, class S, class C, class X>
[[gnu::flatten, gnu::noinline]] void sweep_plane(const TypedLines<layout, Form, S, C, X> lines, int k,
                                                 bool backward) {
  const int nx = lines.a.nx, ny = lines.a.ny;
  for (int m = 0; m < ny; ++m)
    for (int n = 0; n < nx; ++n) lines.point(backward ? nx - 1 - n : n, backward ? ny - 1 - m : m, k);
}

template <class Lines>
BlockLines untyped(const BlockFront& front, const Lines& lines, bool backward) {
  BlockLines untyped{front, {}, {}};
  if (front.sweep == BlockSweep::revised_ssor)
    untyped.plane = [=](int k) { sweep_plane(lines, k, backward); };
  else
    untyped.stretch = [=](int begin, int end, int j, int k) { sweep_stretch(lines, begin, end, j, k); };
  return untyped;
}

// Distribution of an iteration over threads: independent lines or planes; or one line after another, on one
// thread or with the points of each line distributed.
enum class Sharing { fronts, lines, points };

template <class Rows>
Step prepare(const BlockArgs& args, const Rows& rows, Sharing sharing) {
  const std::vector<BlockLines> fronts = block_lines(args);
  if (sharing == Sharing::fronts) return row_step(rows, [=] { sweep_block_lines(fronts, rows); });
  const int shares = sharing == Sharing::points ? threads_of(rows) : 1;
  return row_step(rows, [=, g = args.grid, backward = args.backward] {
    const Index count = rows_of(g);
    const RowIndex at(g);
    for (Index n = 0; n < count; ++n) {
      const Index line = backward ? count - 1 - n : n;
      rows(shares, [&](Index part) {
        fronts.front().stretch(int(g.nx * part / shares), int(g.nx * (part + 1) / shares), at.j(line),
                               at.k(line));
      });
    }
  });
}

const std::vector<BlockLayout> layouts{BlockLayout::aos25, BlockLayout::aos32, BlockLayout::soa,
                                       BlockLayout::soa_block, BlockLayout::soa_8};

Step on_one_core(Backend&, const BlockArgs& args, const Config&) {
  return prepare(args, SerialRows{}, args.sweep == BlockSweep::ssor ? Sharing::lines : Sharing::fronts);
}
template <Sharing sharing>
Step on_threads(Backend&, const BlockArgs& args, const Config& config) {
  return prepare(args, openmp_rows(config), sharing);
}

}  // namespace

std::vector<BlockLines> block_lines(const BlockArgs& args) {
  std::vector<BlockLines> fronts;
  for (const BlockFront& front : args.fronts()) {
    with_layout(args.layout, [&]<BlockLayout layout>() {
      with_form(args, [&]<class S, class C, class X>(const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        const TypedLines<layout, Form, S, C, X> lines{
            form, block_matrices<layout, const S>(args.grid, args.matrices),
            block_vectors<S, X>(args, front)};
        fronts.push_back(untyped(front, lines, args.backward));
      });
    });
    if (args.sweep == BlockSweep::revised_ssor) break;  // its planes contain all fronts
  }
  return fronts;
}

Methods<BlockArgs> block_serial(BlockSweep) { return {block_method<on_one_core>("plain", {}, layouts)}; }

// For SSOR, independent lines are on planes j + k; alternatively threads share each line, along which SSOR is
// Jacobi.
Methods<BlockArgs> block_openmp(BlockSweep sweep) {
  if (sweep != BlockSweep::ssor)
    return {block_method<on_threads<Sharing::fronts>>("plain", openmp_space(), layouts)};
  return {block_method<on_threads<Sharing::fronts>>("hyperplanes", openmp_space(), layouts),
          block_method<on_threads<Sharing::points>>("points", openmp_space(), layouts)};
}

void copy_block_line(const BlockCopy& copy, int j, int k) {
  with_layout(copy.layout, [&]<BlockLayout layout>() {
    with_types(storage_of(copy.precision), [&]<class S, class C>() {
      const auto from = block_matrices<BlockLayout::aos25, const S>(copy.grid, copy.from);
      const auto to = block_matrices<layout, S>(copy.grid, copy.to);
      for (int i = 0; i < copy.grid.nx; ++i) copy_block_point(from, to, S(std::nan("")), i, j, k);
    });
  });
}

// Used by serial too, since the copy is not timed.
Step block_copy_openmp(const BlockCopy& copy) {
  const OpenMPRows rows{openmp_max_threads()};
  return row_step(rows, [=] {
    rows(rows_of(copy.grid), [&](Index line) {
      const RowIndex at(copy.grid);
      copy_block_line(copy, at.j(line), at.k(line));
    });
  });
}

}  // namespace cfdmark

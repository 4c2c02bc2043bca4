#include <cmath>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/cells/kokkos/kokkos_cells.hpp"

namespace cfdmark {
namespace {

// Updates one point of a front on a device.
template <BlockLayout layout, class Form, class S, class C, class X>
struct FrontPoint {
  BlockFront front;
  Form form;
  BlockMatrices<int(layout), const S> a;
  BlockVectors<S, X> v;

  KOKKOS_INLINE_FUNCTION void operator()(Index n) const {
    const BlockPoint p = front.point(n);
    if (front.holds(p)) sweep_block<C, block_rows>(form, a, a.at(p.i, p.j, p.k), v, v.at(p.i, p.j, p.k), 0);
  }
};

template <BlockLayout layout, class S>
struct CopyPoint {
  Grid grid;
  BlockMatrices<int(BlockLayout::aos25), const S> from;
  BlockMatrices<int(layout), S> to;
  S padding;

  KOKKOS_INLINE_FUNCTION void operator()(Index n) const {
    const Index i = n % grid.nx, line = n / grid.nx, j = line % grid.ny, k = line / grid.ny;
    copy_block_point(from, to, padding, i, j, k);
  }
};

// On a host each thread takes whole lines or planes, as in openmp.
template <bool on_host>
Step sweeps(const BlockArgs& args) {
  if constexpr (on_host) {
    const auto shares = [](Index n, const auto& body) {
      Kokkos::parallel_for("block lines", kokkos_shares(n), body);
    };
    return kokkos_step("lines", [=, fronts = block_lines(args)] { sweep_block_lines(fronts, shares); });
  } else {
    return with_layout(args.layout, [&]<BlockLayout layout>() {
      return with_form(args, [&]<class S, class C, class X>(const auto& form) {
        using Point = FrontPoint<layout, std::decay_t<decltype(form)>, S, C, X>;
        std::vector<Point> fronts;
        for (const BlockFront& front : args.fronts())
          fronts.push_back({front, form, block_matrices<layout, const S>(args.grid, args.matrices),
                            block_vectors<S, X>(args, front)});
        return kokkos_step("points", [=] {
          for (const Point& front : fronts)
            Kokkos::parallel_for("block points", KokkosRange(0, front.front.points()), front);
        });
      });
    });
  }
}

template <bool on_host>
Step copies(const BlockCopy& copy) {
  if constexpr (on_host) {
    return kokkos_step("lines", [=] {
      Kokkos::parallel_for(
          "block layout", kokkos_shares(Index(copy.grid.ny) * copy.grid.nz),
          [=](Index line) { copy_block_line(copy, int(line % copy.grid.ny), int(line / copy.grid.ny)); });
    });
  } else {
    return with_layout(copy.layout, [&]<BlockLayout layout>() {
      return with_types(storage_of(copy.precision), [&]<class S, class C>() {
        const CopyPoint<layout, S> point{copy.grid,
                                         block_matrices<BlockLayout::aos25, const S>(copy.grid, copy.from),
                                         block_matrices<layout, S>(copy.grid, copy.to), S(std::nan(""))};
        return kokkos_step("points", [=] {
          Kokkos::parallel_for("block layout", KokkosRange(0, copy.grid.cells()), point);
        });
      });
    });
  }
}

Step prepare(Backend&, const BlockArgs& args, const Config&) { return sweeps<kokkos_on_host>(args); }

}  // namespace

Methods<BlockArgs> block_kokkos(BlockSweep) {
  using enum BlockLayout;
  std::vector<BlockLayout> layouts = {aos25, aos32, soa, soa_block, soa_8};
  if (!kokkos_on_host) std::swap(layouts[0], layouts[3]);
  return {block_method<prepare>("plain", {}, layouts)};
}

Step block_copy_kokkos(const BlockCopy& copy) { return copies<kokkos_on_host>(copy); }

}  // namespace cfdmark

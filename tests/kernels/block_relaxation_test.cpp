// Iterations over 5x5 blocks, compared with the equations written again with other indices.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A system whose padding is NaN and whose values outside the grid are 0.
struct BlockProblem {
  Grid g;
  Precision p = Precision::fp64;
  HostField matrices, b, x;

  BlockProblem(const Grid& grid, Precision precision = Precision::fp64)
      : g(grid),
        p(precision),
        matrices(HostField::unset(block_matrices_grid(grid, BlockLayout::aos25), precision)),
        b(block_vector_grid(grid), precision),
        x(block_vector_grid(grid), precision) {
    std::memset(matrices.data(), 0xff, matrices.bytes());
    each([&](int i, int j, int k) {
      for (int m = 0; m < 6; ++m)
        for (int r = 0; r < 5; ++r)
          for (int c = 0; c < 5; ++c)
            set_a(m, r, c, i, j, k, 0.4 * (noise(25 * m + 5 * r + c, i, j, unsigned(k)) - 1));
      for (int c = 0; c < 5; ++c) {
        set(b, c, i, j, k, noise(i, j, k, 10 + unsigned(c)));
        set(x, c, i, j, k, noise(i, j, k, 20 + unsigned(c)) - 1);
      }
    });
  }

  void each(const std::function<void(int, int, int)>& f) const { for_each_cell(g, false, f); }
  bool inside(int i, int j, int k) const {
    return i >= 0 && j >= 0 && k >= 0 && i < g.nx && j < g.ny && k < g.nz;
  }
  double a(int m, int r, int c, int i, int j, int k) const {
    return matrices.get(150 * i + 25 * m + 5 * r + c, j, k);
  }
  void set_a(int m, int r, int c, int i, int j, int k, double value) {
    matrices.set(150 * i + 25 * m + 5 * r + c, j, k, value);
  }
  double get(const HostField& f, int c, int i, int j, int k) const { return f.get(i, j, k + c * (g.nz + 2)); }
  void set(HostField& f, int c, int i, int j, int k, double value) const {
    f.set(i, j, k + c * (g.nz + 2), value);
  }

  // Returns the result of an iteration on x, with NaN where it writes nothing.
  HostField swept(BlockSweep sweep, double w, bool backward = false,
                  const std::string& layout = "aos25") const {
    HostField next = x;
    each([&](int i, int j, int k) {
      for (int c = 0; c < 5; ++c) set(next, c, i, j, k, std::numeric_limits<double>::quiet_NaN());
    });
    const BlockArgs args{.precision = p,
                         .grid = g,
                         .sweep = sweep,
                         .matrices = matrices.view(),
                         .b = b.view(),
                         .old = x.view(),
                         .next = next.view(),
                         .w = w,
                         .backward = backward};
    const Method<BlockArgs> method = block_methods(BackendKind::serial, sweep).front();
    const Step step =
        method.prepare(backend(BackendKind::serial), args, method.space.complete({{"layout", layout}}));
    if (step.load) step.load();
    step.run();
    return next;
  }
};

// Equations (3) to (5) of the iteration: is_new tells which neighbours are new; points in the order of
// visits.
using IsNew = std::function<bool(int m)>;
HostField by_hand(const BlockProblem& q, double w, bool backward, const IsNew& is_new) {
  HostField result = q.x;
  const auto visit = [&](int i, int j, int k) {
    for (int r = 0; r < 5; ++r) {
      long double sum = q.get(q.b, r, i, j, k);
      for (int m = 0; m < 6; ++m) {
        const int by = m % 2 ? 1 : -1, ni = i + (m / 2 == 0) * by, nj = j + (m / 2 == 1) * by,
                  nk = k + (m / 2 == 2) * by;
        if (!q.inside(ni, nj, nk)) continue;
        for (int c = 0; c < 5; ++c)
          sum -= (long double)q.a(m, r, c, i, j, k) * q.get(is_new(m) ? result : q.x, c, ni, nj, nk);
      }
      q.set(result, r, i, j, k, double((1 - w) * q.get(q.x, r, i, j, k) + w * sum));
    }
  };
  const Grid& g = q.g;
  for (int n = 0; n < g.cells(); ++n) {
    const int at = backward ? int(g.cells()) - 1 - n : n;
    visit(at % g.nx, at / g.nx % g.ny, at / (g.nx * g.ny));
  }
  return result;
}

double largest_difference(const BlockProblem& q, const HostField& one, const HostField& other) {
  double largest = 0;
  q.each([&](int i, int j, int k) {
    for (int c = 0; c < 5; ++c) {
      const double d = std::abs(q.get(one, c, i, j, k) - q.get(other, c, i, j, k));
      if (!(d <= largest)) largest = d;
    }
  });
  return largest;
}

// Returns the system with its points moved and the matrices of other directions.
template <class Place, class Direction>
BlockProblem moved(const BlockProblem& q, const Grid& grid, const Place& place, const Direction& direction) {
  BlockProblem to(grid, q.p);
  to.each([&](int i, int j, int k) {
    const auto [fi, fj, fk] = place(i, j, k);
    for (int r = 0; r < 5; ++r) {
      to.set(to.b, r, i, j, k, q.get(q.b, r, fi, fj, fk));
      to.set(to.x, r, i, j, k, q.get(q.x, r, fi, fj, fk));
      for (int m = 0; m < 6; ++m)
        for (int c = 0; c < 5; ++c) to.set_a(m, r, c, i, j, k, q.a(direction(m), r, c, fi, fj, fk));
    }
  });
  return to;
}

const std::string all_layouts[] = {"aos25", "aos32", "soa", "soa_block", "soa_8"};

}  // namespace

TEST_CASE(
    "one iteration over 5x5 blocks by hand on 2x2x2 and 3x2x4 points: each kernel, direction and layout",
    "[blocks]") {
  for (const Grid& g : {Grid{2, 2, 2}, Grid{3, 2, 4}}) {
    const BlockProblem q(g);
    const std::pair<BlockSweep, std::function<bool(int, bool)>> sweeps[] = {
        {BlockSweep::jacobi, [](int, bool) { return false; }},
        {BlockSweep::ssor, [](int m, bool back) { return back ? m == 3 || m == 5 : m == 2 || m == 4; }},
        {BlockSweep::revised_ssor,
         [](int m, bool back) { return back ? m == 1 || m == 3 : m == 0 || m == 2; }}};
    for (const auto& [sweep, is_new] : sweeps)
      for (bool backward : {false, true})
        for (const std::string& layout : all_layouts) {
          INFO(int(sweep) << " " << backward << " " << layout);
          const HostField expected = by_hand(q, 0.9, backward, [&](int m) { return is_new(m, backward); });
          CHECK(largest_difference(q, q.swept(sweep, 0.9, backward, layout), expected) < 1e-14);
        }
  }
}

TEST_CASE("lines of odd j + k use new values of lines of even j + k, and backward the reverse", "[blocks]") {
  const BlockProblem q(Grid{3, 4, 5});
  for (bool backward : {false, true}) {
    const HostField jacobi = by_hand(q, 0.9, false, [](int) { return false; });
    BlockProblem first = q;  // with new values of the first colour
    q.each([&](int i, int j, int k) {
      for (int c = 0; c < 5; ++c)
        if (((j + k) % 2 == 1) == backward) first.set(first.x, c, i, j, k, q.get(jacobi, c, i, j, k));
    });
    HostField expected = by_hand(first, 0.9, false, [](int) { return false; });
    q.each([&](int i, int j, int k) {
      for (int c = 0; c < 5; ++c)
        if (((j + k) % 2 == 1) == backward) q.set(expected, c, i, j, k, q.get(jacobi, c, i, j, k));
    });
    CHECK(largest_difference(q, q.swept(BlockSweep::red_black, 0.9, backward), expected) < 1e-14);
  }
}

TEST_CASE("without neighbours' blocks and with w = 1, one iteration returns the right-hand side",
          "[blocks]") {
  BlockProblem q(Grid{5, 4, 3});
  q.each([&](int i, int j, int k) {
    for (int m = 0; m < 6; ++m)
      for (int e = 0; e < 25; ++e) q.set_a(m, e / 5, e % 5, i, j, k, 0);
  });
  for (BlockSweep sweep :
       {BlockSweep::jacobi, BlockSweep::ssor, BlockSweep::revised_ssor, BlockSweep::red_black})
    CHECK(largest_difference(q, q.swept(sweep, 1), q.b) == 0);
}

TEST_CASE("blocks that are multiples of the identity act as five scalar seven-point iterations", "[blocks]") {
  BlockProblem q(Grid{6, 5, 4});
  const auto weight = [](int m, int i) { return -0.1 - 0.01 * m - 0.001 * i; };
  q.each([&](int i, int j, int k) {
    for (int m = 0; m < 6; ++m)
      for (int e = 0; e < 25; ++e) q.set_a(m, e / 5, e % 5, i, j, k, e % 6 == 0 ? weight(m, i) : 0);
  });
  for (bool gauss_seidel : {false, true}) {
    const HostField found = q.swept(gauss_seidel ? BlockSweep::ssor : BlockSweep::jacobi, 1);
    for (int c = 0; c < 5; ++c) {
      std::vector<double> u(std::size_t(q.g.cells())), old;
      const auto at = [&](int i, int j, int k) { return std::size_t((k * q.g.ny + j) * q.g.nx + i); };
      q.each([&](int i, int j, int k) { u[at(i, j, k)] = q.get(q.x, c, i, j, k); });
      old = u;
      q.each([&](int i, int j, int k) {
        const auto term = [&](int m, const std::vector<double>& from, int ni, int nj, int nk) {
          return q.inside(ni, nj, nk) ? weight(m, i) * from[at(ni, nj, nk)] : 0.0;
        };
        const std::vector<double>& before = gauss_seidel ? u : old;
        u[at(i, j, k)] = q.get(q.b, c, i, j, k) - term(0, old, i - 1, j, k) - term(1, old, i + 1, j, k) -
                         term(2, before, i, j - 1, k) - term(3, old, i, j + 1, k) -
                         term(4, before, i, j, k - 1) - term(5, old, i, j, k + 1);
      });
      q.each([&](int i, int j, int k) {
        CHECK(q.get(found, c, i, j, k) == Approx(u[at(i, j, k)]).epsilon(0).margin(1e-14));
      });
    }
  }
}

TEST_CASE("SSOR of one line, and revised SSOR of one column, are Jacobi bit by bit", "[blocks]") {
  const BlockProblem line(Grid{37, 1, 1, 3}), column(Grid{1, 1, 37, 3});
  for (bool backward : {false, true}) {
    CHECK(largest_difference(line, line.swept(BlockSweep::ssor, 0.9, backward),
                             line.swept(BlockSweep::jacobi, 0.9)) == 0);
    CHECK(largest_difference(column, column.swept(BlockSweep::revised_ssor, 0.9, backward),
                             column.swept(BlockSweep::jacobi, 0.9)) == 0);
  }
  // They differ where a new neighbour exists.
  CHECK(largest_difference(column, column.swept(BlockSweep::ssor, 0.9),
                           column.swept(BlockSweep::jacobi, 0.9)) > 1e-3);
}

TEST_CASE("exchanging i and k exchanges SSOR and revised SSOR", "[blocks]") {
  const BlockProblem q(Grid{5, 4, 3});
  const auto exchanged = moved(
      q, Grid{3, 4, 5},
      [](int i, int j, int k) {
        return std::array{k, j, i};
      },
      [](int m) { return m < 2   ? m + 4
                         : m > 3 ? m - 4
                                 : m; });
  for (bool backward : {false, true}) {
    const HostField one = q.swept(BlockSweep::ssor, 0.9, backward),
                    other = exchanged.swept(BlockSweep::revised_ssor, 0.9, backward);
    double largest = 0;
    q.each([&](int i, int j, int k) {
      for (int c = 0; c < 5; ++c)
        largest = std::max(largest, std::abs(q.get(one, c, i, j, k) - exchanged.get(other, c, k, j, i)));
    });
    CHECK(largest < 1e-14);
  }
}

TEST_CASE("reflection in j and k, with + and - exchanged, exchanges forward and backward iterations",
          "[blocks]") {
  const BlockProblem q(Grid{5, 4, 3});
  const auto mirrored = moved(
      q, q.g,
      [&](int i, int j, int k) {
        return std::array{i, q.g.ny - 1 - j, q.g.nz - 1 - k};
      },
      [](int m) { return m < 2 ? m : m ^ 1; });
  const HostField forward = q.swept(BlockSweep::ssor, 0.9, false),
                  backward = mirrored.swept(BlockSweep::ssor, 0.9, true);
  double largest = 0;
  q.each([&](int i, int j, int k) {
    for (int c = 0; c < 5; ++c)
      largest = std::max(largest, std::abs(q.get(forward, c, i, j, k) -
                                           mirrored.get(backward, c, i, q.g.ny - 1 - j, q.g.nz - 1 - k)));
  });
  CHECK(largest < 1e-14);
}

TEST_CASE("one iteration in fp32 agrees with fp64 to 5e-6", "[blocks]") {
  const Grid g{24, 10, 16};
  const BlockProblem in_64(g), in_32(g, Precision::fp32), mixed(g, Precision::mixed);
  const double size = 1.5;  // magnitude of x and b
  for (BlockSweep sweep : {BlockSweep::jacobi, BlockSweep::ssor, BlockSweep::revised_ssor}) {
    const HostField right = in_64.swept(sweep, 0.9);
    const double off = largest_difference(in_64, in_32.swept(sweep, 0.9), right);
    CHECK(off < 5e-6 * size);
    CHECK(off > 0);
    CHECK(largest_difference(in_64, mixed.swept(sweep, 0.9), right) < 5e-6 * size);
  }
}

TEST_CASE("a block iteration moves 150 matrix values per point and 15 others, with padded matrices 192",
          "[blocks]") {
  const BlockProblem q(Grid{24, 10, 16}, Precision::fp32);
  const BlockArgs args{.precision = q.p, .grid = q.g, .b = q.b.view(), .old = q.x.view(), .next = q.x.view()};
  const Method<BlockArgs> method = block_methods(BackendKind::serial, BlockSweep::jacobi).front();
  const double points = 24 * 10 * 16;
  for (const std::string& layout : all_layouts) {
    const Cost cost = declared_cost(method, block_cost, args, method.space.complete({{"layout", layout}}));
    CHECK(cost.bytes == points * 4 * ((layout == "aos32" ? 192 : 150) + 15));
    CHECK(cost.flops == points * 315);
    CHECK(cost.cells == points);
  }
}

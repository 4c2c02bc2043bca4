// Restriction, prolongation and the coarse operator, worked by hand.
#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// The fields on both sides of a transfer, on one core in fp64.
struct Pair {
  Grid fine_grid;
  Coarsening by;
  HostField fine, coarse;
  std::vector<HostField> arrays,
      coarse_arrays;  // of the fine operator, none if it is constant; and of the coarse
  Operator a;

  explicit Pair(const Grid& g) : Pair(g, full_coarsening(g)) {}
  Pair(const Grid& g, const Coarsening& coarsened)
      : fine_grid(g),
        by(coarsened),
        fine(g, Precision::fp64),
        coarse(coarse_grid(g, by), Precision::fp64),
        coarse_arrays(g.is_3d() ? 7 : 5, coarse),
        a(timed_constant_operator(g)) {}

  // Sets arrays of the operator, each to one value: west, east, south, north, centre.
  void set_arrays(const std::vector<double>& values) {
    for (double value : values) {
      arrays.emplace_back(fine_grid, Precision::fp64);
      for_each_cell(fine_grid, false, [&](int i, int j, int k) { arrays.back().set(i, j, k, value); });
    }
    a = operator_over(views(arrays), 0, fine_grid);
  }
  void run(TransferPass pass) {
    GridTransferArgs args;
    args.pass = pass, args.fine_grid = fine_grid, args.by = by, args.a = a;
    args.fine = fine.view(), args.coarse = coarse.view();
    args.coarse_a = operator_over(views(coarse_arrays), 0, fine_grid);
    grid_transfer_serial().front().prepare(backend(BackendKind::serial), args, {}).run();
  }
  std::vector<double> coarse_cell(int i, int j = 0) const {
    std::vector<double> values;
    for (const HostField& array : coarse_arrays) values.push_back(array.get(i, j));
    return values;
  }

  static std::vector<AnyView> views(const std::vector<HostField>& fields) {
    std::vector<AnyView> all;
    for (const HostField& field : fields) all.push_back(field.view());
    return all;
  }
};

double product(const HostField& x, const HostField& y) {
  double sum = 0;
  for_each_cell(x.grid(), false, [&](int i, int j, int k) { sum += x.get(i, j, k) * y.get(i, j, k); });
  return sum;
}

// Sets noise inside and zero in the ghosts, as for residuals and corrections.
void set_noise(HostField& field, unsigned salt) {
  for_each_cell(field.grid(), false, [&](int i, int j, int k) { field.set(i, j, k, noise(i, j, k, salt)); });
}

}  // namespace

TEST_CASE("a fine value contributes to the coarse points around it: fully, in halves, in quarters",
          "[transfer]") {
  const double expected[][4] = {{1, 1, 8, 0}, {2, 1, 4, 4}, {2, 0, 2, 2}, {0, 0, 2, 0}, {4, 2, 0, 2}};
  for (const auto& [i, j, first, second] : expected) {
    Pair p({5, 3});
    p.fine.set(int(i), int(j), 0, 8);
    p.run(TransferPass::restriction);
    INFO(i << ", " << j);
    CHECK(p.coarse.get(0, 0) == first);
    CHECK(p.coarse.get(1, 0) == second);
  }
  Pair cube({3, 3, 3});
  cube.fine.set(0, 0, 2, 8);  // a corner of the eight around the coarse point
  cube.fine.set(1, 2, 1, 8);
  cube.run(TransferPass::restriction);
  CHECK(cube.coarse.get(0, 0, 0) == 8. / 8 + 8. / 2);
}

TEST_CASE("a correction is linear between coarse points and to the boundary, and is added", "[transfer]") {
  Pair p({5, 3});
  p.coarse.set(0, 0, 0, 4), p.coarse.set(1, 0, 0, 8);
  for_each_cell(p.fine_grid, false, [&](int i, int j, int k) { p.fine.set(i, j, k, 100); });
  p.run(TransferPass::prolongation);
  const double expected[3][5] = {{1, 2, 3, 4, 2}, {2, 4, 6, 8, 4}, {1, 2, 3, 4, 2}};
  for_each_cell(p.fine_grid, false, [&](int i, int j, int) {
    INFO(i << ", " << j);
    CHECK(p.fine.get(i, j) == 100 + expected[j][i]);
  });
}

TEST_CASE("with an even number of points the last fine point is a coarse one and gets its full correction",
          "[transfer]") {
  Pair p({4, 1}, {1, 0, 0});
  p.coarse.set(0, 0, 0, 4), p.coarse.set(1, 0, 0, 8);
  p.run(TransferPass::prolongation);
  for (int i = 0; i < 4; ++i) CHECK(p.fine.get(i, 0) == std::vector{2., 4., 6., 8.}[i]);
}

TEST_CASE("neighbours are weighted by the coefficients", "[transfer]") {
  Pair p({5, 3});
  p.set_arrays({1, 3, 1, 1, 6});  // 1/4 for the western neighbour, 3/4 for the eastern one
  p.coarse.set(0, 0, 0, 4), p.coarse.set(1, 0, 0, 8);
  p.run(TransferPass::prolongation);
  CHECK(p.fine.get(2, 1) == 4. / 4 + 3 * 8. / 4);
  CHECK(p.fine.get(2, 0) == (4. / 4 + 3 * 8. / 4) / 2);
  p.fine = HostField(p.fine_grid, Precision::fp64);
  p.fine.set(2, 1, 0, 8);
  p.run(TransferPass::restriction);
  CHECK(p.coarse.get(0, 0) == 2);
  CHECK(p.coarse.get(1, 0) == 6);

  Pair wall({5, 3});
  wall.set_arrays({0, 1, 1, 1, 3});  // no coupling to the west
  wall.coarse.set(0, 0, 0, 4);
  wall.run(TransferPass::prolongation);
  CHECK(wall.fine.get(0, 1) == 4);
  CHECK(wall.fine.get(2, 1) == 0);
}

TEST_CASE("a point between the last coarse one and the boundary is interpolated by distance", "[transfer]") {
  // The boundary is half a spacing away: a third of the way there the value is two thirds lower.
  Pair p({5, 3});
  p.a.to_boundary[0] = 0.5;
  p.coarse.set(1, 0, 0, 6);
  p.run(TransferPass::prolongation);
  CHECK(p.fine.get(4, 1) == Approx(2).epsilon(1e-15));
  CHECK(p.fine.get(2, 1) == 3);
  CHECK(p.fine.get(4, 0) == Approx(1).epsilon(1e-15));
}

TEST_CASE("restriction is the transpose of prolongation for every coarsening", "[transfer]") {
  for (const std::string kind : {"constant", "edged", "arrays"})
    for (const Grid& g : {Grid{9, 7}, Grid{8, 6}, Grid{7, 4, 5}, Grid{6, 5, 4}})
      for (const Coarsening& by : {Coarsening{1, 1, g.is_3d()}, {1, 0, 0}, {0, 1, 0}, {0, 1, g.is_3d()}}) {
        Pair p(g, by);
        if (kind == "edged") p.a.to_boundary[0] = 0.5, p.a.to_boundary[1] = 0.25, p.a.to_boundary[2] = 0.75;
        if (kind == "arrays") {
          const int n = g.is_3d() ? 7 : 5;
          p.set_arrays(std::vector<double>(n, 0.0));
          for (int m = 0; m < n; ++m) set_noise(p.arrays[m], 10 + m);
        }
        HostField r(g, Precision::fp64), e = p.coarse;
        set_noise(r, 1), set_noise(e, 2);
        p.coarse = e;
        p.run(TransferPass::prolongation);
        const double there = product(p.fine, r);
        p.fine = r;
        p.run(TransferPass::restriction);
        CHECK(product(p.coarse, e) == Approx(there).epsilon(1e-13));
      }
}

TEST_CASE("the coarse operator of a constant one by hand, for odd and even numbers", "[transfer]") {
  Pair p({4, 3});
  p.a.wx = 1, p.a.wy = 2, p.a.centre = 7;  // a reaction of 1
  p.run(TransferPass::operator_coarsening);
  // Two conductors in series and two parallel lines; one and a half lines at the last point, where one
  // conductor leads to the boundary. The reaction of four points, and of three.
  CHECK(p.coarse_cell(0) == std::vector<double>{1, 1, 2, 2, 6 + 4});
  CHECK(p.coarse_cell(1) == std::vector<double>{1, 2, 1.5, 1.5, 6 + 3});

  const Operator odd = coarse_constant(p.a, {5, 3}, {1, 1, 0});
  CHECK_FALSE(odd.is_edged());
  CHECK(std::vector{odd.wx, odd.wy, odd.centre} == std::vector<double>{1, 2, 6 + 4});
  Pair q({5, 3});
  q.a = p.a;
  q.run(TransferPass::operator_coarsening);
  for (int i : {0, 1})
    CHECK(q.coarse_cell(i) == std::vector<double>{odd.wx, odd.wx, odd.wy, odd.wy, odd.centre});
}

TEST_CASE("an even number of points gives an edged operator for a constant one, by hand", "[transfer]") {
  Operator a;
  a.wx = 1, a.wy = 2, a.centre = 6;
  const Operator c = coarse_constant(a, {4, 3}, {1, 1, 0});
  CHECK(std::vector{c.to_boundary[0], c.to_boundary[1], c.to_boundary[2]} == std::vector<double>{0.5, 1, 1});
  const auto edged = c.as_edged<double>({2, 1});
  CHECK(edged.at<2>(0, 0, 0).centre == 6);
  CHECK(edged.at<2>(1, 0, 0).centre == 7);  // 1 west, 2 to the boundary, 2 each south and north
  CHECK(edged.at<2>(1, 0, 0).inverse_centre == 1. / 7);
  // Six points, three, one: distance of the last point to the boundary 1, 1 / 2, 3 / 4 of the spacing.
  const Operator cc = coarse_constant(coarse_constant(a, {6, 1}, {1, 0, 0}), {3, 1}, {1, 0, 0});
  CHECK(cc.to_boundary[0] == 0.75);
  CHECK(coarse_constant(cc, {3, 4}, {0, 1, 0}).to_boundary[0] == 0.75);  // x unchanged
}

TEST_CASE("along a line the edged operator of each coarse grid equals that of arrays", "[transfer]") {
  for (const int n : {44, 52, 63}) {
    Pair p({n, 1}, {1, 0, 0});
    p.set_arrays({1, 1, 0, 0, 2});
    Operator constant;
    constant.wx = 1, constant.wy = 0, constant.centre = 2;
    while (p.fine_grid.nx > 1) {
      p.run(TransferPass::operator_coarsening);
      constant = coarse_constant(constant, p.fine_grid, p.by);
      Pair next(coarse_grid(p.fine_grid, p.by), p.by);
      next.set_arrays({0, 0, 0, 0, 0});
      for (int m = 0; m < 5; ++m) next.arrays[m] = p.coarse_arrays[m];
      next.a = operator_over(Pair::views(next.arrays), 0, next.fine_grid);
      p = std::move(next);
      const auto arrays = p.a.as_arrays<double, double>();
      const auto edged = constant.as_edged<double>(p.fine_grid);
      for (int i = 0; i < p.fine_grid.nx; ++i) {
        INFO(n << ", " << p.fine_grid.nx << ", point " << i);
        const auto expected = arrays.at<2>(i, 0, 0);
        const auto found = edged.at<2>(i, 0, 0);
        CHECK(found.centre == Approx(expected.centre).epsilon(1e-14));
        CHECK(found.wx == Approx(expected.west).epsilon(1e-14));
        if (i + 1 < p.fine_grid.nx) CHECK(found.wx == Approx(expected.east).epsilon(1e-14));
        CHECK(lower_share(found, 0) == Approx(lower_share(expected, 0)).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("the coarse operator of arrays by hand", "[transfer]") {
  Pair p({3, 1}, {1, 0, 0});
  p.set_arrays({0, 0, 3, 3, 0});
  const double west[] = {1, 2, 4}, east[] = {2, 4, 4};
  for (int i = 0; i < 3; ++i) {
    p.arrays[0].set(i, 0, 0, west[i]), p.arrays[1].set(i, 0, 0, east[i]);
    p.arrays[4].set(i, 0, 0, west[i] + east[i] + 3 + 3 + 1);
  }
  p.run(TransferPass::operator_coarsening);
  // In series 2 and 1 are 2/3, 4 and 4 are 2. The first point contributes 2/3 of its lines to the middle, the
  // last 1/2.
  const double lines = 2. / 3 + 1 + 0.5;
  const std::vector<double> expected = {2. / 3, 2, 3 * lines, 3 * lines, 2. / 3 + 2 + 6 * lines + lines};
  const std::vector<double> found = p.coarse_cell(0);
  for (std::size_t n = 0; n < expected.size(); ++n) CHECK(found[n] == Approx(expected[n]).epsilon(1e-14));
}

TEST_CASE("rounding errors of a diagonal are not a reaction on coarse grids", "[transfer]") {
  Pair p({5, 3});
  p.a.wx = 1, p.a.wy = 0.1, p.a.centre = 2.2 * (1 + 4e-16);
  p.run(TransferPass::operator_coarsening);
  const auto cell = p.coarse_cell(0);
  CHECK(cell[4] == cell[0] + cell[1] + cell[2] + cell[3]);
  CHECK(coarse_constant(p.a, {5, 3}, p.by).centre == Approx(2.2).epsilon(1e-15));
}

// Direct solves between closed and periodic ends, as for the pressure of flows: waves worked by hand, and
// residuals of arbitrary right-hand sides. On an emulated device: cuda_emulation/direct_ends_test.cpp.
#include "tests/solvers/linear/direct_ends.hpp"

#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

constexpr double pi = std::numbers::pi;
constexpr AxisEnds closed{Ends::closed, Ends::closed, Ends::closed},
    periodic{Ends::periodic, Ends::periodic, Ends::periodic};

// Returns the backends that have transforms, with their library.
std::vector<std::pair<BackendKind, DirectLibrary>> libraries_here() {
  std::vector<std::pair<BackendKind, DirectLibrary>> all;
  for (BackendKind kind : backends_here())
    for (const DirectLibrary& library : direct_libraries(kind))
      if (library.missing.empty()) all.emplace_back(kind, library);
  if (all.empty()) WARN("skipped: built without a library of transforms");
  return all;
}

HostField row_of(const std::vector<double>& values) {
  HostField b({int(values.size()), 1}, Precision::fp64);
  for (int i = 0; i < int(values.size()); ++i) b.set(i, 0, 0, values[i]);
  return b;
}
Operator along_x() {
  Operator a;
  a.wx = 1, a.wy = 1, a.wz = 0, a.centre = 4;
  return a;
}

}  // namespace

TEST_CASE(
    "closed ends have eigenvalues 0, 2 for two cells and 0, 1, 3 for three, periodic ends 0, 2, 4, 2 for "
    "four",
    "[direct]") {
  Operator a;
  a.wx = 1, a.wy = 10, a.wz = 0, a.centre = 22;
  const Eigenvalues two = eigenvalues(a, {2, 3}, closed), around = eigenvalues(a, {4, 3}, periodic);
  CHECK(two.x[0] == 0);
  CHECK(two.x[1] == Approx(2).epsilon(1e-15));
  CHECK(two.y[0] == 0);
  CHECK(two.y[1] == Approx(10).epsilon(1e-15));
  CHECK(two.y[2] == Approx(30).epsilon(1e-15));
  CHECK(two.z == std::vector<double>{0});
  for (const auto& [l, value] : {std::pair{0, 0.0}, {1, 2.0}, {2, 4.0}, {3, 2.0}})
    CHECK(around.x[l] == Approx(value).epsilon(1e-15));
  CHECK(around.y[1] == Approx(30).epsilon(1e-15));
  CHECK(around.y[2] == Approx(30).epsilon(1e-15));
}

TEST_CASE("a few cells in a row have the answer worked by hand, without the mean of a singular system",
          "[direct]") {
  struct ByHand {
    AxisEnds ends;
    std::vector<double> b, u;
  };
  const ByHand cases[] = {{closed, {1, -1}, {0.5, -0.5}},
                          {closed, {1, 0, -1}, {1, 0, -1}},
                          {closed, {6, 5, 4}, {1, 0, -1}},  // the mean of 5 is ignored
                          {closed, {1, -1, -1, 1}, {0.5, -0.5, -0.5, 0.5}},
                          {periodic, {1, 0, -1, 0}, {0.5, 0, -0.5, 0}},
                          {periodic, {2, -1, -1}, {2.0 / 3, -1.0 / 3, -1.0 / 3}},
                          {periodic, {7, 7}, {0, 0}}};
  for (const auto& [kind, library] : libraries_here())
    for (const ByHand& hand : cases) {
      INFO(to_string(kind) << " " << text_of(hand.ends) << " " << hand.b.size());
      const HostField u = solved_between(backend(kind), library, along_x(), hand.ends, row_of(hand.b));
      for (int i = 0; i < int(hand.u.size()); ++i) CHECK(u.get(i, 0, 0) == Approx(hand.u[i]).margin(1e-15));
    }
}

TEST_CASE("a cosine between closed ends and a sine around periodic ones are only divided", "[direct]") {
  for (const auto& [kind, library] : libraries_here()) {
    const Grid g{12, 9, 10};
    const Operator a = operator_between_ends(3);
    const AxisEnds ends{Ends::closed, Ends::periodic, Ends::zero};
    HostField b(g, Precision::fp64);
    const auto wave = [&](int i, int j, int k) {
      return std::cos(pi * 3 * (i + 0.5) / g.nx) * std::sin(2 * pi * 2 * j / g.ny) *
             std::sin(pi * 4 * (k + 1) / (g.nz + 1));
    };
    for_each_cell(g, false, [&](int i, int j, int k) { b.set(i, j, k, wave(i, j, k)); });
    const auto sine_squared = [](double x) { return std::sin(x) * std::sin(x); };
    const double eigenvalue = 4 * (a.wx * sine_squared(pi * 3 / 24) + a.wy * sine_squared(pi * 2 / 9) +
                                   a.wz * sine_squared(pi * 4 / 22));
    const HostField u = solved_between(backend(kind), library, a, ends, b);
    double largest = 0;
    for_each_cell(g, false, [&](int i, int j, int k) {
      largest = std::max(largest, std::abs(u.get(i, j, k) - wave(i, j, k) / eigenvalue));
    });
    INFO(to_string(kind));
    CHECK(largest < 1e-15);
  }
}

TEST_CASE("with all ends a direct solve leaves a residual at rounding, and no mean in singular systems",
          "[direct]") {
  for (const auto& [kind, library] : libraries_here())
    for (const Grid& g : {Grid{1, 1}, {9, 6}, {64, 31}, {37, 40}, {1, 5, 2}, {8, 7, 6}, {16, 11, 20}})
      for (const AxisEnds& ends : all_ends(g.dims))
        for (Precision p : {Precision::fp32, Precision::fp64}) {
          INFO(to_string(kind) << " " << to_string(p) << " " << text_of(ends) << " " << g.nx << "x" << g.ny
                               << "x" << g.nz);
          const Operator a = operator_between_ends(g.dims);
          const HostField b = noise_between(g, p, ends);
          const HostField u = solved_between(backend(kind), library, a, ends, b);
          CHECK(left_in_roundings(a, ends, b, u) < 16);
          if (!leaves_a_constant(ends, g.dims)) continue;
          double sum = 0, largest = 0;
          for_each_cell(g, false, [&](int i, int j, int k) {
            sum += u.get(i, j, k), largest = std::max(largest, std::abs(u.get(i, j, k)));
          });
          CHECK(std::abs(sum) <= (p == Precision::fp32 ? 1e-6 : 1e-14) * largest * double(g.cells()));
        }
}

TEST_CASE("a direct solve between closed ends has the same bits in every run and keeps its right-hand side",
          "[direct]") {
  for (const auto& [kind, library] : libraries_here()) {
    const Grid g{33, 20};
    const HostField b = noise_between(g, Precision::fp64, closed);
    Config config;
    if (find_setting(library.space.settings, "threads")) config.set("threads", 2);
    const auto once = [&] { return solved_between(backend(kind), library, along_x(), closed, b, config); };
    const HostField first = once(), second = once();
    bool same = true;
    for_each_cell(g, false,
                  [&](int i, int j, int k) { same = same && first.get(i, j, k) == second.get(i, j, k); });
    INFO(to_string(kind));
    CHECK(same);
    Field from(backend(kind), g, Precision::fp64), to(backend(kind), g, Precision::fp64);
    from.upload(b);
    const auto a = std::make_shared<StencilOperator>(along_x());
    const System system{
        .backend = &backend(kind), .precision = Precision::fp64, .a = a, .b = from.view(), .u = to.view()};
    for (const Operation& operation : library.solve(
             {.system = system, .ends = closed, .from = from.view(), .to = to.view(), .config = config}))
      operation();
    const HostField after = from.download();
    for_each_cell(g, false,
                  [&](int i, int j, int k) { same = same && after.get(i, j, k) == b.get(i, j, k); });
    CHECK(same);
  }
}

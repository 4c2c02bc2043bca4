#include <algorithm>

#include "solvers/problems/flow_problem.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Returns for each of 256 x 64 cells whether it belongs to the body.
std::vector<char> body(const Config& settings) {
  const FlowProblemDescription& tunnel = *find_flow_problem("tunnel");
  const Grid grid(256, 64);
  const FlowProblem problem = tunnel.make(TuningSpace{tunnel.settings}.complete(settings), grid);
  std::vector<char> solid;
  for_each_cell(grid, false, [&](int i, int j, int k) {
    solid.push_back(CellFaces{int(problem.faces.get(i, j, k))}.is_body());
  });
  return solid;
}

std::ptrdiff_t cells(const Config& settings) {
  const std::vector<char> all = body(settings);
  return std::count(all.begin(), all.end(), 1);
}

Config superellipse(double exponent, double aspect) {
  return {{"diameter", 0.5}, {"shape", "superellipse"}, {"exponent", exponent}, {"aspect", aspect}};
}

}  // namespace

TEST_CASE("superellipses of exponents 1 and 2 are the diamond and the circle", "[flow][tunnel]") {
  CHECK(body(superellipse(1, 1)) == body({{"diameter", 0.5}, {"shape", "diamond"}}));
  CHECK(body(superellipse(2, 1)) == body({{"diameter", 0.5}, {"shape", "circle"}}));
  CHECK(body(superellipse(2, 1)) != body(superellipse(1, 1)));
}

TEST_CASE("a superellipse has the length of its aspect, and its cells fill its area", "[flow][tunnel]") {
  // Cells are 1/64 wide and high. An exponent n fills Gamma(1 + 1/n)^2 / Gamma(1 + 2/n) of the bounding box.
  for (const double aspect : {0.5, 1.0, 2.0}) {
    INFO(aspect);
    const double box = 32 * 32 * aspect;
    CHECK(double(cells(superellipse(1, aspect))) == Approx(0.5 * box).epsilon(0.07));
    CHECK(double(cells(superellipse(2, aspect))) == Approx(0.785398 * box).epsilon(0.03));
    CHECK(double(cells(superellipse(6, aspect))) == Approx(0.963811 * box).epsilon(0.03));
  }
}

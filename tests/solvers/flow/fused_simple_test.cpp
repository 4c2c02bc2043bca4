// SIMPLE in two passes beside its sweeps, against the passes of their own.
#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

struct BothWays {
  SolvedFlow fused, split;

  // The largest difference of all that they leave.
  double difference() const {
    double largest = 0;
    for (const auto field :
         {&FlowFields::u, &FlowFields::v, &FlowFields::p, &FlowFields::mass_x, &FlowFields::mass_y})
      largest = std::max(largest, largest_difference(fused.flow.*field, split.flow.*field));
    return largest;
  }
};
// What goes through a periodic side goes through the other: two numbers to the one way, and one to the other.
std::shared_ptr<const FlowProblem> posed_with_equal_sides(const char* problem, const Grid& g,
                                                          const Config& settings) {
  FlowProblem flow = make_flow_problem(*find_flow_problem(problem), g, settings);
  HostField &x = flow.start.mass_x, &y = flow.start.mass_y;
  for (int j = 0; flow.periodic_x && j < g.ny; ++j) x.set(g.nx, j, 0, x.get(0, j));
  for (int i = 0; flow.periodic_y && i < g.nx; ++i) y.set(i, g.ny, 0, y.get(i, 0));
  return std::make_shared<const FlowProblem>(std::move(flow));
}
BothWays both_ways(const char* problem, const Grid& grid, const Config& settings, FlowOptions options) {
  const auto posed = posed_with_equal_sides(problem, grid, settings);
  const auto solved = [&](const char* method) {
    options.method = method;
    return solve_flow_on(backend(options.backend), flow_method("simple", options.backend, method), posed,
                         options);
  };
  return {solved("fused"), solved("rhie_chow")};
}

struct FusedCase {
  const char* problem;
  Grid grid;
  Config settings, config;
};
// A body, odd numbers, outlets of both kinds, periodic sides, what comes in and a plane of symmetry.
const std::vector<FusedCase> cases = {
    {"cavity", {17, 13}, {}, {{"convection", "hybrid"}}},
    {"tunnel", {41, 11}, {{"diameter", 0.5}}, {}},
    {"tunnel", {41, 11}, {{"diameter", 0.5}, {"outlet", "velocity"}}, {{"convection", "upwind"}}},
    {"cylinder", {89, 17}, {{"outlet", "pressure"}}, {{"momentum_sweeps", 3}}},
    {"channel", {12, 9}, {{"ends", "periodic"}}, {}},
    {"taylor_green", {12, 10}, {}, {}},
    {"kovasznay", {13, 16}, {}, {}}};

}  // namespace

TEST_CASE("fused SIMPLE takes the steps of its parts one by one, bit by bit", "[flow]") {
  const FusedCase& c = GENERATE(from_range(cases));
  const BackendKind kind = GENERATE(BackendKind::serial, BackendKind::openmp, BackendKind::kokkos);
  if (!unavailable_reason(kind).empty()) return;
  for (Precision precision : all_precisions)
    // Looked at after a number of steps that is odd, and even.
    for (const int interval : {5, 4}) {
      if (interval == 4 && kind != BackendKind::serial) continue;
      INFO(c.problem << " on " << to_string(kind) << " " << to_string(precision) << ", looked at after "
                     << interval);
      Config config = c.config;
      config.set("check_interval", interval);
      const BothWays both = both_ways(c.problem, c.grid, c.settings,
                                      {.backend = kind,
                                       .precision = precision,
                                       .tolerance = 1e-30,
                                       .max_iterations = 11,
                                       .config = config});
      REQUIRE(both.split.outcome.iterations == 11);
      // Fluxes that are not stored are not rounded to 32 bits.
      if (precision == Precision::mixed) {
        CHECK(both.difference() < 2e-5);
        continue;
      }
      CHECK(both.difference() == 0);
      CHECK(both.fused.outcome.history == both.split.outcome.history);
    }
}

TEST_CASE("fused SIMPLE takes the same steps whatever solves the pressure correction", "[flow]") {
  for (const char* solver : {"cg", "pcg", "multigrid"})
    for (const char* problem : {"cavity", "channel"}) {
      INFO(solver << " " << problem);
      const Config config{{"pressure_solver", solver},
                          {"pressure_sweeps", std::string_view(solver) == "multigrid" ? 2 : 8}};
      CHECK(both_ways(problem, {17, 14}, {}, {.tolerance = 1e-30, .max_iterations = 5, .config = config})
                .difference() == 0);
    }
}

TEST_CASE("fused SIMPLE goes on from where it was, and starts anew", "[flow]") {
  const FlowMethod method = flow_method("simple", BackendKind::serial, "fused");
  PreparedFlow prepared(method, backend(BackendKind::serial), Precision::fp64, method.space.complete({}),
                        posed_flow("tunnel", {27, 7}, {{"diameter", 0.6}}));
  prepared.reset();
  prepared.solve(1e-30, 3);
  const FlowFields once = prepared.solution();
  prepared.reset();
  prepared.solve(1e-30, 3);
  CHECK(largest_difference(once.mass_x, prepared.solution().mass_x) == 0);
  CHECK(largest_difference(once.u, prepared.solution().u) == 0);
}

TEST_CASE("fused SIMPLE moves half of what its parts move beside the sweeps", "[flow]") {
  constexpr int side = 64;
  const auto words_of_one = [&](const char* method) {
    const auto bytes = [&](int iterations) {
      return solve_flow("cavity", {side, side}, {},
                        {.method = method,
                         .tolerance = 1e-30,
                         .max_iterations = iterations,
                         .config = {{"check_interval", 20}, {"sweep_depth", 1}}})
          .outcome.cost.bytes;
    };
    return (bytes(20) - bytes(10)) / 10 / 8 / (side * side);
  };
  // Two sweeps of each velocity and forty of p', in one pass over memory each: five coefficients, the right
  // side, and the unknown there and back.
  const double sweeps = (2 * 2 + 40) * 8, fused = words_of_one("fused") - sweeps,
               split = words_of_one("rhie_chow") - sweeps;
  CHECK(fused == Approx(14 + 20));
  // Copies of the old velocity and p' = 0 are not in it: 5 more.
  CHECK(split == Approx(63).epsilon(0.01));
}

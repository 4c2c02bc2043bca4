// A batch of flows in one stack of tunnels.
#include "solvers/flow/flow_batch.hpp"

#include <set>

#include "tests/solvers/flow/batch_solve.hpp"
#include "tests/solvers/flow/flow_solve.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

TEST_CASE("on serial each flow of a stack has every bit of a single solve: fields, drag, lift, iterations",
          "[flow][batch]") {
  const Precision precision = GENERATE(Precision::fp64, Precision::fp32);
  const std::string surface = GENERATE("distances", "staircase");
  const Grid grid = GENERATE(Grid{64, 32}, Grid{77, 31});
  INFO(to_string(precision) << " " << surface << " " << grid.nx << "x" << grid.ny);
  FlowBatchSettings settings = small_tunnel(4);
  settings.grid = grid, settings.precision = precision;
  settings.tunnel.set("surface", surface);
  std::vector<Outline> outlines = bodies();
  outlines.resize(4);
  const FlowBatch posed(backend(BackendKind::serial), settings);
  const std::vector<EndedFlow> stack = evaluated(backend(BackendKind::serial), settings, outlines);
  std::set<int> iterations;
  for (std::size_t n = 0; n < outlines.size(); ++n) {
    INFO("body " << n);
    const SolvedFlow single =
        solve_flow_on(backend(BackendKind::serial), flow_method("simple", BackendKind::serial, "rhie_chow"),
                      posed.tunnel(outlines[n]),
                      {.precision = precision,
                       .tolerance = settings.tolerance,
                       .max_iterations = settings.max_iterations,
                       .config = posed.settings().solver});
    CHECK(stack[n].evaluation.status == FlowStatus::ok);
    const FlowEvaluation expected{.status = FlowStatus::ok,
                                  .drag = single.result("drag_coefficient"),
                                  .lift = single.result("lift_coefficient"),
                                  .iterations = single.outcome.iterations,
                                  .residual = single.outcome.relative_residual};
    check_same(stack[n], {expected, single.flow});
    iterations.insert(stack[n].evaluation.iterations);
  }
  CHECK(iterations.size() > 1);  // slots end at different times
}

TEST_CASE("the bits of a flow do not depend on its slot, the number of slots and its neighbours",
          "[flow][batch]") {
  std::vector<Outline> outlines = bodies(0.16);
  outlines.resize(3);
  for (const BackendKind kind : backends_here())
    for (const Precision precision : all_precisions) {
      INFO(to_string(kind) << " " << to_string(precision));
      FlowBatchSettings settings = small_tunnel(1, 0.16);
      settings.grid = {48, 20};
      settings.precision = precision;
      settings.max_iterations = 40;  // some end by it, others by the tolerance
      settings.tolerance = 0.1;
      check_batch_bits(backend(kind), settings, outlines, {2, 7});
    }
}

TEST_CASE("a stack of 64 slots gives the bits of one", "[flow][batch]") {
  FlowBatchSettings settings = small_tunnel(1, 0.16);
  settings.grid = {48, 20};
  settings.precision = Precision::fp32;
  settings.max_iterations = 20;
  check_batch_bits(backend(BackendKind::serial), settings, bodies(0.16), {64});
}

TEST_CASE("multigrid for the pressure gives a flow the same bits in every slot and stack", "[flow][batch]") {
  std::vector<Outline> outlines = bodies(0.16);
  outlines.resize(3);
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind));
    FlowBatchSettings settings = small_tunnel(1, 0.16);
    settings.grid = {48, 20};
    settings.coarsenings = 2;
    settings.solver = {{"pressure_solver", "multigrid"}, {"pressure_sweeps", 2}, {"check_interval", 10}};
    settings.max_iterations = 20;
    check_batch_bits(backend(kind), settings, outlines, {2, 5});
  }
}

TEST_CASE("a diverging neighbour changes no bit of the others", "[flow][batch]") {
  const double spoiled = GENERATE(std::numeric_limits<double>::quiet_NaN(), 1e37);
  for (const BackendKind kind : backends_here()) {
    INFO(to_string(kind) << " " << spoiled);
    FlowBatchSettings settings = small_tunnel(3, 0.16);
    settings.grid = {48, 20};
    settings.precision = Precision::fp32;
    settings.max_iterations = 60;
    check_diverging_neighbour(backend(kind), settings, bodies(0.16), spoiled);
  }
}

TEST_CASE("an outline that the tunnel refuses is infeasible with the reason, and the others are solved",
          "[flow][batch]") {
  FlowBatch batch(backend(BackendKind::serial), small_tunnel(2));
  std::vector<Outline> outlines = bodies();
  outlines.resize(2);
  outlines.insert(outlines.begin() + 1, moved(outlines[0], {-2, 0}));
  const std::vector<FlowEvaluation> found = batch.evaluate(outlines);
  CHECK(found[0].status == FlowStatus::ok);
  CHECK(found[1].status == FlowStatus::infeasible);
  CHECK_THAT(found[1].reason, ContainsSubstring("outside the tunnel"));
  CHECK(found[2].status == FlowStatus::ok);
  CHECK(found[2].iterations > 0);
}

TEST_CASE("a batch refuses what joins its tunnels, and bodies without one area", "[flow][batch]") {
  Backend& serial = backend(BackendKind::serial);
  const auto refused = [&](const Config& tunnel, const Config& solver, const char* text) {
    FlowBatchSettings settings = small_tunnel(2);
    for (const auto& [name, value] : tunnel.values()) settings.tunnel.set(name, value);
    for (const auto& [name, value] : solver.values()) settings.solver.set(name, value);
    CHECK_THROWS_WITH(FlowBatch(serial, settings), ContainsSubstring(text));
  };
  refused({{"area", 0.0}}, {}, "set area");
  refused({{"outlet", "velocity"}}, {}, "an outlet that prescribes the pressure");
  refused({}, {{"pressure_solver", "cg"}}, "pressure_solver=cg");
  refused({}, {{"momentum_tolerance", 0.1}}, "momentum_tolerance=0.1");
}

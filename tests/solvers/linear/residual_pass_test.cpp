// Relaxations whose last passes leave the residual norm, compared with those that compute it separately.
#include "solvers/linear/stationary/stationary.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// Calls f(solver name, backend, method) for each method whose passes can leave the norm.
template <class F>
void for_each_that_can(const F& f) {
  for (const SolverDescription& solver : solver_table())
    for (const BackendKind kind : backends_here())
      for (const SolverMethod& method : solver.methods(kind))
        if (find_setting(method.space.settings, residual_pass)) f(solver.name, kind, method);
}

}  // namespace

TEST_CASE("the residual left by the last passes equals the one of a separate pass at every check",
          "[solvers]") {
  int solves = 0;
  for_each_that_can([&](const std::string& name, BackendKind kind, const SolverMethod& method) {
    for (const auto& [problem, grid] : {std::pair{"manufactured", Grid{37, 21}},
                                        {"jump", {23, 30}},
                                        {"manufactured", {9, 8, 11}},
                                        {"heated_plate", {1, 1}}})
      for (const Precision p : all_precisions)
        // 47 passes end with fewer than one run makes; 150 are two runs between two checks.
        for (const auto& [interval, most] : {std::pair{20, 60}, {20, 47}, {150, 300}, {1, 5}}) {
          if (!can_do(method, shape_of(*posed(problem, grid), p))) continue;  // on CUDA strips of rows only
          INFO(name << " " << to_string(kind) << " " << method.name << " " << problem << " " << to_string(p)
                    << " check_interval " << interval);
          const auto by = [&](const char* pass) {
            return solve(name, method, backend(kind), p, posed(problem, grid),
                         {1e-4, most, {{"check_interval", interval}, {residual_pass, pass}}});
          };
          const Solved fused = by("fused"), separate = by("separate");
          CHECK(fused.outcome.iterations == separate.outcome.iterations);
          REQUIRE(fused.outcome.history.size() == separate.outcome.history.size());
          for (std::size_t n = 0; n < fused.outcome.history.size(); ++n) {
            const double one = fused.outcome.history[n].second, other = separate.outcome.history[n].second;
            if (kind == BackendKind::cuda)  // sums are in a different order
              CHECK(one == Approx(other).epsilon(p == Precision::fp64 ? 1e-9 : 1e-3).margin(1e-6));
            else
              CHECK(one == other);
          }
          CHECK(largest_difference(fused.u, separate.u) == 0);
          ++solves;
        }
  });
  CHECK(solves >= 4 * 4 * 3 * 4);
}

TEST_CASE("passes that leave the residual norm need a separate pass only at the start", "[solvers]") {
  const auto passes = [](const char* pass) {
    const SolverMethod method = method_named(solver_named("jacobi"), BackendKind::serial, "wavefront");
    PreparedSolver prepared(solver_named("jacobi"), method, backend(BackendKind::serial), Precision::fp64,
                            method.space.complete({{residual_pass, pass}}), posed("manufactured", {37, 21}));
    prepared.reset();
    const Outcome outcome = prepared.solve_by_routine(1e-30, 60);
    int calls = 0;
    for (const auto& routine : outcome.routines)
      if (routine.name == "residual") calls = routine.calls;
    return calls;
  };
  CHECK(passes("separate") == 4);
  CHECK(passes("fused") == 1);
}

// Ginkgo's solvers: the same systems give the same answers to the same tolerance.
#include "solvers/linear/libraries/ginkgo.hpp"

#include <cmath>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "kernels/device/built.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/peer.hpp"

using namespace cfdmark;

namespace {

struct Here {
  BackendKind backend;
  SolverMethod method;
};

std::string text(const Here& here) { return std::string(to_string(here.backend)) + "/" + here.method.name; }

std::vector<Here> ginkgo_here() {
  std::vector<Here> all;
  for (BackendKind kind : backends_here())
    for (const SolverMethod& method : solver_named("ginkgo").methods(kind))
      if (can_do(method, {{9, 9}, true, Precision::fp64})) all.push_back({kind, method});
  if (all.empty()) WARN("skipped: built without Ginkgo");
  return all;
}

Solved by_ginkgo(const Here& here, const std::string& problem, const Grid& g, const Config& config = {},
                 double tolerance = 1e-10, Precision precision = Precision::fp64) {
  return solve("ginkgo", here.method, backend(here.backend), precision, posed(problem, g),
               {tolerance, 2000, config});
}

}  // namespace

TEST_CASE("Ginkgo solves systems with boundary values, sources, jumps and unequal sides, of any size",
          "[ginkgo]") {
  std::vector<PeerSystem> systems = peer_systems;
  systems.push_back({"manufactured", {1, 1}});
  for (const Here& here : ginkgo_here())
    for (const PeerSystem& system : systems) {
      INFO(text(here) << " " << system.problem << " " << name(system.grid));
      check_is_our_answer(by_ginkgo(here, system.problem, system.grid), system);
    }
}

TEST_CASE("Ginkgo's conjugate gradients need as many iterations as the textbook method", "[ginkgo]") {
  for (const Here& here : ginkgo_here()) {
    if (here.method.name != "cg") continue;
    const SolverMethod ours = method_named(solver_named("cg"), BackendKind::serial, "textbook");
    for (const auto& [problem, grid] :
         {std::pair{"manufactured", Grid{63, 40}}, {"manufactured", {17, 16, 15}}, {"jump", {40, 33}}}) {
      INFO(text(here) << " " << problem << " " << name(grid));
      const int iterations = by_ginkgo(here, problem, grid, {}, 1e-8).outcome.iterations;
      const int textbook = solve("cg", ours, backend(BackendKind::serial), Precision::fp64,
                                 posed(problem, grid), {1e-8, 2000, {{"check_interval", 1}}})
                               .outcome.iterations;
      // Over a thousand iterations on a jump, the order of summation changes the number of iterations.
      CHECK(std::abs(iterations - textbook) <= (textbook > 500 ? textbook / 20 : 1));
    }
  }
}

TEST_CASE("Ginkgo's multigrid cycle saves most iterations of conjugate gradients", "[ginkgo]") {
  for (BackendKind kind : backends_here()) {
    std::vector<Outcome> of_each;  // with the cycle, without
    for (const Here& here : ginkgo_here())
      if (here.backend == kind) of_each.push_back(by_ginkgo(here, "manufactured", {255, 255}).outcome);
    if (of_each.size() != 2) continue;
    INFO(to_string(kind) << " " << of_each[0].iterations << " " << of_each[1].iterations);
    CHECK(8 * of_each[0].iterations < of_each[1].iterations);
  }
}

TEST_CASE("Ginkgo solves in 32 bits, and with refinement to 64-bit accuracy", "[ginkgo]") {
  for (const Here& here : ginkgo_here()) {
    INFO(text(here));
    CHECK(by_ginkgo(here, "manufactured", {40, 33}, {}, 1e-4, Precision::fp32).outcome.converged);
    CHECK(by_ginkgo(here, "manufactured", {40, 33}, {}, 1e-10, Precision::mixed).outcome.converged);
  }
}

TEST_CASE("every setting of Ginkgo's cycle solves a jump of 1000, on a host with the same bits in every run",
          "[ginkgo]") {
  for (const Here& here : ginkgo_here())
    for (const Config& config : here.method.space.all()) {
      INFO(text(here) << " " << config.text());
      const Solved once = by_ginkgo(here, "jump", {40, 40}, config, 1e-8);
      CHECK(once.outcome.converged);
      if (here.backend != BackendKind::cuda)
        CHECK(largest_difference(once.u, by_ginkgo(here, "jump", {40, 40}, config, 1e-8).u) == 0);
    }
}

TEST_CASE("a Ginkgo solve at its iteration limit has not converged, and reports the seconds of its set-up",
          "[ginkgo]") {
  for (const Here& here : ginkgo_here()) {
    const Solved s = solve("ginkgo", here.method, backend(here.backend), Precision::fp64,
                           posed("manufactured", {63, 63}), {1e-10, 2, {}});
    INFO(text(here));
    check_ran_out(s);
  }
}

TEST_CASE("Ginkgo's rows reject unsupported systems and report a missing Ginkgo or a missing part of it",
          "[ginkgo]") {
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::cuda}) {
    if (kind == BackendKind::cuda && !built_with_cuda) continue;
    std::vector<std::string> names;
    for (const SolverMethod& method : solver_named("ginkgo").methods(kind)) {
      names.push_back(method.name);
      INFO(to_string(kind) << " " << method.name);
      const std::string reason = method.why_unsupported({{9, 9}, true, Precision::fp64});
      if (ginkgo_version().empty())
        CHECK(reason == "built without Ginkgo");
      else if (!reason.empty())
        CHECK_THAT(reason, ContainsSubstring("was built without " +
                                             std::string(kind == BackendKind::cuda ? "CUDA" : "OpenMP")));
      else
        CHECK_THAT(method.why_unsupported({{40000, 40000}, true, Precision::fp64}),
                   ContainsSubstring("32-bit"));
    }
    CHECK(names == std::vector<std::string>{"amg_cg", "cg"});
  }
  int rows = 0;
  for (const Row& row : catalog()) {
    if (row.name != "ginkgo" || row.backend != BackendKind::openmp) continue;
    ++rows;
    INFO(row_name(row));
    if (ginkgo_version().empty())
      CHECK_THAT(row.unavailable, ContainsSubstring("built without"));
    else if (row.unavailable.empty())
      CHECK_THAT(row.unsupported(Grid{9, 9}, {{"problem", "convection"}}),
                 ContainsSubstring("needs a symmetric operator"));
  }
  CHECK(rows > 0);
}

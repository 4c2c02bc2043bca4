// The loop that drives every iteration, with iterations whose residuals are known.
#include "solvers/base/solver.hpp"

#include <cmath>
#include <limits>

#include "solvers/base/convergence.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// Residuals start at 8 and 1; each iteration multiplies them by 0.5 and 0.1.
class Halving : public Iteration {
 public:
  void start() override { done = 0, ++starts; }
  int advance(int most, double) override {
    done += most;
    if (most > 0) stretches.push_back(most);
    return most;
  }
  std::vector<NamedValue> residuals() override {
    return {{"half", 8 * std::pow(0.5, done)}, {"tenth", done == nan_at ? NAN : std::pow(0.1, done)}};
  }
  void store() override { ++stores; }
  Cost cost(int iterations) const override { return {double(iterations), 0, 0}; }
  Cost check_cost() const override { return {100, 0, 0}; }
  Resources resources() const override { return {}; }

  int done = 0, starts = 0, stores = 0, nan_at = -1;
  std::vector<int> stretches;
};

// Chooses its own interval and stalls from the third call on.
class Stubborn final : public Halving {
 public:
  int advance(int most, double reduction) override {
    wanted.push_back(reduction);
    return Halving::advance(std::min(most, 3), reduction);
  }
  bool has_stalled() const override { return wanted.size() == 3; }
  std::vector<double> wanted;
};

// Doubles its residual, which starts at `first`, in each iteration.
class Rising final : public Halving {
 public:
  explicit Rising(double first = 1) : first_(first) {}
  std::vector<NamedValue> residuals() override { return {{"r", first_ * std::pow(2, done)}}; }

 private:
  double first_;
};

// Falls to 0.002 in 30 iterations and then stays constant.
class Stuck final : public Halving {
 public:
  std::vector<NamedValue> residuals() override { return {{"r", std::pow(0.002, std::min(done, 30) / 30.0)}}; }
};

// Reduces its residual by 0.4 % per iteration.
class Slow final : public Halving {
 public:
  std::vector<NamedValue> residuals() override { return {{"r", std::pow(0.99, done / 5.0 * 2)}}; }
};

class Short final : public Halving {
 public:
  int longest_interval() const override { return 3; }
};

struct Driven {
  Halving* iteration;
  Solver solver;
  template <class I>
  Driven(std::unique_ptr<I> i, const Config& config)
      : iteration(i.get()), solver(backend(BackendKind::serial), std::move(i), config) {}
};

}  // namespace

TEST_CASE("a solve ends at the first check at which every residual has fallen to the tolerance", "[driver]") {
  Driven d(std::make_unique<Halving>(), {{"check_interval", 3}});
  const Outcome o = d.solver.solve(1.0 / 100, 50);  // 2^-7 < 1/100, seen at 9
  CHECK(o.converged);
  CHECK(o.iterations == 9);
  CHECK(o.relative_residual == std::pow(0.5, 9));  // the larger of the two
  REQUIRE(o.residuals.size() == 2);
  CHECK(o.residuals[0].name == "half");
  CHECK(o.residuals[1].value == std::pow(0.1, 9));
  CHECK(o.history == std::vector<std::pair<int, double>>{{0, 1}, {3, 0.125}, {6, 1.0 / 64}, {9, 1.0 / 512}});
  CHECK(o.cost.bytes == 9 + 4 * 100);
  CHECK(d.iteration->stores == 1);
}

TEST_CASE("a solve stops at its iteration limit and reports that it has not converged", "[driver]") {
  Driven d(std::make_unique<Halving>(), {{"check_interval", 4}});
  const Outcome o = d.solver.solve(1e-30, 6);
  CHECK_FALSE(o.converged);
  CHECK(o.iterations == 6);
  CHECK(d.iteration->stretches == std::vector<int>{4, 2});
}

TEST_CASE("one residual that is NaN ends a solve", "[driver]") {
  Driven d(std::make_unique<Halving>(), {{"check_interval", 1}});
  d.iteration->nan_at = 2;
  const Outcome o = d.solver.solve(1e-30, 50);
  CHECK_FALSE(o.converged);
  CHECK(o.iterations == 2);
  CHECK(std::isnan(o.relative_residual));
}

TEST_CASE("a residual above a hundred times its first ends a solve as diverged", "[driver]") {
  Driven d(std::make_unique<Rising>(), {{"check_interval", 1}});
  const Outcome o = d.solver.solve(1e-6, 5000);
  CHECK(o.iterations == 7);  // 2^7
  CHECK_FALSE(o.converged);
  CHECK(diverged_by(o) == 7);
}

TEST_CASE("a first residual that overflows is not convergence", "[driver]") {
  Driven d(std::make_unique<Rising>(std::numeric_limits<double>::infinity()), {{"check_interval", 1}});
  const Outcome o = d.solver.solve(1e-6, 50);
  CHECK(o.iterations == 0);
  CHECK_FALSE(o.converged);
  CHECK(diverged_by(o) == 0);
}

TEST_CASE("a solve inside another one ends when its residual stagnates, and no other solve does",
          "[driver]") {
  for (const bool inner : {false, true}) {
    Driven stuck(std::make_unique<Stuck>(), {{"check_interval", 1}});
    stuck.solver.ends_when_stalled = inner;
    CHECK(stuck.solver.solve(1e-6, 500).iterations == (inner ? 60 : 500));  // 30, then 30 more
    Driven slow(std::make_unique<Slow>(), {{"check_interval", 1}});
    slow.solver.ends_when_stalled = inner;
    CHECK(slow.solver.solve(1e-6, 5000).converged);
  }
}

TEST_CASE("an iteration's longest interval shortens the check interval and disables graphs", "[driver]") {
  Driven d(std::make_unique<Short>(), {{"check_interval", 10}, {"graph_iterations", 10}});
  d.solver.solve(1e-30, 7);
  CHECK(d.iteration->stretches == std::vector<int>{3, 3, 1});
}

TEST_CASE("iterations between two checks are recorded in blocks and the remaining ones run singly",
          "[driver]") {
  Driven d(std::make_unique<Halving>(), {{"check_interval", 5}, {"graph_iterations", 2}});
  d.solver.solve(1e-30, 5);
  CHECK(d.iteration->stretches == std::vector<int>{2, 2, 1});
}

TEST_CASE(
    "without a check interval an iteration gets the remaining iterations and reduction, and ends when it "
    "stalls",
    "[driver]") {
  auto stubborn = std::make_unique<Stubborn>();
  Stubborn& it = *stubborn;
  Driven d(std::move(stubborn), {});
  const Outcome o = d.solver.solve(1.0 / 4096, 50);
  CHECK(o.iterations == 9);
  CHECK_FALSE(o.converged);
  CHECK(it.wanted == std::vector<double>{1.0 / 4096, 1.0 / 512, 1.0 / 64});
}

TEST_CASE("the unknowns are up to date at each check", "[driver]") {
  Driven d(std::make_unique<Halving>(), {{"check_interval", 5}});
  std::vector<std::pair<int, int>> seen;
  d.solver.on_check = [&](const Outcome& o) { seen.push_back({o.iterations, d.iteration->stores}); };
  d.solver.solve(1e-30, 10);
  CHECK(seen == std::vector<std::pair<int, int>>{{0, 1}, {5, 2}, {10, 3}});
}

TEST_CASE("a solve timed by routine gives the same history and counts every routine", "[driver]") {
  for (const SolverDescription& solver : solver_table())
    for (Precision p : {Precision::fp64, Precision::mixed}) {
      INFO(solver.name << " " << to_string(p));
      const SolverMethod method = solver.methods(BackendKind::serial).front();
      if (!can_do(method, {{17, 13}, true, p})) continue;
      PreparedSolver prepared(solver, method, backend(BackendKind::serial), p, method.space.defaults(),
                              posed("manufactured", {17, 13}));
      prepared.reset();
      const Outcome whole = prepared.solve(1e-30, 40);
      const HostField u = prepared.solution();
      prepared.reset();
      const Outcome timed = prepared.solve_by_routine(1e-30, 40);
      CHECK(whole.routines.empty());
      CHECK(timed.history == whole.history);
      CHECK(prepared.solution().get(3, 4) == u.get(3, 4));
      REQUIRE(timed.routines.size() >= 2);
      bool each_iteration = method.library;  // a library may do all iterations in one call
      for (const RoutineTime& r : timed.routines) {
        CHECK(r.seconds > 0);
        each_iteration |= r.calls >= timed.iterations;
      }
      CHECK(each_iteration);
      CHECK(prepared.solve(1e-30, 40).routines.empty());
    }
}

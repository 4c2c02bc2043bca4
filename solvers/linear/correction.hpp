// A library's solver as an iteration: it solves for what the residual at hand says, with zero around it, and
// the answer is added. Boundary values, the residual and the end are ours.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>

#include "solvers/linear/method.hpp"

namespace cfdmark {

inline constexpr const char* setup_seconds_name = "setup_seconds";  // among the results of a solve

// Of what a library prepares before it can solve: plans, matrices, coarse operators. It is not in the time of
// a solve and is told beside it.
template <class SetUp>
double seconds_to(const SetUp& set_up) {
  const auto start = std::chrono::steady_clock::now();
  set_up();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Correction : public Iteration {
 public:
  Correction(const System& system, const Config& config) : r_(system.new_field()), rr_(*system.backend) {
    const Operations op(system, config);
    residual_ = op.residual(system.u, system.b, r_.view());
    dot_ = op.dot(r_.view(), r_.view(), rr_);
    correct_ = op.update({1}, r_.view(), {1}, system.u, "correct");
  }

  void start() final { norm_ = before_ = std::numeric_limits<double>::infinity(); }
  int advance(int most, double reduction) final {
    const int iterations = solve(most, reduction);
    correct_();
    return iterations;
  }
  std::vector<NamedValue> residuals() final {
    residual_();
    dot_();
    before_ = norm_;
    norm_ = std::sqrt(rr_.get());
    return linear_residual(norm_);
  }
  bool has_stalled() const final { return norm_ > before_ / 2; }
  std::vector<NamedValue> results() final { return {{setup_seconds_name, setup_seconds_}}; }

 protected:
  // From r to A^-1 r in its place, or as near as `most` iterations and a residual of `reduction` times r's
  // want it. Returns how many it took.
  virtual int solve(int most, double reduction) = 0;

  Field r_;
  DeviceScalar rr_;
  Operation residual_, dot_, correct_;
  double setup_seconds_ = 0;

 private:
  double norm_ = 0, before_ = 0;
};

// Of a library that iterates by itself. What it moves is not known: its cost is an update of each cell an
// iteration.
class IteratedCorrection : public Correction {
 public:
  IteratedCorrection(const System& system, const Config& config, const char* routine)
      : Correction(system, config), cells_(system.grid().cells()) {
    solve_ = {routine, system.backend, system.clock, {}, {}};
  }

  Cost cost(int iterations) const final { return {0, 0, double(iterations) * double(cells_)}; }
  Resources resources() const final { return solve_.step.resources; }

 protected:
  // Its step takes `most_` and `reduction_`, and leaves in `done_` how many iterations it took.
  Operation solve_;
  int most_ = 1, done_ = 0;
  double reduction_ = 1;

 private:
  int solve(int most, double reduction) final {
    most_ = most, reduction_ = reduction;
    solve_();
    return done_;
  }

  Index cells_;
};

}  // namespace cfdmark

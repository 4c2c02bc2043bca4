// A library's solver as an iteration. The library solves A e = r for the current residual r with zero
// boundary values, and e is added to u. Boundary values, residual checks and stopping remain in this project.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

inline constexpr const char* setup_seconds_name = "setup_seconds";  // name of a result of a solve

// Returns the seconds that set_up() takes: a library's plans, matrices and coarse operators. Set-up is not
// part of a solve's time and is reported separately.
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
  // Replaces the residual in r_ by an approximation of A^-1 r_. Performs at most `most` iterations and ends
  // when the inner residual is `reduction` times |r_|. Returns the number of iterations.
  virtual int solve(int most, double reduction) = 0;

  Field r_;
  DeviceScalar rr_;
  Operation residual_, dot_, correct_;
  double setup_seconds_ = 0;

 private:
  double norm_ = 0, before_ = 0;
};

// Base of libraries that iterate by themselves. Their memory traffic is unknown, so the declared cost is one
// update per cell and iteration.
class IteratedCorrection : public Correction {
 public:
  IteratedCorrection(const System& system, const Config& config, const char* routine)
      : Correction(system, config), cells_(system.grid().cells()) {
    solve_ = {routine, system.backend, system.clock, {}, {}};
  }

  Cost cost(int iterations) const final { return {0, 0, double(iterations) * double(cells_)}; }
  Resources resources() const final { return solve_.step.resources; }

 protected:
  // Its step reads most_ and reduction_ and stores the number of iterations in done_.
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

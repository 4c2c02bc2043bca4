// How the time of a run is shared among its cases.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "bench/measure/seconds_now.hpp"

namespace cfdmark {

class Budget {
 public:
  // `case_seconds`: that the samples of a case may take when time is no matter. `seconds`: for all cases
  // together, of which they should take `share`.
  Budget(double case_seconds, std::optional<double> seconds, std::size_t cases, double share = 1)
      : case_seconds_(case_seconds),
        limited_(seconds),
        end_(seconds_now() + seconds.value_or(0)),
        wanted_end_(end_ - (1 - share) * seconds.value_or(0)),
        left_(cases) {}

  bool over() const { return limited_ && seconds_now() >= end_; }
  // Even for what was begun in time.
  bool far_over() const { return limited_ && seconds_now() >= end_ + overrun; }

  // Seconds that the samples of each next case may take.
  double seconds_a_case() const {
    if (!limited_ || left_ == 0) return case_seconds_;
    return std::clamp((wanted_end_ - seconds_now()) / double(left_) - besides_a_case(), least, case_seconds_);
  }

  // So many cases took `seconds`, of which their samples took `sampled`.
  void spend(std::size_t cases, double seconds, double sampled) {
    ended_ += cases;
    left_ -= std::min(left_, cases);
    besides_ += std::max(0.0, seconds - sampled);
  }

 private:
  double besides_a_case() const { return ended_ ? besides_ / double(ended_) : first_guess; }

  static constexpr double overrun = 10;  // seconds
  static constexpr double first_guess =
      0.1;  // that a case takes besides its samples: prepared, verified, warmed up
  static constexpr double least = 0.02;  // below this an interval means little

  double case_seconds_;
  bool limited_;
  double end_, wanted_end_, besides_ = 0;
  std::size_t left_, ended_ = 0;
};

}  // namespace cfdmark

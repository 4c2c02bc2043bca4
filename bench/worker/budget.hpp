// Distributes the time of a run over its cases.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "bench/text/seconds_now.hpp"

namespace cfdmark {

class Budget {
 public:
  static constexpr double least = 0.02;  // a shorter sampling time gives no useful interval

  // `case_seconds` is the sampling time of a case without a limit. `seconds` is the time for all cases, of
  // which they should use `share`. A limit never shortens the sampling of a case to less than
  // `least_case_seconds`.
  Budget(double case_seconds, std::optional<double> seconds, std::size_t cases, double share = 1,
         double least_case_seconds = least)
      : case_seconds_(case_seconds),
        least_case_seconds_(std::min(least_case_seconds, case_seconds)),
        limited_(seconds),
        end_(seconds_now() + seconds.value_or(0)),
        wanted_end_(end_ - (1 - share) * seconds.value_or(0)),
        left_(cases) {}

  bool over() const { return limited_ && seconds_now() >= end_; }
  // Returns true if even work that started in time has to stop.
  bool far_over() const { return limited_ && seconds_now() >= end_ + overrun; }

  // Returns the sampling time for each remaining case, in seconds.
  double seconds_a_case() const {
    if (!limited_ || left_ == 0) return case_seconds_;
    return std::clamp((wanted_end_ - seconds_now()) / double(left_) - besides_a_case(), least_case_seconds_,
                      case_seconds_);
  }

  // Records that `cases` took `seconds`, of which `sampled` were spent on samples.
  void spend(std::size_t cases, double seconds, double sampled) {
    ended_ += cases;
    left_ -= std::min(left_, cases);
    besides_ += std::max(0.0, seconds - sampled);
  }

 private:
  double besides_a_case() const { return ended_ ? besides_ / double(ended_) : first_guess; }

  static constexpr double overrun = 10;  // seconds
  // Initial estimate of a case's time in addition to its samples: preparation, verification, warm-up.
  static constexpr double first_guess = 0.1;

  double case_seconds_, least_case_seconds_;
  bool limited_;
  double end_, wanted_end_, besides_ = 0;
  std::size_t left_, ended_ = 0;
};

}  // namespace cfdmark

// Prints the results of a check of tuned configs at all its sizes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/tune/check.hpp"
#include "bench/tune/job.hpp"

namespace cfdmark {

class TuneChecks {
 public:
  // Prints the sizes of a job.
  void add(const tuning::TuneJob&, const tuning::TuneResult&);
  // Prints the worst results over all sizes, and the sizes that exceed a limit.
  void print() const;

  bool hold() const { return failed_.empty(); }
  bool complete() const { return untold_ == 0; }

 private:
  struct Worst {
    double worst = 0;
    std::string where = "nowhere";
    void see(double ratio, const std::string& here) {
      if (ratio > worst) worst = ratio, where = here;
    }
  };

  void add(const tuning::TuneJob&, const tuning::CheckedSize&);
  void untold(const Grid&, const std::string& reason);

  std::size_t sizes_ = 0, untold_ = 0;
  Worst best_, default_, untuned_;
  std::vector<std::string> failed_, slow_defaults_;
};

}  // namespace cfdmark

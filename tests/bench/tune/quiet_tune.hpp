// Silent tunes of failing rows, for tests.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "bench/tune/tune.hpp"
#include "test_paths.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

namespace cfdmark::tuning {

inline TuningTarget faulty_subject(const std::vector<std::string>& methods, int n = 8) {
  TuningTarget target;
  target.grid = {n, n, 1};
  for (const std::string& method : methods)
    for (const Row& row : faulty_rows())
      if (row.name == "tunable" && row.method == method) target.methods.push_back(&row);
  REQUIRE(target.methods.size() == methods.size());
  return target;
}

// The first start of a worker may take seconds with several GPUs.
inline TuneOptions quick_options(const TemporaryFolder& folder) {
  TuneOptions options;
  options.output = folder / "tune.jsonl";
  options.tuned_folder = folder / "tuned";
  options.timeout = 30;
  options.measure_roof = false;
  options.worker = {CFDMARK_FAULTY_WORKER};
  options.worker_rows = &faulty_worker_rows();
  return options;
}

// A progress line without output.
class Quiet {
 public:
  Quiet() : nowhere_(std::fopen("/dev/null", "w")), progress_(nowhere_) {}
  ~Quiet() {
    progress_.clear();
    std::fclose(nowhere_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  Progress& progress() { return progress_; }

 private:
  std::FILE* nowhere_;
  Progress progress_;
};

inline TuneResult tune_quietly(const std::vector<TuningTarget>& targets, const TuneOptions& options) {
  Quiet quiet;
  return tune(targets, options, quiet.progress());
}

// Returns the message of the error of type E that a tune ends with.
template <class E>
std::string error_of(const std::vector<TuningTarget>& targets, const TuneOptions& options) {
  try {
    tune_quietly(targets, options);
  } catch (const E& e) {
    return e.what();
  }
  FAIL("the tune ended without an error");
  return "";
}

}  // namespace cfdmark::tuning

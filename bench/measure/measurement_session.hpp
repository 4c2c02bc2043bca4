// Prepares and verifies cases one by one, keeps them in memory and measures them interleaved.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "bench/measure/prepared_case.hpp"

namespace cfdmark {

// The settings of a measurement request, for each case.
struct MeasureRequest {
  double seconds = 1;      // sampling time per case
  double interval = 0.02;  // see MeasureOptions
  int fewest_samples = 0;  // see MeasureOptions
  // Number of samples; cases stay prepared for further requests. 0: until the interval is narrow enough.
  int samples = 0;
  bool instructions = true;
  // Per case: true if another process has already verified it and measured its energy. Empty: none.
  std::vector<bool> again;
  // Compiles the device code of a batch in advance. False after a worker was lost, so that a crash points to
  // its case.
  bool ahead = true;
  // Seconds after which preparing a batch stops and its cases are measured. Limits what a crash or the end of
  // the run can waste.
  double preparing = 10;
  // Seconds after which no case is started; the remaining ones get no result. Near the limit a batch has
  // fewer cases, and cases have fewer samples, but at least one.
  double within = std::numeric_limits<double>::infinity();
  // Limit of a verified solve, in seconds; a longer one ends as a timeout.
  double solve_seconds = std::numeric_limits<double>::infinity();
};

// Callbacks during a measurement, with the index of the case in the request.
struct MeasurementEvents {
  std::function<void(std::size_t, Stage)> entering;
  std::function<void(std::size_t, const CaseResult&)> result;
};

class MeasurementSession {
 public:
  // Measures all cases in as few batches as memory and time allow, and reports a result for each. With a
  // fixed number of samples, `fresh` in the result is true if the case has just been prepared; only then are
  // its instructions counted.
  // Returns false if `within` ended before the last case. Throws DeviceLost after the result of the case
  // whose device was lost; cases without a result were not measured.
  bool measure(const std::vector<Case>& cases, const MeasureRequest& wanted, const MeasurementEvents& events);
  // Frees all prepared cases.
  void release();

 private:
  struct Request;
  struct Kept {
    Case c;
    std::unique_ptr<PreparedCase> ready;
  };

  // Prepares a batch. Returns the index of the first case that did not fit, for lack of memory or time.
  std::size_t fill(const Request&, std::size_t first, std::vector<std::size_t>& indices);
  std::vector<const Case*> to_prepare(const Request&, std::size_t first);
  bool prepare(const Request&, std::size_t index);
  void measure_batch(const Request&, const std::vector<std::size_t>& indices);
  static void add_extras(const Request&, std::size_t index, const PreparedCase&, CaseResult&);
  Kept* find(const Case&);
  void make_room(const Case&, const std::vector<std::size_t>& in_use, const Request&);

  std::vector<Kept> kept_;  // least recently used first
};

}  // namespace cfdmark

// Valid records for tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/text/json.hpp"

namespace cfdmark {

inline Json time_of(const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  const double median = n == 0 ? 0 : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  return {{"samples", samples}, {"steps_per_sample", 1}, {"median", median}};
}

// Returns the record of a measured case, or of one that did not run if there are no samples.
inline Json sound_record(const std::string& name, const std::vector<double>& samples = {}) {
  Json record = {
      {"type", "record"},         {"schema", 2},        {"case", name},
      {"kind", "kernel"},         {"name", "copy"},     {"backend", "serial"},
      {"precision", "fp64"},      {"method", "plain"},  {"grid", {8, 8}},
      {"config", Json::object()}, {"environment", "e"}, {"status", samples.empty() ? "not_run" : "ok"}};
  if (!samples.empty()) record["time"] = time_of(samples);
  return record;
}

}  // namespace cfdmark

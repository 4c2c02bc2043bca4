// The 95 % interval of a median in records and tables.
#pragma once

#include "bench/text/json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// True from six samples per process: minimum and maximum of five contain the median with 94 % probability
// only.
inline bool has_interval(const MedianInterval& median) { return median.confidence >= 0.95; }

// Adds the ends of the interval under these keys, if there is one.
inline void add_interval(Json& json, const MedianInterval& median, const char* low, const char* high) {
  if (has_interval(median)) json[low] = median.low, json[high] = median.high;
}

}  // namespace cfdmark

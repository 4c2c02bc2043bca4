// The 95 % interval of a median in records and tables.
#pragma once

#include "bench/record/json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// True from six samples a process on: the least and the greatest of five hold the median in 94 of 100 cases.
inline bool has_interval(const MedianInterval& median) { return median.confidence >= 0.95; }

// Adds its ends under these keys, where it has an interval.
inline void add_interval(Json& json, const MedianInterval& median, const char* low, const char* high) {
  if (has_interval(median)) json[low] = median.low, json[high] = median.high;
}

}  // namespace cfdmark

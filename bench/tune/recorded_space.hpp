// Recorded tuning spaces: read from files of records, to be searched again without the device.
#pragma once

#include <string>
#include <vector>

#include "bench/text/json.hpp"
#include "tuning/selection.hpp"
#include "tuning/simulation.hpp"

namespace cfdmark::tuning {

// Records of one kernel or solver on one backend, precision and grid, over methods and configs.
struct RecordedSpace {
  std::string name;           // "jacobi/cuda/fp64@4096x4096"
  SearchSpace space;          // by method, then by values; excluded configs are absent
  std::vector<Json> records;  // by candidate
  std::vector<Evaluation> evaluations;
  Json environment;  // environment line of the first record; null if missing
};

struct RecordedSpaces {
  std::vector<RecordedSpace> spaces;  // in file order
  std::vector<std::string> warnings;  // one per skipped line
};
// Throws std::invalid_argument if the file cannot be read or no record in it has a time.
RecordedSpaces read_spaces(const std::string& path);

// Result of one search over a recorded space.
struct Replay {
  std::vector<Evaluation> evaluations;
  std::vector<TracePoint> trace;
  Selection choice;
  double measuring_seconds = 0, setup_seconds = 0;
};
Replay replay(const RecordedSpace&, const std::string& strategy, const SearchOptions&);

// Quality and cost of a strategy over searches with seeds 1 to `replays`.
struct StrategyScore {
  std::string strategy;
  // Number of replays, and of those whose winner is within 2 % of the best recorded median.
  int replays = 0, within_2_percent = 0;
  double worst = 1;  // worst ratio of the winner's recorded median to the best
  double cost = 0;   // largest ratio of measuring time to that of all candidates
};
StrategyScore score(const RecordedSpace&, const std::string& strategy, int replays);

// recorded_best() returns the candidate with the least recorded median, recorded_median() its median.
std::size_t recorded_best(const RecordedSpace&);
double recorded_median(const RecordedSpace&, std::size_t candidate);
// Returns the seconds to measure every candidate with `samples` samples.
double exhaustive_seconds(const RecordedSpace&, int samples = SearchOptions().samples);

}  // namespace cfdmark::tuning

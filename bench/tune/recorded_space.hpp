// Spaces as a tuner recorded them: read from files of records, to be searched again without the device.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"
#include "tuning/selection.hpp"
#include "tuning/simulation.hpp"

namespace cfdmark::tuning {

// The records of one kernel or solver on one backend, precision and grid, over methods and configs.
struct RecordedSpace {
  std::string name;           // "jacobi/cuda/fp64@4096x4096"
  SearchSpace space;          // by method, then by values; without what a constraint left out
  std::vector<Json> records;  // of the candidates
  std::vector<Evaluation> evaluations;
  Json environment;  // of the first record; null if its line is missing
};

struct RecordedSpaces {
  std::vector<RecordedSpace> spaces;  // in the order of the file
  std::vector<std::string> warnings;  // for lines that were left out
};
// Throws std::invalid_argument if the file cannot be read or no record in it has a time.
RecordedSpaces read_spaces(const std::string& path);

// One search over a recorded space.
struct Replay {
  std::vector<Evaluation> evaluations;
  std::vector<TracePoint> trace;
  Selection choice;
  double measuring_seconds = 0, setup_seconds = 0;
};
Replay replay(const RecordedSpace&, const std::string& strategy, const SearchOptions&);

// Many searches with seeds 1 .. n: how good and how dear a strategy is.
struct StrategyScore {
  std::string strategy;
  int replays = 0, within_2_percent = 0;  // of the best recorded median
  double worst = 1;                       // the winner's recorded median over the best one
  double cost = 0;  // measuring time over that of all candidates; the greatest of the replays
};
StrategyScore score(const RecordedSpace&, const std::string& strategy, int replays);

// The candidate with the least recorded median, and that median.
std::size_t recorded_best(const RecordedSpace&);
double recorded_median(const RecordedSpace&, std::size_t candidate);
// Seconds that measuring every candidate takes, with as many samples as settle one.
double exhaustive_seconds(const RecordedSpace&, int samples = SearchOptions().samples);

}  // namespace cfdmark::tuning

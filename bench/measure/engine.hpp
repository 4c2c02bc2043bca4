// Google Benchmark reduced to what measuring needs: repetitions of several functions, interleaved at random,
// every one of them reported.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cfdmark {

struct EngineCase {
  std::string name;  // unique in a round
  int repetitions = 1;
  std::function<double()> sample;  // returns the seconds that its clock saw; must not throw
};

// Seconds of each repetition of each case, in the order in which they ran.
std::vector<std::vector<double>> run_round(const std::vector<EngineCase>& cases);

}  // namespace cfdmark

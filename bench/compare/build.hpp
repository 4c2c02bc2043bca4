// A build of cfdmark, this program's or another: its rows and its environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"

namespace cfdmark::compare {

class Build {
 public:
  // Asks the program in the folder for its rows, and its worker what it runs on. Throws std::invalid_argument
  // if there is none, or none that answers as this program would.
  explicit Build(std::string folder);

  const std::string& folder() const { return folder_; }
  std::vector<std::string> worker_command() const { return {program_, "worker"}; }
  const std::vector<Row>& rows() const { return rows_; }  // they cannot prepare; the build's worker can
  // Why a row cannot run, empty if it can; null if the build does not have it.
  const std::string* unavailable(const Row&) const;
  // The same of a case; null also if the build does not know what is asked of it.
  const std::string* unavailable(const Case&) const;
  // The environment line of its runs.
  const Json& environment() const { return environment_; }

 private:
  void ask_worker();

  std::string folder_, program_;
  std::vector<Row> rows_;
  std::map<std::string, std::string> unavailable_;  // by row
  Json environment_;
};

// The rows of both builds, for expanding a sweep: one is unavailable only where it is so in both. This
// program's own rows lend what a list does not say (which grids they take, what memory they need).
std::vector<Row> rows_of_both(const Build& base, const Build& now);

}  // namespace cfdmark::compare

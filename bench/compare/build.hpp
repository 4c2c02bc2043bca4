// A build of cfdmark, this program's or another: its rows and its environment.
#pragma once

#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"
#include "bench/worker/worker_rows.hpp"

namespace cfdmark::compare {

class Build {
 public:
  // Gets the rows from the program in the folder and the environment from its worker. Throws
  // std::invalid_argument if the folder has no program, the program's answers are invalid, or its worker
  // speaks another protocol.
  explicit Build(std::string folder);

  const std::string& folder() const { return folder_; }
  std::vector<std::string> worker_command() const { return {program_, "worker"}; }
  // Returns the rows of the build, to expand sweeps. Only the build's own worker can prepare their cases.
  const std::vector<Row>& rows() const { return rows_; }
  const WorkerRows& worker_rows() const { return worker_rows_; }
  // Returns why a row cannot run: empty if it can, null if the build does not have it.
  const std::string* unavailable(const Row&) const;
  // Returns the same for a case. Null also if the build does not know one of its settings.
  const std::string* unavailable(const Case&) const;
  // Returns the environment line of its runs.
  const Json& environment() const { return environment_; }

 private:
  void ask_worker();

  std::string folder_, program_;
  std::vector<Row> rows_;
  WorkerRows worker_rows_;  // of `rows_`, which `list --json` prints in the order of the catalog
  Json environment_;
};

// Returns the rows of both builds, for expanding a sweep. A row is unavailable only if it is so in both
// builds. This program's own rows supply what `list --json` omits: accepted grids and memory sizes.
std::vector<Row> rows_of_both(const Build& base, const Build& now);

}  // namespace cfdmark::compare

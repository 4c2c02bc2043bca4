// One side of a comparison: what was recorded of each case, from a file or from the processes of a build.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/catalog/case_filter.hpp"
#include "bench/compare/ratio.hpp"
#include "bench/record/json.hpp"
#include "bench/record/records.hpp"

namespace cfdmark::compare {

struct SideCase {
  std::map<int, Json> records;  // by round; a run's own file has round 0 only

  // The status that counts: the first that is not ok, else ok.
  std::string status() const;
  std::string reason() const;
  // The case's name for people: `label`, or the whole name.
  std::string label() const;
  const Json& last() const { return records.rbegin()->second; }
};

class Side {
 public:
  Side() = default;
  // `name`: what it is called to people: a file's or a build folder's.
  explicit Side(std::string name) : name_(std::move(name)) {}
  // What files of results hold, called `name`. Of several, each is one process: the n-th by its place here.
  // Throws std::invalid_argument if there is no record, or if one of several files holds rounds of its own.
  static Side of_files(const std::string& name, std::vector<RecordFile> files);

  // Forgets the cases that do not pass. Throws std::invalid_argument if none does.
  void keep_only(const CaseFilter&);
  // Everything that is known, as lines of one file: the processes of a case as one record with all samples.
  std::vector<Json> merged_lines() const;

  // A line of a file or from a worker. A record of the same case and round replaces the earlier one.
  void add(const Json& line);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& names() const { return names_; }  // of cases, in the order they came
  const SideCase* find(const std::string& name) const;
  std::size_t files() const { return files_; }  // that it was read from; 0 if from none
  const std::vector<Json>& environments() const { return environments_; }  // those that records point at
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Whether a record was of another schema than this program writes, and was not read as one of it.
  bool has_unknown_schema() const { return has_unknown_schema_; }

 private:
  void add_record(const Json& record);
  void tell_repeated();
  void warn_of_missing();
  void keep_used_environments();

  std::string name_;
  std::vector<std::string> names_, warnings_, repeated_;
  std::map<std::string, SideCase> cases_;
  std::vector<Json> environments_;
  bool has_unknown_schema_ = false;
  std::size_t files_ = 0;
};

// The times of a case on both sides, as far as they can be put beside each other.
struct CommonTimes {
  Processes base, now;  // of the rounds that both have; all samples as of one process if there is none
  Beside beside = Beside::process;  // `samples` where these are the least of each turn
  std::string why_not;              // if there are none
  std::vector<std::string> warnings;
};
// The samples of a run's record by process, if all can be believed; else none.
Processes processes_of_run(const Json& record);

CommonTimes common_times(const SideCase& base, const SideCase& now);

}  // namespace cfdmark::compare

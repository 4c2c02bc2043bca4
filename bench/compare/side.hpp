// A side of a comparison is the base or the new program, or the base measured again as a control. It holds
// the records of its cases, from files or from the processes of a build.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/case/case_filter.hpp"
#include "bench/compare/ratio.hpp"
#include "bench/record/records.hpp"
#include "bench/text/json.hpp"

namespace cfdmark::compare {

struct SideCase {
  std::map<int, Json> records;  // by round; a file of one run has round 0 only

  // Returns the first status that is not ok, else ok.
  std::string status() const;
  std::string reason() const;
  // Returns the name for people: `label`, or the identifier.
  std::string label() const;
  const Json& last() const { return records.rbegin()->second; }
};

class Side {
 public:
  Side() = default;
  // `name` is shown to people: a file or a build folder.
  explicit Side(std::string name) : name_(std::move(name)) {}
  // Reads result files as one side. With several files, each counts as one process, numbered by its position.
  // Throws std::invalid_argument for files without a record, and if one of several files contains rounds.
  static Side of_files(const std::string& name, std::vector<RecordFile> files);

  // Removes cases that do not match the filter.
  void keep_only(const CaseFilter&);
  // Returns the lines of one file; all samples of a case are in one record.
  std::vector<Json> merged_lines() const;

  // Adds a line from a file or a worker. A record replaces an earlier one of the same case and round.
  void add(const Json& line);

  const std::string& name() const { return name_; }
  // Identifiers of cases, in order of arrival.
  const std::vector<std::string>& names() const { return names_; }
  const SideCase* find(const std::string& name) const;
  std::size_t files() const { return files_; }  // number of files read; 0 if from none
  const std::vector<Json>& environments() const { return environments_; }  // only those that records refer to
  const std::vector<std::string>& warnings() const { return warnings_; }
  // True if a record's schema is not the one that this program writes.
  bool has_unknown_schema() const { return has_unknown_schema_; }

 private:
  void add_record(const Json& record);
  void warn_of_repeated();
  void warn_of_missing();
  void keep_used_environments();

  std::string name_;
  std::vector<std::string> names_, warnings_, repeated_;
  std::map<std::string, SideCase> cases_;
  std::vector<Json> environments_;
  bool has_unknown_schema_ = false;
  std::size_t files_ = 0;
};

// The times of a case on both sides, as far as they can be paired.
struct CommonTimes {
  Processes base, now;  // of the rounds that both have; if there are none, all samples as of one process
  Pairing pairing = Pairing::process;  // `samples` if each entry is the minimum of one turn
  std::string why_not;                 // reason if there are no times
  std::vector<std::string> warnings;
};
// Returns the samples of a run's record by process; empty if one of them is implausible.
Processes processes_of_run(const Json& record);

CommonTimes common_times(const SideCase& base, const SideCase& now);

}  // namespace cfdmark::compare

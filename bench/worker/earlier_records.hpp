// The records that earlier runs left in a file.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

// Returns whether a record counts: its environment line is `there`, and `here` describes this program and
// machine.
using RecordCounts = std::function<bool(const Record&, const Json& there, const Json& here)>;

// Returns true for a record of this program, this machine and the same threads.
bool is_of_this_program(const Record&, const Json& there, const Json& here);

// The last record of each case in a file.
class EarlierRecords {
 public:
  EarlierRecords() = default;
  // `here` describes this program, machine and threads. Records that do not count, by default those of
  // another program, machine or number of threads, are not done, nor are records with unreadable samples.
  EarlierRecords(const std::vector<Json>& lines, const Json& here,
                 const RecordCounts& counts = is_of_this_program);

  // Returns true if the case was measured with a correct result, so that it need not run again.
  bool done(const Case&) const;
  // Returns the status of a case's newest record, of any program; empty if there is none.
  std::string newest_status(const Case&) const;
  // Returns true if the case is recorded as not run for the same reason.
  bool not_run_as_before(const Case&) const;
  // Returns the number of records that do not count.
  std::size_t elsewhere() const { return elsewhere_; }
  // Returns the record that counts; null if there is none.
  const Record* find(const Case&) const;

 private:
  std::map<std::string, Record> records_;      // by case; those that count
  std::map<std::string, std::string> newest_;  // status by case
  std::size_t elsewhere_ = 0;
};

}  // namespace cfdmark

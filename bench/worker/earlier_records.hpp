// The records that earlier runs left in a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

// The last record of each case in a file.
class EarlierRecords {
 public:
  EarlierRecords() = default;
  // `here` describes this program, machine and threads. Records of another program, machine or number of
  // threads do not count as done, nor do records with unreadable samples.
  EarlierRecords(const std::vector<Json>& lines, const Json& here);

  // Returns true if the case was measured with a correct result, so that it need not run again.
  bool done(const Case&) const;
  // Returns the status of a case's newest record, of any program; empty if there is none.
  std::string newest_status(const Case&) const;
  // Returns true if the case is recorded as not run for the same reason.
  bool not_run_as_before(const Case&) const;
  // Returns the number of records from another program, machine or number of threads.
  std::size_t elsewhere() const { return elsewhere_; }
  // Returns the record of this program, machine and threads; null if there is none.
  const Record* find(const Case&) const;

 private:
  std::map<std::string, Record> records_;      // by case; of this program and machine
  std::map<std::string, std::string> newest_;  // status by case
  std::size_t elsewhere_ = 0;
};

}  // namespace cfdmark

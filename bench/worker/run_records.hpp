// The records of a run: the newest of each case, joined over its processes and written to the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/earlier_records.hpp"
#include "bench/worker/run.hpp"

namespace cfdmark {

class RunRecords {
 public:
  // Cases are known by their index in `cases`. Both references must outlive this object.
  RunRecords(const std::vector<Case>& cases, const EarlierRecords& earlier, RecordWriter& writer);

  // Returns the newest record of this program and machine; null if there is none.
  const Record* find(std::size_t n) const { return known_[n] ? &*known_[n] : nullptr; }
  // Returns the cases that are ok and were measured in fewer processes.
  std::vector<std::size_t> in_fewer_processes(int processes) const;
  // Returns the record of a case with the result of a process added: the known record if there is an ok one,
  // else a new record. None if a further process could not run the case, which changes nothing. A process in
  // which it failed makes the case failed. `environment` is the run's environment line.
  std::optional<Record> record_with(std::size_t n, CaseResult, const Json& environment) const;
  // Writes a record, which becomes the newest of its case.
  void write(std::size_t n, Record);
  // Sets the numbers of cases by status.
  void count(RunSummary&) const;

 private:
  const std::vector<Case>& cases_;
  RecordWriter& writer_;
  std::vector<std::optional<Record>> known_;
  std::vector<std::string> newest_status_;  // of any program; empty if there is none
  std::vector<bool> written_;               // by this run
};

}  // namespace cfdmark

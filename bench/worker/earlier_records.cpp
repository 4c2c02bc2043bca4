#include "bench/worker/earlier_records.hpp"

#include <tuple>

#include "bench/device_facts/machine.hpp"

namespace cfdmark {
namespace {

// Returns program, machine and threads; records that agree in these are interchangeable.
std::tuple<std::string, std::string, Json> made_by(const Json& environment, const CaseId& id) {
  return {environment.value("program", Json::object()).value("fingerprint", "unknown"),
          machine_of(environment, id.backend, id.device.value_or(0)), threads_of(environment, id.backend)};
}

}  // namespace

bool is_of_this_program(const Record& record, const Json& there, const Json& here) {
  return made_by(there, record.id) == made_by(here, record.id);
}

EarlierRecords::EarlierRecords(const std::vector<Json>& lines, const Json& here, const RecordCounts& counts) {
  std::map<std::string, Json> environments;
  for (const Json& line : lines)
    if (line["type"] == "environment")
      environments[line.value("id", "")] = line;
    else if (line["type"] == "record")
      records_[line.value("case", "")] = record_from_json(line);
  for (const auto& [name, record] : records_) newest_[name] = record.result.status;
  elsewhere_ = std::erase_if(records_, [&](const auto& entry) {
    const Record& record = entry.second;
    const auto there = environments.find(record.environment);
    return there == environments.end() || !counts(record, there->second, here);
  });
  std::erase_if(records_, [](const auto& entry) { return entry.second.is_ok() && !entry.second.derived; });
}

const Record* EarlierRecords::find(const Case& c) const {
  const auto found = records_.find(case_name(c));
  return found == records_.end() ? nullptr : &found->second;
}

bool EarlierRecords::done(const Case& c) const {
  const Record* record = find(c);
  return record && record->is_ok();
}

std::string EarlierRecords::newest_status(const Case& c) const {
  const auto found = newest_.find(case_name(c));
  return found == newest_.end() ? "" : found->second;
}

bool EarlierRecords::not_run_as_before(const Case& c) const {
  const Record* record = find(c);
  return record && record->result.status == "not_run" && record->result.reason == c.not_run;
}

}  // namespace cfdmark

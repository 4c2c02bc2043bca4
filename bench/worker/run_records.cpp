#include "bench/worker/run_records.hpp"

#include "bench/catalog/source_hash.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/measure/roof.hpp"
#include "bench/worker/progress.hpp"

namespace cfdmark {

RunRecords::RunRecords(const std::vector<Case>& cases, const EarlierRecords& earlier, RecordWriter& writer)
    : cases_(cases), writer_(writer), known_(cases.size()), written_(cases.size(), false) {
  for (std::size_t n = 0; n < cases.size(); ++n) {
    newest_status_.push_back(earlier.newest_status(cases[n]));
    if (const Record* record = earlier.find(cases[n])) known_[n] = *record;
  }
}

std::vector<std::size_t> RunRecords::in_fewer_processes(int processes) const {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < cases_.size(); ++n)
    if (cases_[n].not_run.empty() && known_[n] && known_[n]->is_ok() &&
        int(known_[n]->result.samples.size()) < processes)
      found.push_back(n);
  return found;
}

std::optional<Record> RunRecords::record_with(std::size_t n, CaseResult further,
                                              const Json& environment) const {
  const bool is_first = !known_[n] || !known_[n]->is_ok();
  if (!is_first && further.status == "not_run") return std::nullopt;
  if (is_first || !further.is_ok() || !work_difference(further).empty()) {
    Record record = make_record(cases_[n], std::move(further), environment);
    record.source = source_hash(cases_[n]);
    return record;
  }
  Record joined = *known_[n];
  joined.environment = environment.at("id");
  joined.add_process(further);
  if (further.sample_count() > 0) joined.set_roof(find_roof(environment.at("roofs"), roof_key(cases_[n])));
  return joined;
}

void RunRecords::write(std::size_t n, Record record) {
  record.over_plain = cases_[n].over_plain;
  writer_.append(to_json(record));
  newest_status_[n] = record.result.status;
  written_[n] = true;
  known_[n] = std::move(record);
}

void RunRecords::count(RunSummary& summary) const {
  for (std::size_t n = 0; n < cases_.size(); ++n) {
    const std::string& status = newest_status_[n];
    summary.wrong += !status.empty() && status != "ok" && status != "not_run";
    if (!written_[n]) continue;
    ++summary.measured[status];
    if (status == "not_run") ++summary.why_not_run[known_[n]->result.reason];
    summary.unsteady += is_unsteady(*known_[n]);
    const Json& solver = known_[n]->result.solver;
    summary.unconverged += solver.is_object() && !solver.value("converged", true);
  }
}

}  // namespace cfdmark

#include "bench/runs/campaign_records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <vector>

#include "bench/catalog/source_hash.hpp"
#include "bench/device_facts/machine.hpp"
#include "bench/record/output_file.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/run.hpp"

namespace cfdmark {
namespace {

std::string program_fact(const Json& environment, const char* fact) {
  return environment.value("program", Json::object()).value(fact, "");
}

// Returns the kind of device of a case, the same on all machines that have one.
Json device_kind(const Json& environment, const CaseId& id) {
  if (on_gpu(environment, id.backend)) {
    const Json* gpu = gpu_of(environment, id.device.value_or(0));
    return gpu ? gpu->value("name", "") : "";
  }
  const Json host = environment.value("host", Json::object());
  return {host.value("cpu", ""), host.value("cores", 0), threads_of(environment, id.backend)};
}

bool same_machine(const Json& there, const Json& here, const CaseId& id) {
  return machine_of(there, id.backend, id.device.value_or(0)) ==
         machine_of(here, id.backend, id.device.value_or(0));
}

bool same_code(const Record& record, const Json& there, const Json& here, const Case& c) {
  const std::string source = source_hash(c);
  if (!source.empty()) return record.source == source;
  return program_fact(there, "fingerprint") == program_fact(here, "fingerprint");
}

constexpr double lock_seconds = 10;

using Lines = std::set<std::size_t>;  // by number in a file

// Rewrites a file with the records that `select` returns and the environments that these name, while no other
// process writes it. Returns the number of records removed; a file without records is removed.
std::size_t keep_records(const std::string& path, const std::function<Lines(const RecordFile&)>& select) {
  const int fd = open_locked(path, O_RDWR, lock_seconds);
  const RecordFile file = read_records(path);
  const Lines kept = select(file);
  std::set<std::string> environments;
  for (const std::size_t n : kept) environments.insert(file.lines[n].value("environment", ""));
  std::size_t removed = 0;
  std::string text;
  for (std::size_t n = 0; n < file.lines.size(); ++n) {
    const Json& line = file.lines[n];
    const bool is_record = line.at("type") == "record";
    const bool stays = is_record ? kept.contains(n) : environments.erase(line.value("id", "")) > 0;
    if (stays) text += one_line(line) + "\n";
    removed += is_record && !stays;
  }
  if (file.unknown_schema) removed = 0;  // lines of a newer program would be lost
  if (removed > 0 && kept.empty()) std::filesystem::remove(path);
  if (!file.unknown_schema && !kept.empty()) replace_file(path, text);
  close(fd);
  return removed;
}

// Returns the time at which the environment of each record was written, by the record's line.
std::map<std::size_t, std::string> times_of(const RecordFile& file) {
  std::map<std::string, std::string> written;
  for (const Json& line : file.lines)
    if (line.at("type") == "environment") written[line.value("id", "")] = line.value("time", "");
  std::map<std::size_t, std::string> times;
  for (std::size_t n = 0; n < file.lines.size(); ++n)
    if (file.lines[n].at("type") == "record") times[n] = written[file.lines[n].value("environment", "")];
  return times;
}

std::vector<std::string> record_files_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl")
      paths.push_back(entry.path().string());
  return paths;
}

}  // namespace

CampaignRecords read_campaign_records(const std::string& path, const Json& here) {
  CampaignRecords records;
  if (!std::filesystem::is_regular_file(path)) return records;
  for (const Json& line : read_records(path).lines)
    if (line.at("type") == "environment")
      records.environments[line.value("id", "")] = line;
    else
      records.newest[line.at("case")] = record_from_json(line);
  std::erase_if(records.newest,
                [&](const auto& r) { return !records.environments.contains(r.second.environment); });
  const std::string wanted = program_fact(here, "instruction_set");
  for (const auto& [_, record] : records.newest) {
    const Json& there = records.environments.at(record.environment);
    const std::string found = program_fact(there, "instruction_set");
    if (!found.empty() && found != wanted && !on_gpu(there, record.id.backend))
      throw std::invalid_argument(
          fmt::format("{}: holds records of a program for the instruction set {}, and this program is for "
                      "{}: one campaign "
                      "has one instruction set; build for {} or give another folder with --output",
                      path, found, wanted, found));
  }
  return records;
}

std::string why_again(const Record& record, const Json& there, const Json& here, const Case& c,
                      const CampaignPart& part) {
  if (!same_code(record, there, here, c)) return "their code changed";
  for (const char* fact : {"compiler", "flags", "build_type"})
    if (program_fact(there, fact) != program_fact(here, fact)) return "built with other flags";
  if (device_kind(there, record.id) != device_kind(here, record.id))
    return "of another device or other threads";
  if (record.result.reason.starts_with(device_was_lost)) return device_was_lost;
  if (!record.is_ok()) return "";
  const ProcessSamples& processes = record.result.samples;
  if (std::any_of(processes.begin(), processes.end(),
                  [&](const auto& s) { return int(s.size()) < part.samples; }))
    return "too few samples";
  if (int(processes.size()) < part.processes && !same_machine(there, here, record.id))
    return "one of their processes on another machine";
  return "";
}

void keep_newest_records(const std::string& path) {
  keep_records(path, [](const RecordFile& file) {
    std::map<std::string, std::size_t> newest;  // line, by case
    for (std::size_t n = 0; n < file.lines.size(); ++n)
      if (file.lines[n].at("type") == "record") newest[file.lines[n].at("case")] = n;
    Lines kept;
    for (const auto& [_, n] : newest) kept.insert(n);
    return kept;
  });
}

std::size_t remove_superseded_records(const std::string& folder) {
  std::map<std::string, std::string> newest;  // time, by case
  const std::vector<std::string> paths = record_files_in(folder);
  for (const std::string& path : paths) {
    const RecordFile file = read_records(path);
    for (const auto& [n, time] : times_of(file))
      if (file.lines[n].value("status", "") == "ok") {
        std::string& last = newest[file.lines[n].at("case")];
        last = std::max(last, time);
      }
  }
  std::size_t removed = 0;
  for (const std::string& path : paths)
    removed += keep_records(path, [&](const RecordFile& file) {
      Lines kept;
      for (const auto& [n, time] : times_of(file))
        if (time >= newest[file.lines[n].at("case")]) kept.insert(n);
      return kept;
    });
  return removed;
}

}  // namespace cfdmark

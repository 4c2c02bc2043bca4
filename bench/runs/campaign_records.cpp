#include "bench/runs/campaign_records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
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
    const std::string found = program_fact(records.environments.at(record.environment), "instruction_set");
    if (!found.empty() && found != wanted)
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
  const int fd = open_locked(path, O_RDWR, lock_seconds);
  const RecordFile file = read_records(path);
  std::map<std::string, std::size_t> newest;  // index of the line, by case
  for (std::size_t n = 0; n < file.lines.size(); ++n)
    if (file.lines[n].at("type") == "record") newest[file.lines[n].at("case")] = n;
  std::set<std::string> environments;
  for (const auto& [_, n] : newest) environments.insert(file.lines[n].value("environment", ""));
  std::string text;
  for (std::size_t n = 0; n < file.lines.size(); ++n) {
    const Json& line = file.lines[n];
    const bool stays = line.at("type") == "record" ? newest.at(line.at("case")) == n
                                                   : environments.erase(line.value("id", "")) > 0;
    if (stays) text += one_line(line) + "\n";
  }
  if (!file.unknown_schema) replace_file(path, text);  // lines of a newer program would be lost
  close(fd);
}

}  // namespace cfdmark

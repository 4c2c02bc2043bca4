#include "bench/runs/campaign_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/catalog/source_hash.hpp"
#include "bench/device_facts/machine.hpp"
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
                      "{}: one campaign has one instruction set; build for {}, give another folder with "
                      "--output, or remove the file: its cases are then measured here",
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

}  // namespace cfdmark

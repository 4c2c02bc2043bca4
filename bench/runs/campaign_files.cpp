#include "bench/runs/campaign_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "bench/device_facts/machine.hpp"
#include "bench/record/output_file.hpp"
#include "bench/record/records.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr double lock_seconds = 10;

using Lines = std::set<std::size_t>;  // by number in a file

bool is_record(const Json& line) { return line.at("type") == "record"; }

// Returns the environment of each record, by its line. Records without one have none.
std::map<std::size_t, const Json*> environments_of(const RecordFile& file) {
  std::map<std::string, const Json*> by_id;
  for (const Json& line : file.lines)
    if (!is_record(line)) by_id[line.value("id", "")] = &line;
  std::map<std::size_t, const Json*> found;
  for (std::size_t n = 0; n < file.lines.size(); ++n)
    if (is_record(file.lines[n])) {
      const auto environment = by_id.find(file.lines[n].value("environment", ""));
      if (environment != by_id.end()) found[n] = environment->second;
    }
  return found;
}

// Rewrites a file with the records that `select` returns and the environments that these name. Returns the
// number of records removed.
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
    const bool stays = is_record(line) ? kept.contains(n) : environments.erase(line.value("id", "")) > 0;
    if (stays) text += one_line(line) + "\n";
    removed += is_record(line) && !stays;
  }
  if (file.unknown_schema) removed = 0;  // lines of a newer program would be lost
  if (removed > 0 && kept.empty()) fs::remove(path);
  if (!file.unknown_schema && !kept.empty()) replace_file(path, text);
  close(fd);
  return removed;
}

// Returns the record files of a folder; an empty list if the folder does not exist.
std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> paths;
  if (!fs::is_directory(folder)) return paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Returns the instruction set that a record of a processor was measured with; empty for one of a GPU.
std::string instruction_set_of(const Json& record, const Json& environment) {
  if (on_gpu(environment, record.value("backend", ""))) return "";
  return environment.value("program", Json::object()).value("instruction_set", "");
}

// Returns of how many processes a record has a time; none if it has no time.
std::size_t processes_of(const Json& record) {
  if (record.value("status", "") != "ok") return 0;
  return record.at("time").value("processes", Json::array({0})).size();  // absent: one
}

// Returns a text that two records share if they are of one case, code and instruction set.
std::string code_of(const Json& record, const Json& environment) {
  const std::string source = record.value("source", "");
  return one_line(
      {record.at("case"), instruction_set_of(record, environment),
       source.empty() ? environment.value("program", Json::object()).value("fingerprint", "") : source});
}

// Returns the largest number of processes of the records in a folder, by code_of().
std::map<std::string, std::size_t> processes_in(const fs::path& folder) {
  std::map<std::string, std::size_t> most;
  for (const std::string& path : files_in(folder)) {
    const RecordFile file = read_records(path);
    for (const auto& [n, environment] : environments_of(file)) {
      std::size_t& found = most[code_of(file.lines[n], *environment)];
      found = std::max(found, processes_of(file.lines[n]));
    }
  }
  return most;
}

// Removes the records of a file for which there is a time from more processes elsewhere. Returns their
// number.
std::size_t remove_incomplete(RecordFile& file, const std::map<std::string, std::size_t>& elsewhere) {
  Lines incomplete;
  for (const auto& [n, environment] : environments_of(file)) {
    const auto there = elsewhere.find(code_of(file.lines[n], *environment));
    const std::size_t processes = processes_of(file.lines[n]);
    if (there != elsewhere.end() && processes > 0 && processes < there->second) incomplete.insert(n);
  }
  std::size_t n = 0;
  return std::erase_if(file.lines, [&](const Json&) { return incomplete.contains(n++); });
}

void add_file(const RecordFile& added, const std::string& to) {
  std::set<std::string> instruction_sets = {""};
  for (const auto& [n, environment] : environments_of(added))
    instruction_sets.insert(instruction_set_of(added.lines[n], *environment));
  {
    RecordWriter writer(to);
    for (const Json& line : added.lines) writer.append(line);
    writer.sync();
  }
  keep_newest_records(to);
  if (instruction_sets.size() > 1)
    keep_records(to, [&](const RecordFile& file) {
      Lines kept;
      for (const auto& [n, environment] : environments_of(file))
        if (instruction_sets.contains(instruction_set_of(file.lines[n], *environment))) kept.insert(n);
      return kept;
    });
}

}  // namespace

void keep_newest_records(const std::string& path) {
  keep_records(path, [](const RecordFile& file) {
    std::map<std::string, std::size_t> newest;  // line, by case
    for (std::size_t n = 0; n < file.lines.size(); ++n)
      if (is_record(file.lines[n])) newest[file.lines[n].at("case")] = n;
    Lines kept;
    for (const auto& [_, n] : newest) kept.insert(n);
    return kept;
  });
}

std::size_t remove_superseded_records(const std::string& folder) {
  std::map<std::string, std::string> newest;  // time of the newest record with a time, by case
  const std::vector<std::string> paths = files_in(folder);
  for (const std::string& path : paths) {
    const RecordFile file = read_records(path);
    for (const auto& [n, environment] : environments_of(file))
      if (file.lines[n].value("status", "") == "ok") {
        std::string& last = newest[file.lines[n].at("case")];
        last = std::max(last, environment->value("time", ""));
      }
  }
  std::size_t removed = 0;
  for (const std::string& path : paths)
    removed += keep_records(path, [&](const RecordFile& file) {
      Lines kept;
      for (const auto& [n, environment] : environments_of(file))
        if (environment->value("time", "") >= newest[file.lines[n].at("case")]) kept.insert(n);
      return kept;
    });
  return removed;
}

AddedRecords add_records(const std::string& from, const std::string& to) {
  AddedRecords all;
  for (const char* folder : {"", "reproduce"}) {
    const auto there = processes_in(fs::path(to) / folder);
    for (const std::string& path : files_in(fs::path(from) / folder)) {
      RecordFile file = read_records(path);
      all.found += std::size_t(std::count_if(file.lines.begin(), file.lines.end(), is_record));
      all.incomplete += remove_incomplete(file, there);
      if (std::any_of(file.lines.begin(), file.lines.end(), is_record))
        add_file(file, (fs::path(to) / folder / fs::path(path).filename()).string());
    }
  }
  return all;
}

}  // namespace cfdmark

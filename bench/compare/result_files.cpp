#include "bench/compare/result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/record/record_check.hpp"
#include "bench/record/records.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark::compare {
namespace {

namespace fs = std::filesystem;

// Returns true if the file has a line of a record. scripts/cfdmark/foreign/read.py uses the same rule.
bool has_record_line(const std::string& path) {
  static const std::regex rule(R"re(\s*\{.*"type"\s*:\s*"(record|environment|point|facts)".*)re");
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find("\"type\"") != std::string::npos && std::regex_match(line.substr(0, 4096), rule))
      return true;
  return false;
}

// Returns no lines if Python finds no results of other programs in the file.
RecordFile read_of_others(const std::string& path, const std::string& time) {
  const ProgramEnd end = run_program(script_command("foreign", {"--time", time, "--", path}), "", true);
  if (!end.how.empty())
    // The script has printed the reason.
    throw std::invalid_argument(fmt::format("{} cannot be compared", path));
  RecordFile found;
  std::istringstream lines(end.output);
  for (std::string text; std::getline(lines, text);) {
    Json line = cleaned(Json::parse(text));  // other programs choose their benchmarks' names freely
    if (line.at("type") == "warning")
      found.warnings.push_back(line.at("text"));
    else
      found.lines.push_back(std::move(line));
  }
  return found;
}

// Throws for a file without a record, such as a truncated one, even if other files of its folder have some.
void refuse_without_record(const std::string& path, const RecordFile& file) {
  const auto is_record = [](const Json& line) { return line.at("type") == "record"; };
  if (std::any_of(file.lines.begin(), file.lines.end(), is_record)) return;
  const std::string more = !file.warnings.empty()
                               ? fmt::format(", but {} unreadable lines", file.warnings.size())
                           : file.lines.empty() ? " (it is empty)"
                                                : "";
  throw std::invalid_argument(fmt::format(
      "{} has no record{}; expected a file of `cfdmark run`, or JSON of Google Benchmark or nvbench", path,
      more));
}

RecordFile read_results(const std::string& path, const std::string& time) {
  RecordFile found;
  std::error_code unknown;  // a missing file is reported by read_records
  const bool is_empty = fs::file_size(path, unknown) == 0 || unknown;
  if (!is_empty && !has_record_line(path)) found = read_of_others(path, time);
  if (found.lines.empty()) found = read_records(path);
  refuse_without_record(path, found);
  return found;
}

std::vector<std::string> files_of(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (const fs::path ending = entry.path().extension();
        entry.is_regular_file() && (ending == ".json" || ending == ".jsonl"))
      files.push_back(entry.path().string());
  if (files.empty()) throw std::invalid_argument(fmt::format("{} contains no *.json or *.jsonl file", path));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Side side_of(const std::string& path, const std::string& time) {
  std::vector<RecordFile> files;
  for (const std::string& file : files_of(path)) files.push_back(read_results(file, time));
  return Side::of_files(printable(path), std::move(files));
}

}  // namespace cfdmark::compare

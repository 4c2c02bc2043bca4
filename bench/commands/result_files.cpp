#include "bench/commands/result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/commands/python_script.hpp"
#include "bench/record/printable.hpp"
#include "bench/record/record_check.hpp"
#include "bench/record/records.hpp"
#include "bench/run/program.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

// Whether the whole file is one JSON object that holds benchmarks; records are one object a line.
bool is_of_others(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.find("\"benchmarks\"") == std::string::npos) return false;
  const Json whole = Json::parse(text, nullptr, false);
  return whole.is_object() && whole.contains("benchmarks") && whole["benchmarks"].is_array();
}

RecordFile read_of_others(const std::string& path) {
  const ProgramEnd end = run_program(script_command("foreign.py", {"--", path}), "", true);
  if (!end.how.empty())
    throw std::invalid_argument(fmt::format("{} cannot be compared", path));  // it said why
  RecordFile found;
  std::istringstream lines(end.output);
  for (std::string text; std::getline(lines, text);) {
    Json line = cleaned(Json::parse(text));  // names are whatever others call their benchmarks
    if (line.at("type") == "warning")
      found.warnings.push_back(line.at("text"));
    else
      found.lines.push_back(std::move(line));
  }
  return found;
}

RecordFile read_results(const std::string& path) {
  return !fs::is_directory(path) && is_of_others(path) ? read_of_others(path) : read_records(path);
}

std::vector<std::string> files_of(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (const fs::path ending = entry.path().extension();
        entry.is_regular_file() && (ending == ".json" || ending == ".jsonl"))
      files.push_back(entry.path().string());
  if (files.empty()) throw std::invalid_argument(fmt::format("{} holds no *.json or *.jsonl", path));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

compare::Side side_of(const std::string& path) {
  std::vector<RecordFile> files;
  for (const std::string& file : files_of(path)) files.push_back(read_results(file));
  return compare::Side::of_files(printable(path), std::move(files));
}

}  // namespace cfdmark

#include "bench/worker/python_script.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "bench/record/records.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

bool is_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string python() {
  if (const char* chosen = std::getenv("CFDMARK_PYTHON")) {
    if (is_on_path(chosen)) return chosen;
    throw std::runtime_error(fmt::format("CFDMARK_PYTHON={}: no such program", chosen));
  }
  for (const char* usual : {"python3", "/usr/bin/python3"})
    if (is_on_path(usual)) return usual;
  throw std::runtime_error(
      "this command needs python3, which is not installed; on Debian and Ubuntu: apt install python3");
}

}  // namespace

std::vector<std::string> script_command(const std::string& name, const std::vector<std::string>& arguments) {
  constexpr unsigned long least_open_files = 6;  // with fewer, Python may end before it runs a script
  require_open_files(least_open_files, "python3");
  std::vector<std::string> command = {python(), data_path("scripts/cfdmark"), name};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

int run_script(const std::string& name, const std::vector<std::string>& arguments, const std::string& input) {
  return run_program(script_command(name, arguments), input, false).status;
}

void write_gbench(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                  const std::string& to, const std::string& format) {
  if (run_script("gbench", {"--format", format, "--", to}, one_line({{"lines", lines}, {"cases", cases}})) !=
      0)
    throw WriteError(fmt::format("cannot write {}", to));
}

std::vector<std::string> with_values(const std::vector<std::pair<std::string, std::string>>& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options)
    if (!value.empty()) words.insert(words.end(), {name, value});
  return words;
}

}  // namespace cfdmark

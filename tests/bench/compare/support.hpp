// Shared by the tests of `cfdmark compare`: running the program, record files, simulated builds.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/text/json.hpp"
#include "test_paths.hpp"
#include "tests/bench/compare/noisy_machine.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/sound_record.hpp"
#include "tests/bench/temporary_folder.hpp"

namespace cfdmark::compare {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome compare_with(const std::string& arguments, const std::string& command_name = "compare") {
  const TemporaryFolder folder;
  const std::string command = std::string(CFDMARK_PROGRAM) + " " + command_name + " " + arguments + " > " +
                              (folder / "out") + " 2> " + (folder / "err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"), text_of(folder / "err")};
}

inline Json environment_of(const std::string& gpu = "H200", const std::string& id = "e") {
  return {{"type", "environment"},
          {"id", id},
          {"host", {{"cpu", "CPU"}, {"cores", 2}}},
          {"gpu", {{"name", gpu}}}};
}

inline Json record(const std::string& name, const Samples& samples) { return sound_record(name, samples); }

inline Json record_without_time(const std::string& name, const std::string& status,
                                const std::string& reason) {
  Json record = sound_record(name);
  record.update({{"status", status}, {"reason", reason}});
  return record;
}

// Returns thirty samples around this number of seconds, within half a percent.
inline Samples quiet(double seconds) {
  Samples samples;
  for (int n = 0; n < 30; ++n) samples.push_back(seconds * (1 + 0.001 * ((n * 7) % 11 - 5)));
  return samples;
}

inline std::string write_lines(const std::string& path, const std::vector<Json>& lines) {
  std::ofstream file(path);
  for (const Json& line : lines) file << line.dump() << '\n';
  return path;
}

}  // namespace cfdmark::compare

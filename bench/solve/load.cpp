#include "bench/solve/load.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine_load.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

constexpr const char* already_warned = "CFDMARK_WARNED_OF_LOAD";  // passed by this program to itself

// Returns the command line of this process, program first. Empty if /proc does not have it.
std::vector<std::string> own_command() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (words.empty() || program.empty()) return {};
  words.front() = program.string();
  return words;
}

// An OpenMP runtime reads its environment when it is loaded, so a new policy requires a new process.
void wait_passively() {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  const std::vector<std::string> command = own_command();
  if (command.empty()) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv(already_warned, "1", 1);
  try {
    become_program(command);
  } catch (const std::exception&) {  // the solve then runs with the old policy, only slower
    unsetenv("OMP_WAIT_POLICY");
    unsetenv(already_warned);
  }
}

}  // namespace

void look_at_load_before_solve() {
  if (std::getenv(already_warned)) {
    unsetenv(already_warned);
    return;
  }
  const auto load = machine_load();
  if (!load || !load->is_busy(cores())) return;
  fmt::print(stderr, "cfdmark: {}\n", busy_text(*load, cores()));
  wait_passively();
}

}  // namespace cfdmark

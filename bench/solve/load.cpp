#include "bench/solve/load.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine_load.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

constexpr const char* already_warned = "CFDMARK_WARNED_OF_LOAD";  // passed by this program to itself

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

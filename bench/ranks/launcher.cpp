#include "bench/ranks/launcher.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "kernels/device/cpu/allowed_cpus.hpp"

namespace cfdmark {
namespace {

constexpr const char* number = "{ranks}";

bool is_on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string default_launcher() {
  if (std::getenv("SLURM_JOB_ID") && is_on_path("srun")) return "srun -n {ranks}";
  for (const char* program : {"mpirun", "mpiexec"})
    if (is_on_path(program)) return fmt::format("{} -n {}", program, number);
  throw std::invalid_argument(
      "--join mpi needs mpirun, mpiexec or srun, and none is on PATH; install openmpi-bin, or name one with "
      "--launcher");
}

// Open MPI copies large messages from the memory of the sender's process, which some containers forbid.
bool can_read_other_process() {
  const long here = 4711;
  long there = 0;
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) pause();
    _exit(0);
  }
  if (child < 0) return false;
  const iovec to{&there, sizeof there}, from{const_cast<long*>(&here), sizeof here};
  const bool can = process_vm_readv(child, &to, 1, &from, 1, 0) == ssize_t(sizeof here) && there == here;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return can;
}

}  // namespace

std::vector<std::string> launcher_words(const std::string& launcher, int ranks) {
  std::istringstream text(launcher.empty() ? default_launcher() : launcher);
  std::vector<std::string> words;
  bool has_number = false;
  for (std::string word; text >> word; words.push_back(word))
    if (const auto at = word.find(number); at != std::string::npos) {
      word.replace(at, std::string(number).size(), std::to_string(ranks));
      has_number = true;
    }
  if (!has_number)
    throw std::invalid_argument(
        fmt::format("--launcher '{}': expected {} where the number of ranks goes, as in 'mpirun -n {}'",
                    launcher, number, number));
  return words;
}

void prepare_environment_for_launcher() {
  constexpr int keep = 0;
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", keep);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", keep);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", keep);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", keep);
  setenv("OMPI_MCA_mpi_yield_when_idle", "0", keep);  // the program waits by itself
  setenv("OMPI_MCA_orte_execute_quiet", "1", keep);   // the supervisor says why a job has ended
  if (!can_read_other_process()) setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", keep);
}

int processors_a_rank(int ranks) {
  const cpu_set_t processors = allowed_cpus();
  return std::max(1, CPU_COUNT(&processors) / ranks);
}

std::vector<std::pair<std::string, std::string>> variables_of_rank(int threads) {
  const std::string number = std::to_string(threads);
  return {{"OMP_NUM_THREADS", number}, {"KOKKOS_NUM_THREADS", number}, {"OMP_PROC_BIND", "false"}};
}

void refuse_launched_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const size = std::getenv(variable); size && std::atoi(size) > 1)
      throw std::invalid_argument(fmt::format(
          "cfdmark starts its ranks itself: run it once, without mpirun, with --ranks {} --join mpi", size));
}

}  // namespace cfdmark

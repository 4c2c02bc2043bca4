#include "bench/worker/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "bench/worker/program.hpp"
#include "bench/worker/worker.hpp"
#include "kernels/device/cpu/allowed_cpus.hpp"

namespace cfdmark {
namespace {

constexpr int first_free_fd = 10;

// Files that a worker opens: its channels and their temporary copies, and a few to read.
constexpr unsigned long least_open_files = first_free_fd + 10;

// Runs in the child between fork and exec, so only async-signal-safe calls are allowed.
[[noreturn]] void become_worker(char* const* arguments, char* const* environment, int channel, int status,
                                pid_t parent, const cpu_set_t& processors) {
  sched_setaffinity(0, sizeof processors, &processors);
  setpgid(0, 0);  // Ctrl-C goes to the supervisor only, which ends the worker
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // Copies both first, since each may have the number intended for the other.
  const int channel_copy = fcntl(channel, F_DUPFD, first_free_fd),
            status_copy = fcntl(status, F_DUPFD, first_free_fd);
  dup2(channel_copy, worker_channel_fd);
  dup2(status_copy, worker_status_fd);
  close(channel_copy);
  close(status_copy);
  execve(arguments[0], arguments, environment);
  _exit(127);
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> worker_environment(std::vector<std::string> variables) {
  // Unbound threads migrate between cores, which increases the spread.
  if (!std::getenv("OMP_PROC_BIND")) variables.emplace_back("OMP_PROC_BIND=close");
  const std::size_t own = variables.size();
  for (char** variable = environ; *variable; ++variable)
    if (std::none_of(variables.begin(), variables.begin() + std::ptrdiff_t(own),
                     [&](const std::string& v) { return name_of(v) == name_of(*variable); }))
      variables.emplace_back(*variable);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<std::string>& command,
                             const std::vector<std::string>& variables) {
  require_open_files(least_open_files, "a worker");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot start a worker");
  std::vector<std::string> arguments = command, environment = worker_environment(variables);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const cpu_set_t processors = allowed_cpus();  // a worker binds its threads itself
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become_worker(argv.data(), envp.data(), ends[1], shared_status_.fd(), parent, processors);
  const int error = errno;
  close(ends[1]);
  channel_ = std::make_unique<Channel>(ends[0]);
  if (pid_ < 0) throw std::system_error(error, std::generic_category(), "cannot start a worker");
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) end(true);
}

std::string WorkerProcess::end(bool kill_it) {
  if (kill_it) kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return how_ended(status);
}

}  // namespace cfdmark

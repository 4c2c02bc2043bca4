#include "bench/compare/program_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "bench/run/worker_process.hpp"

namespace cfdmark::compare {
namespace {

std::string read_all(int fd) {
  std::string text;
  char block[65536];
  for (ssize_t n; (n = read(fd, block, sizeof block)) != 0;)
    if (n > 0)
      text.append(block, std::size_t(n));
    else if (errno != EINTR)
      break;
  return text;
}

}  // namespace

ProgramOutput output_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot start " + command[0]);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  const int error = errno;
  close(ends[1]);
  ProgramOutput output;
  if (pid > 0) output.text = read_all(ends[0]);
  close(ends[0]);
  if (pid < 0) throw std::system_error(error, std::generic_category(), "cannot start " + command[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) output.how = "was killed by " + signal_name(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    output.how = fmt::format("ended with status {}", WEXITSTATUS(status));
  return output;
}

}  // namespace cfdmark::compare

#include "bench/external/timed_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include "bench/text/seconds_now.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

constexpr double seconds_between_looks = 0.2;

std::system_error failure(const char* what) { return {errno, std::generic_category(), what}; }

// A file deleted when it is closed.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw failure("cannot make a temporary file");
  return file;
}

std::string text_of(const File& file) {
  std::rewind(file.get());
  std::string text;
  char block[65536];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) text.append(block, n);
  return text;
}

// Keeps SIGCHLD pending, so that a wait can end with it and takes no share of the time.
class ChildSignal {
 public:
  ChildSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~ChildSignal() { restore(); }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;

  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  // Waits for the end of a child, at most `seconds`, without reaping it. Another signal ends the wait early.
  bool is_ended_within(pid_t child, double seconds) const {
    const auto nanoseconds = std::int64_t(1e9 * std::max(seconds, 0.0));
    const timespec most{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    return is_ended(child) || (sigtimedwait(&set_, nullptr, &most), is_ended(child));
  }

 private:
  static bool is_ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
  }

  sigset_t set_{}, before_{};
};

// Runs in the child between fork and exec.
[[noreturn]] void become_shell(const char* command, int input, int output, const ChildSignal& signal) {
  signal.restore();
  setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

// Returns the status of the shell's last command: of one killed by signal n the shell ends with 128 + n.
int status_of_command(int status) {
  constexpr int by_signal = 128;
  const bool killed =
      WIFEXITED(status) && WEXITSTATUS(status) > by_signal && WEXITSTATUS(status) < by_signal + NSIG;
  return killed ? WEXITSTATUS(status) - by_signal : status;
}

}  // namespace

ProcessRun run_timed(const std::string& command, const std::string& input, double timeout,
                     const std::function<bool()>& keep_going) {
  const File in = temporary_file(), out = temporary_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw failure("cannot write a temporary file");
  std::rewind(in.get());
  std::fflush(nullptr);
  const ChildSignal signal;
  ProcessRun run;
  const double start = seconds_now();
  const pid_t child = fork();
  if (child < 0) throw failure("cannot start a process");
  if (child == 0) become_shell(command.c_str(), fileno(in.get()), fileno(out.get()), signal);
  setpgid(child, child);  // here too, since either process may come first
  while (!signal.is_ended_within(child, std::min(seconds_between_looks, start + timeout - seconds_now()))) {
    run.timed_out = seconds_now() - start >= timeout;
    run.stopped = !keep_going();
    if (run.timed_out || run.stopped) break;
  }
  run.seconds = seconds_now() - start;
  kill(-child, SIGKILL);  // also what it has left running
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.output = text_of(out);
  if (run.timed_out)
    run.how = fmt::format("did not end within {:g} s", timeout);
  else if (run.stopped)
    run.how = "was stopped";
  else if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0)
    run.how = how_ended(status_of_command(status));
  return run;
}

}  // namespace cfdmark

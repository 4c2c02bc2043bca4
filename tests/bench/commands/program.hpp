// Runs the program as a user does, for tests.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test_paths.hpp"
#include "tests/bench/temporary_folder.hpp"

namespace cfdmark {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Exit status and output of a program.
struct Ended {
  int status;
  std::string out, err;
};

// Runs a program. `redirections` of the shell come last, such as ">/dev/full"; `before` comes first, such as
// "cd /sys && ".
inline Ended run_program(const std::string& program, const std::string& arguments,
                         const std::string& redirections = "", const std::string& before = "") {
  const TemporaryFolder folder;
  const std::string command = before + program + " " + arguments + " > " + (folder / "out") + " 2> " +
                              (folder / "err") + " " + redirections;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"), text_of(folder / "err")};
}

inline Ended cfdmark_with(const std::string& arguments, const std::string& redirections = "",
                          const std::string& before = "") {
  return run_program(CFDMARK_PROGRAM, arguments, redirections, before);
}

// Starts the program in a process of its own, with its output in the file `out`.
inline pid_t begin_cfdmark(std::vector<std::string> arguments, const std::string& out = "/dev/null") {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  if (!std::freopen("/dev/null", "w", stderr) || !std::freopen(out.c_str(), "w", stdout)) _exit(127);
  arguments.insert(arguments.begin(), "cfdmark");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(CFDMARK_PROGRAM, pointers.data());
  _exit(127);
}

// Sends a signal as soon as `is_far_enough` returns true, or after a minute. Returns the wait status.
template <class IsFarEnough>
int end_cfdmark(pid_t pid, int signal, const IsFarEnough& is_far_enough) {
  for (int waited = 0; !is_far_enough() && waited < 6000; ++waited) usleep(10000);
  kill(pid, signal);
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

}  // namespace cfdmark

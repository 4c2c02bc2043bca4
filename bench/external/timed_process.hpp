// Runs one command of a shell and takes its time.
#pragma once

#include <functional>
#include <string>

namespace cfdmark {

struct ProcessRun {
  double seconds = 0;  // from its start to its end
  std::string how;     // "ended with status 1", "was killed by SIGSEGV"; empty after success
  bool timed_out = false;
  bool stopped = false;  // `keep_going` returned false
  std::string output;    // standard output and error
};

// Runs `command` by /bin/sh in a process group of its own with `input` as standard input. After `timeout`
// seconds, or once `keep_going` (called several times a second) returns false, the whole group is killed.
// Throws std::system_error if no process can be started.
ProcessRun run_timed(const std::string& command, const std::string& input, double timeout,
                     const std::function<bool()>& keep_going);

}  // namespace cfdmark

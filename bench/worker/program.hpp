// Runs another program.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct ProgramEnd {
  int status = 0;   // exit status; 1 if a signal ended it
  std::string how;  // "ended with status 1", "was killed by SIGSEGV"; empty after success
  std::string output;
};

// Runs a program from the path, with `input` as its standard input unless it is empty. Its output goes to
// `output` if it is kept, else to this program's output. `seconds` limits its duration; 0: no limit. Throws
// std::system_error if no process can be started.
ProgramEnd run_program(const std::vector<std::string>& command, const std::string& input, bool keep_output,
                       double seconds = 0);

// Throws std::runtime_error, with both numbers, if a process may open fewer files than this one. `what`: what
// is to be started, "a worker".
void require_open_files(unsigned long needed, const char* what);

// Returns, for a status of waitpid(2), "ended with status 1", "was killed by SIGSEGV" or "was killed by
// signal 34".
std::string how_ended(int status);

// Returns the command line of this process, with the program's path first. Empty if /proc does not have it.
std::vector<std::string> own_command();

// Replaces this process by the program. Throws std::system_error on failure, else does not return.
[[noreturn]] void become_program(const std::vector<std::string>& command);

}  // namespace cfdmark

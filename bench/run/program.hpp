// Running another program.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct ProgramEnd {
  int status = 0;   // its exit status; 1 if a signal ended it
  std::string how;  // "ended with status 1", "was killed by SIGSEGV"; empty if it ended well
  std::string output;
};

// Runs a program, found on the path, to its end, with `input`, if there is any, on its standard input. What
// it prints is kept in `output` if that is asked for, else it goes where this program's goes. Throws
// std::system_error if no process can be started.
ProgramEnd run_program(const std::vector<std::string>& command, const std::string& input, bool keep_output,
                       double seconds = 0);

// Becomes the program. Returns only by throwing std::system_error.
[[noreturn]] void become_program(const std::vector<std::string>& command);

}  // namespace cfdmark

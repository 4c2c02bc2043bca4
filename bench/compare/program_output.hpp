// Asking another program.
#pragma once

#include <string>
#include <vector>

namespace cfdmark::compare {

struct ProgramOutput {
  std::string text;  // of its standard output; its standard error is this program's
  std::string how;   // "ended with status 1", "was killed by SIGSEGV"; empty if it ended well
};

// Runs a program to its end. Throws std::system_error if no process can be started.
ProgramOutput output_of(const std::vector<std::string>& command);

}  // namespace cfdmark::compare

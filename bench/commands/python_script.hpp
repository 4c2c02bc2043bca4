// Programs of scripts/ that are written in Python.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

// Becomes `python3 scripts/NAME ARGUMENTS`: of the installed program, or of the sources it was built from.
// The Python is $CFDMARK_PYTHON or else python3 on the path or in /usr/bin. Returns only by throwing
// std::runtime_error.
[[noreturn]] void become_script(const std::string& name, const std::vector<std::string>& arguments);

// The same as a program of its own; returns its exit status.
int run_script(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace cfdmark

// Files that come with the program and are read at run time: scripts, sweeps, published tables.
#pragma once

#include <string>

namespace cfdmark {

// The path of `name`, such as "scripts/report.py" or "sweeps/reproduce": beside the installed program or in
// the sources it was built from. Throws std::runtime_error naming both places if it is in neither.
std::string data_path(const std::string& name);

}  // namespace cfdmark

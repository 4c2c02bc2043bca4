// Files that come with the program and are read at run time: scripts, sweeps, published tables.
#pragma once

#include <string>

namespace cfdmark {

// The path of `name`, such as "scripts/cfdmark" or "sweeps/reproduce": in the folder that CFDMARK_DATA
// names, if it names one; else beside the installed program, wherever that was moved; else in the sources it
// was built from. Throws std::runtime_error naming the places if it is in none.
std::string data_path(const std::string& name);

// The file of a sweep: as given if there is one, else the shipped one for a path that begins with sweeps/.
std::string sweep_path(const std::string& given);

}  // namespace cfdmark

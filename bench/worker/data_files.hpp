// Files that come with the program and are read at run time: scripts, sweeps, published tables.
#pragma once

#include <string>

namespace cfdmark {

// Returns the path of `name`, such as "scripts/cfdmark" or "sweeps/reproduce": in the folder $CFDMARK_DATA
// if set, else in the installation of this program, else in the sources it was built from. Throws
// std::runtime_error with these places if the file is in none.
std::string data_path(const std::string& name);

// Returns the path of a sweep or shape file: as given if it exists; else, if it starts with sweeps/ or
// shapes/, that of the shipped file.
std::string sweep_path(const std::string& given);

}  // namespace cfdmark

// Location of an installed program's files.
#pragma once

#include <filesystem>
#include <string>

namespace cfdmark {

// Returns share/cfdmark of the installation that contains this program, even after a move. It need not exist:
// a program that was not installed uses the files in its sources.
std::filesystem::path installed_data_folder();

// Returns where a module of this program lies, such as cfdmark_mpi.so: next to it, in the folder above, where
// tests have it, or in lib/cfdmark of its installation, where it need not exist.
std::filesystem::path module_file(const std::string& name);

}  // namespace cfdmark

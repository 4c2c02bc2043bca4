// Location of an installed program's files.
#pragma once

#include <filesystem>

namespace cfdmark {

// Returns share/cfdmark of the installation that contains this program, even after a move. It need not exist:
// a program that was not installed uses the files in its sources.
std::filesystem::path installed_data_folder();

}  // namespace cfdmark

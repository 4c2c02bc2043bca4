// Where an installed program finds its files.
#pragma once

#include <filesystem>

namespace cfdmark {

// share/cfdmark of the installation that this program is in, wherever that was moved. It need not be there: a
// program that was built and not installed has its files in its sources.
std::filesystem::path installed_data_folder();

}  // namespace cfdmark

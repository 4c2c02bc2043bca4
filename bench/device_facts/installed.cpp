#include "bench/device_facts/installed.hpp"

#include <system_error>

namespace cfdmark {

namespace {

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

// CFDMARK_DATA_FROM_PROGRAM is the path relative to the program's folder, such as ../share/cfdmark. CMake
// sets it (bench/CMakeLists.txt).
std::filesystem::path installed_data_folder() {
  return (program_folder() / CFDMARK_DATA_FROM_PROGRAM).lexically_normal();
}

std::filesystem::path module_file(const std::string& name) {
  for (const auto& folder : {program_folder(), program_folder().parent_path()})
    if (std::filesystem::exists(folder / name)) return folder / name;
  return (program_folder() / CFDMARK_MODULES_FROM_PROGRAM / name).lexically_normal();
}

}  // namespace cfdmark

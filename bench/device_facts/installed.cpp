#include "bench/device_facts/installed.hpp"

#include <system_error>

namespace cfdmark {

// CFDMARK_DATA_FROM_PROGRAM is the path relative to the program's folder, such as ../share/cfdmark. CMake
// sets it (bench/CMakeLists.txt).
std::filesystem::path installed_data_folder() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path() / CFDMARK_DATA_FROM_PROGRAM).lexically_normal();
}

}  // namespace cfdmark

#include "bench/worker/data_files.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/installed.hpp"

namespace cfdmark {

namespace fs = std::filesystem;

std::string data_path(const std::string& name) {
  std::error_code ignored;
  const fs::path installed = installed_data_folder() / name;
  const fs::path source = fs::path(build_info().source_folder) / name;
  if (const char* chosen = std::getenv("CFDMARK_DATA"); chosen && *chosen) {
    const fs::path path = fs::path(chosen) / name;
    if (fs::exists(path, ignored)) return path.string();
    throw std::runtime_error(fmt::format("CFDMARK_DATA={}: {} does not exist", chosen, path.string()));
  }
  for (const fs::path& path : {installed, source})
    if (fs::exists(path, ignored)) return path.string();
  throw std::runtime_error(
      fmt::format("cannot find {}: neither {} nor {} exists; set CFDMARK_DATA to the folder that contains it",
                  name, installed.string(), source.string()));
}

std::string sweep_path(const std::string& given) {
  std::error_code ignored;
  const fs::path path = given;
  if (path.is_absolute() || fs::exists(path, ignored) ||
      (*path.begin() != "sweeps" && *path.begin() != "shapes"))
    return given;
  try {
    return data_path(given);
  } catch (const std::runtime_error&) {
    return given;  // the error message then names the path as given
  }
}

}  // namespace cfdmark

#include "bench/commands/data_files.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bench/record/build_info.hpp"

namespace cfdmark {

namespace fs = std::filesystem;

std::string data_path(const std::string& name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share/cfdmark" / name;
  const fs::path source = fs::path(build_info().source_folder) / name;
  if (const char* chosen = std::getenv("CFDMARK_DATA"); chosen && *chosen) {
    const fs::path path = fs::path(chosen) / name;
    if (fs::exists(path, ignored)) return path.string();
    throw std::runtime_error(fmt::format("CFDMARK_DATA={}: there is no {}", chosen, path.string()));
  }
  for (const fs::path& path : {installed, source})
    if (fs::exists(path, ignored)) return path.string();
  throw std::runtime_error(
      fmt::format("{} is neither at {} nor at {}; CFDMARK_DATA=FOLDER names another place", name,
                  installed.string(), source.string()));
}

}  // namespace cfdmark

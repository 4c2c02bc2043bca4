// Opening of a file that a user names.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace cfdmark {

// Throws std::invalid_argument with the file name if it is a folder or cannot be read.
inline std::ifstream input_file(const std::string& file) {
  std::error_code ignored;  // then the file cannot be opened either
  if (std::filesystem::is_directory(file, ignored))
    throw std::invalid_argument(fmt::format("{}: is a folder; give a file", file));
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw std::invalid_argument(
        fmt::format("{}: cannot be read: {}", file, std::generic_category().message(errno)));
  return in;
}

}  // namespace cfdmark

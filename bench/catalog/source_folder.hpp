// Where the code of a kernel is.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/core/source_place.hpp"

namespace cfdmark {

// Returns "kernels/jacobi" from a source location in that folder; "nine_point" for a kernel from outside.
inline std::string kernel_folder(SourcePlace where) {
  const std::filesystem::path folder = std::filesystem::path(where.file).parent_path();
  const std::string parent = folder.parent_path().filename().string(), name = folder.filename().string();
  return parent == "kernels" ? parent + "/" + name : name;
}

}  // namespace cfdmark

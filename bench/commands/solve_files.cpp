#include "bench/commands/solve_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "bench/catalog/case.hpp"
#include "bench/record/records.hpp"
#include "solvers/problems/mask.hpp"

namespace cfdmark {

DrawnBody read_body(const std::string& mask, const std::string& polygon, std::string& grid) {
  if (!mask.empty() && !polygon.empty())
    throw std::invalid_argument("--mask and --polygon each draw the body: leave out one");
  if (!polygon.empty()) {
    if (grid.empty()) grid = "512x128";
    return read_polygon(polygon);
  }
  const Mask image = read_mask(mask);
  if (grid.empty()) grid = fmt::format("{}x{}", image.nx, image.ny);
  return body_of(image, grid_from(grid));
}

void check_output_files(const std::string& vtk, const std::string& plot, bool is_flow) {
  if (!vtk.empty() && !is_flow)
    throw std::invalid_argument("--vtk is for flows: simple, piso and projection");
  if (!vtk.empty() && !vtk.ends_with(".vti"))
    throw std::invalid_argument(
        fmt::format("--vtk {}: ParaView opens it by its name: let it end in .vti", vtk));
  for (const std::string& file : {vtk, plot}) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (!folder.empty() && access(folder.c_str(), W_OK) != 0)
      throw WriteError(
          fmt::format("{}: cannot be written: {}: {}", file, folder.string(), std::strerror(errno)));
  }
}

}  // namespace cfdmark

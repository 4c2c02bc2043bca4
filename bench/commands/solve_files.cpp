#include "bench/commands/solve_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "bench/catalog/case.hpp"
#include "bench/record/records.hpp"
#include "kernels/backends/host_memory.hpp"
#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/mask.hpp"

namespace cfdmark {

namespace {

// An image's size is its grid's, and a flow on that grid fits into memory. Chooses the grid where it is
// empty.
void accept_image(const std::string& file, int nx, int ny, std::string& grid) {
  if (grid.empty()) grid = fmt::format("{}x{}", nx, ny);
  const Grid cells = asked_grid(grid);
  require_pixel_grid(file, nx, ny, cells);
  const double needed = flow_problem_bytes(cells), free = double(available_host_memory());
  if (needed <= free) return;
  throw std::invalid_argument(fmt::format(
      "{}: {}x{} pixels are too many: a flow on as many cells needs {:.3g} GB of memory, and {:.3g} "
      "GB are free",
      file, nx, ny, needed / 1e9, free / 1e9));
}

}  // namespace

DrawnBody read_body(const std::string& mask, const std::string& polygon, std::string& grid) {
  if (!mask.empty() && !polygon.empty())
    throw std::invalid_argument("--mask and --polygon each draw the body: leave out one");
  if (!polygon.empty()) {
    if (grid.empty()) grid = "512x128";
    return read_polygon(polygon);
  }
  const Mask image = read_mask(mask, [&](int nx, int ny) { accept_image(mask, nx, ny, grid); });
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

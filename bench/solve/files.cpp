#include "bench/solve/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/python_script.hpp"
#include "kernels/device/cpu/host_memory.hpp"
#include "solvers/problems/flow_problem.hpp"
#include "solvers/problems/mask.hpp"

namespace cfdmark {
namespace {

[[noreturn]] void cannot_write(const std::string& file, const std::string& why) {
  throw WriteError(fmt::format("cannot write {}: {}", file, why));
}

// Checks that a file can be written: creates and removes a new one, opens an existing one without changing
// it.
void try_to_write(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    const int error = fs::exists(folder, ignored) ? ENOTDIR : ENOENT;
    cannot_write(file, fmt::format("{}: {}", folder.string(), std::strerror(error)));
  }
  if (fs::is_directory(file, ignored)) cannot_write(file, "it is a folder");
  const bool is_there = fs::exists(file, ignored);
  if (is_there && !fs::is_regular_file(file, ignored))
    cannot_write(file, fmt::format("{} is not a regular file", fs::canonical(file, ignored).string()));
  // An existing file is replaced by a new one in the same folder, so the folder must be writable.
  const std::string into = fs::weakly_canonical(file, ignored).parent_path().string();
  if (is_there && access(into.c_str(), W_OK) != 0)
    cannot_write(file, fmt::format("{}: {}", into, std::strerror(errno)));
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) cannot_write(file, std::strerror(errno));
  const bool written = is_there || (write(fd, "\n", 1) == 1 && fsync(fd) == 0);
  const int error = errno;
  close(fd);
  if (!is_there) fs::remove(fs::weakly_canonical(file, ignored), ignored);
  if (!written) cannot_write(file, std::strerror(error));
}

// Checks that the image matches the grid and that a flow of this size fits into memory. Sets an empty grid to
// the image's size.
void accept_image(const std::string& file, int nx, int ny, std::string& grid) {
  if (grid.empty()) grid = fmt::format("{}x{}", nx, ny);
  const Grid cells = asked_grid(grid);
  require_pixel_grid(file, nx, ny, cells);
  const double needed = flow_problem_bytes(cells), free = double(available_host_memory());
  if (needed <= free) return;
  throw std::invalid_argument(fmt::format(
      "{}: {}x{} pixels are too many: a flow on this grid needs {:.3g} GB of memory, and {:.3g} GB are free",
      file, nx, ny, needed / 1e9, free / 1e9));
}

}  // namespace

DrawnBody read_body(const std::string& mask, const std::string& polygon, const std::string& outline,
                    std::string& grid) {
  if (!mask.empty() + !polygon.empty() + !outline.empty() > 1)
    throw std::invalid_argument("--mask, --polygon and --outline each define the body; keep one");
  if (mask.empty()) {
    if (grid.empty()) grid = "512x128";
    return polygon.empty() ? body_of_outline(outline) : read_polygon(polygon);
  }
  const Mask image = read_mask(mask, [&](int nx, int ny) { accept_image(mask, nx, ny, grid); });
  return body_of(image, grid_from(grid));
}

void check_output_files(const SolveView& view, const std::string& vtk, const std::string& plot) {
  const std::string ending = view.vtk_ending();
  if (!vtk.empty() && ending.empty())
    throw std::invalid_argument("--vtk is available for flows and on meshes only");
  if (!vtk.empty() && !vtk.ends_with(ending))
    throw std::invalid_argument(
        fmt::format("--vtk {}: expected a name that ends in {}, by which ParaView opens it", vtk, ending));
  if (!vtk.empty()) try_to_write(vtk);
  if (plot.empty()) return;
  const std::vector<std::string> files = view.plotted_files(plot);
  if (files.empty())
    throw std::invalid_argument("--plot is available for flows and linear systems of stencils only");
  for (const std::string& file : files) try_to_write(file);
  script_command(view.plot_script(), {});  // throws if there is no Python to draw them
}

void check_answer_file(const std::string& answer, const Domain& domain) {
  if (answer.empty()) return;
  if (!domain.is_matrix()) throw std::invalid_argument("--answer is available with --matrix only; remove it");
  if (!answer.ends_with(".mtx"))
    throw std::invalid_argument(fmt::format("--answer {}: expected a name that ends in .mtx", answer));
  try_to_write(answer);
}

}  // namespace cfdmark

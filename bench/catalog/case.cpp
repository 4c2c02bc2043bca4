#include "bench/catalog/case.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace cfdmark {

std::string grid_text(const Grid& g) {
  return g.is_3d() ? fmt::format("{}x{}x{}", g.nx, g.ny, g.nz) : fmt::format("{}x{}", g.nx, g.ny);
}

Grid grid_from(const std::string& text) {
  int sides[3] = {0, 0, 1};
  int count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (count < 3) {
    const auto [stop, error] = std::from_chars(at, end, sides[count]);
    if (error != std::errc() || sides[count] < 1) break;
    ++count;
    at = stop;
    if (at == end && count >= 2) return {sides[0], sides[1], sides[2]};
    if (at == end || *at != 'x') break;
    ++at;
  }
  throw std::invalid_argument(fmt::format("'{}' is no grid: write NXxNY or NXxNYxNZ, such as 512x512", text));
}

std::string case_name(const Case& c) {
  std::string name = fmt::format("{}@{}", row_name(*c.row, c.device), grid_text(c.grid));
  if (!c.config.empty()) name += ":" + c.config.text();
  if (c.row->kind == RowKind::solver)
    name += fmt::format(";problem={},tolerance={:g},max_iterations={}", c.request.problem,
                        c.request.tolerance, c.request.max_iterations);
  return name;
}

}  // namespace cfdmark

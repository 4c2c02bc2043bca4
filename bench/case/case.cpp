#include "bench/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "bench/case/row_settings.hpp"

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
    if (at == end && count >= 2) return {sides[0], sides[1], sides[2], count};
    if (at == end || *at != 'x') break;
    ++at;
  }
  throw std::invalid_argument(
      fmt::format("invalid grid '{}'; expected NXxNY or NXxNYxNZ, such as 512x512", text));
}

Grid asked_grid(const std::string& text) {
  const Grid grid = grid_from(text);
  if (std::max({grid.nx, grid.ny, grid.nz}) > longest_side)
    throw std::invalid_argument(
        fmt::format("grid {} is too large; expected sides of at most {}", text, longest_side));
  return grid;
}

namespace {

std::string name_with(const Case& c, const Config& config, const Config& workload) {
  return fmt::format("{}@{}{}{}{}{}", row_name(*c.row, c.device), grid_text(c.grid),
                     config.empty() ? "" : ":", config.text(), workload.empty() ? "" : ";", workload.text());
}

// Returns the defaults for the problem of a case, with the row's first problem as the default problem.
Config unasked(const Case& c) {
  Config workload =
      workload_space(*c.row, c.workload.has("problem") ? c.workload.choice("problem") : "").defaults();
  if (!c.row->problems.empty()) workload.set("problem", c.row->problems.front().name);
  return workload;
}

}  // namespace

std::string case_name(const Case& c) { return name_with(c, c.config, c.workload); }

std::string short_name(const Case& c) {
  return name_with(c, c.config.differing_from(c.row->space.defaults()),
                   c.workload.differing_from(unasked(c)));
}

}  // namespace cfdmark

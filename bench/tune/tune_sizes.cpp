#include "bench/tune/tune_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "bench/case/case.hpp"

namespace cfdmark {
namespace {

constexpr const char* any_ladder = "expected FIRST..LAST, such as 256..8192 or 64x64x64..256x256x256";
constexpr std::size_t most_steps = 64;

// Parses "4096x4096:3".
WeightedGrid weighted_grid(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {asked_grid(text), 1};
  WeightedGrid found{asked_grid(text.substr(0, colon)), 0};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, found.weight);
  if (error != std::errc() || stop != end || !std::isfinite(found.weight) || found.weight <= 0)
    throw std::invalid_argument(
        fmt::format("--grid {}: expected a weight above zero after the colon, such as {}:3", text,
                    text.substr(0, colon)));
  return found;
}

// Parses a grid, or the side of a square or cube.
Grid end_of_ladder(const std::string& text, int dims) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return asked_grid(text);
  return asked_grid(dims == 3 ? fmt::format("{0}x{0}x{0}", text) : fmt::format("{0}x{0}", text));
}

std::vector<WeightedGrid> ladder(const std::string& text, int steps_a_doubling, int dims) try {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) throw std::invalid_argument("missing ..");
  const Grid first = end_of_ladder(text.substr(0, dots), dims);
  const Grid last = end_of_ladder(text.substr(dots + 2), dims);
  if (first.is_3d() != last.is_3d()) throw std::invalid_argument("one end is 2-D, the other 3-D");
  double most = 1;
  for (const auto side : {&Grid::nx, &Grid::ny, &Grid::nz}) {
    if (last.*side < first.*side) throw std::invalid_argument("the first size is larger than the last");
    most = std::max(most, double(last.*side) / first.*side);
  }
  const auto steps = std::size_t(std::ceil(std::log2(most) * steps_a_doubling - 1e-9));
  if (steps > most_steps)
    throw std::invalid_argument(fmt::format("{} steps; at most {} are allowed", steps, most_steps));
  std::vector<WeightedGrid> sizes;
  for (std::size_t n = 0; n <= steps; ++n) {
    Grid grid = last;
    for (const auto side : {&Grid::nx, &Grid::ny, &Grid::nz})
      if (n < steps)
        grid.*side = int(
            std::lround(first.*side * std::pow(double(last.*side) / first.*side, double(n) / double(steps))));
    if (sizes.empty() || !(sizes.back().grid == grid)) sizes.push_back({grid, 1});
  }
  return sizes;
} catch (const std::invalid_argument& e) {
  throw std::invalid_argument(fmt::format("--ladder {}: {}; {}", text, e.what(), any_ladder));
}

}  // namespace

std::vector<WeightedGrid> sizes_from(const AskedSizes& asked, int dims) {
  std::vector<WeightedGrid> sizes;
  for (const std::string& text : asked.ladders)
    for (const WeightedGrid& size : ladder(text, asked.ladder_steps, dims))
      if (std::none_of(sizes.begin(), sizes.end(), [&](const auto& s) { return s.grid == size.grid; }))
        sizes.push_back(size);
  const std::size_t of_ladder = sizes.size();
  std::vector<Grid> given;
  for (const std::string& text : asked.grids) {
    const WeightedGrid size = weighted_grid(text);
    if (size.weight != 1 && !asked.one_answer)
      throw std::invalid_argument(fmt::format("--grid {}: a weight needs --one-answer", text));
    if (std::find(given.begin(), given.end(), size.grid) != given.end())
      throw std::invalid_argument(fmt::format("--grid {} is given twice", grid_text(size.grid)));
    given.push_back(size.grid);
    const auto end = sizes.begin() + std::ptrdiff_t(of_ladder);
    const auto same =
        std::find_if(sizes.begin(), end, [&](const WeightedGrid& s) { return s.grid == size.grid; });
    if (same != end)
      same->weight = size.weight;
    else
      sizes.push_back(size);
  }
  return sizes;
}

}  // namespace cfdmark

#include "bench/tune/between.hpp"

#include <algorithm>

#include "bench/tune/across_sizes.hpp"
#include "bench/tune/resident_limit.hpp"
#include "tuning/between_sizes.hpp"

namespace cfdmark::tuning {

namespace {

// Working set over last-level cache just before main memory is read much, and once it is read mostly.
constexpr double edges_of_the_cache[] = {0.7, 1.25};

// Returns the numbers of cells with these working sets, if the smaller size is in the cache and the larger is
// not.
std::vector<double> edges(const SizeTimes& below, const SizeTimes& above) {
  std::vector<double> cells;
  if (cache_regime(below.filled) == CacheRegime::cache && cache_regime(above.filled) != CacheRegime::cache)
    for (const double part : edges_of_the_cache) cells.push_back(below.cells * part / below.filled);
  return cells;
}

}  // namespace

std::vector<GridBetween> between(const std::vector<TuneAnswer>& answers, const Json& environment) {
  const AcrossSizes across(answers);
  const std::vector<SizeTimes> sizes = across.searched();
  std::vector<GridBetween> found;
  for (std::size_t n = 0; n + 1 < answers.size(); ++n) {
    const TuneAnswer& below = answers[n];
    const bool share = may_share(sizes[n], sizes[n + 1]);
    std::vector<TimesAtTwo> times;
    for (std::size_t c = 0; c < across.size(); ++c) {
      times.push_back({sizes[n].seconds[c], sizes[n + 1].seconds[c]});
      times.back().may_answer_both = share || (c == sizes[n].fallback && c == sizes[n + 1].fallback);
      const auto place = across.at(n, c);
      times.back().cuts_large_tiles = place && below.space.cases[*place].row->several_steps;
      if (const auto most = place ? most_blocks(below, *place, environment) : std::nullopt)
        times.back().most_cells = fitting_cells(below.space.cases[*place], sizes[n + 1].cells, *most);
    }
    const std::vector<double> edge = edges(sizes[n], sizes[n + 1]);
    for (const SizeBetween& size : sizes_between(sizes[n].cells, sizes[n + 1].cells, times, edge)) {
      found.push_back({grid_of_cells(below.space.cases.front().domain.box(), size.cells), {}});
      found.back().at_edge = std::find(edge.begin(), edge.end(), size.cells) != edge.end();
      for (const std::size_t c : size.candidates) found.back().candidates.push_back(across[c]);
    }
  }
  return found;
}

}  // namespace cfdmark::tuning

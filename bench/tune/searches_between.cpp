// Searches between the grids of the tune.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/tune/across_sizes.hpp"
#include "bench/tune/searches.hpp"

namespace cfdmark::tuning {
namespace {

// Share of the budget for all searches, including those between the grids.
constexpr double share_of_sizes = 0.75;

void add_tried(const TuneAnswer& a, std::vector<Candidate>& candidates) {
  for (const std::size_t c : tried(a)) candidates.push_back(a.space.space[c]);
}

}  // namespace

// Repeats until no two neighbours far enough apart have different winners, or the share of the budget is used
// up.
void Searches::search_between() {
  const auto has_time = [this] {
    const auto budget = with_.options.budget;
    return !interrupted() && (!budget || with_.seconds_left() > (1 - share_of_sizes) * *budget);
  };
  do {
    const std::vector<GridBetween> grids = not_looked_at_yet(between(result_.answers, with_.environment));
    if (grids.empty()) return;
    search_between(grids);
  } while (has_time());
}

std::vector<GridBetween> Searches::not_looked_at_yet(std::vector<GridBetween> grids) {
  std::erase_if(grids, [this](const GridBetween& g) {
    return std::find(looked_at_.begin(), looked_at_.end(), g.grid) != looked_at_.end();
  });
  for (const GridBetween& g : grids) looked_at_.push_back(g.grid);
  return grids;
}

void Searches::search_between(const std::vector<GridBetween>& wanted) {
  std::vector<GridBetween> grids;
  std::deque<TuneSpace> whole;
  for (const GridBetween& grid : wanted) try {
      whole.push_back(space_of(subject_between(grid)));
      grids.push_back(grid);
    } catch (const std::invalid_argument& e) {
      with_.progress.note(fmt::format("{} skipped: {}", grid_text(grid.grid), e.what()));
    }
  compile_between(grids, whole);
  for (std::size_t k = 0; k < grids.size() && !interrupted() && with_.seconds_left() > 0; ++k) {
    SearchOptions options;
    options.budget = seconds_for_next(double(grids.size() - k), share_of_sizes);
    options.seed = with_.options.seed;
    search(grids[k], whole[k], options);
  }
}

// Compiles with all cores before a search waits for it: methods that choose their layout by the grid have new
// code here.
void Searches::compile_between(const std::vector<GridBetween>& grids, const std::deque<TuneSpace>& whole) {
  std::deque<TuneSpace> spaces;
  std::vector<TuningTarget> targets;
  for (std::size_t k = 0; k < grids.size(); ++k) {
    targets.push_back(subject_between(grids[k]));
    std::vector<Candidate> first = grids[k].candidates;
    if (grids[k].at_edge)
      for (Candidate& candidate : untuned(targets.back())) first.push_back(std::move(candidate));
    spaces.push_back(narrowed(whole[k], first));
  }
  compile(spaces, targets, [this](const std::string& what) {
    with_.progress.working(what);
    return !interrupted() && with_.seconds_left() > 0;
  });
}

TuningTarget Searches::subject_between(const GridBetween& grid) const {
  TuningTarget target = subjects_.front();
  target.grid = grid.grid;
  return target;
}

// Under a budget only candidates tried on a neighbour are searched near the end of the cache: their code is
// compiled. A grid whose time ended before each of `grid.candidates` was tried adds no answer, since the
// default would win for that reason alone.
void Searches::search(const GridBetween& grid, const TuneSpace& whole, SearchOptions options) {
  std::vector<TuneAnswer>& answers = result_.answers;
  const auto above = std::find_if(answers.begin(), answers.end(), [&](const TuneAnswer& a) {
    return a.space.cases.front().domain.box().cells() > grid.grid.cells();
  });
  std::vector<Candidate> wanted = grid.candidates;
  if (with_.options.against) wanted.push_back(*with_.options.against);
  std::vector<Candidate> looked_at = wanted;
  if (grid.at_edge) add_tried(*(above - 1), looked_at), add_tried(*above, looked_at);
  const bool all = grid.at_edge && !with_.options.budget;
  spaces_.push_back(all ? whole : narrowed(whole, looked_at));
  const TuneSpace& space = spaces_.back();
  options.first = places_in(space, wanted);
  auto runner = std::make_unique<TuneRunner>(space, context());
  TuneAnswer answer = searched(space, *runner, options).answer;
  if (!were_tried(answer, places_in(space, grid.candidates)) || fastest_of(answer).empty()) return;
  answer.is_between = true;
  result_.runners.insert(result_.runners.begin() + (above - answers.begin()), std::move(runner));
  answers.insert(above, std::move(answer));
}

}  // namespace cfdmark::tuning

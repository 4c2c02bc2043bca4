#include "solvers/linear/ranked_iteration.hpp"

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "solvers/linear/system/rank_communicator.hpp"

namespace cfdmark {
namespace {

using Extents = std::array<int, 3>;

Extents extents_of(const Grid& g) { return {g.nx, g.ny, g.nz}; }
Extents extents_of(const CellBox& box) { return {box.nx, box.ny, box.nz}; }

char* place(const AnyView& field, int i, int j, int k) {
  return static_cast<char*>(field.origin) +
         (i + j * field.pitch + k * field.plane) * Index(stored_bytes(field.storage));
}

// Copies values `low` before the first to `high` behind the last cell along each axis. The cells of the part
// begin at `own` in the whole field.
void copy_values(const AnyView& part, const AnyView& whole, const CellBox& own, const Extents& low,
                 const Extents& high, bool to_part) {
  const std::size_t bytes = std::size_t(own.nx + low[0] + high[0]) * std::size_t(stored_bytes(part.storage));
  for (int k = -low[2]; k < own.nz + high[2]; ++k)
    for (int j = -low[1]; j < own.ny + high[1]; ++j) {
      char *here = place(part, -low[0], j, k), *there = place(whole, own.i - low[0], own.j + j, own.k + k);
      std::memcpy(to_part ? here : there, to_part ? there : here, bytes);
    }
}

}  // namespace

std::unique_ptr<const Communicator> rank_communicator(Ranks& ranks, const Partition& partition) {
  return std::make_unique<const RankCommunicator>(ranks, partition);
}

void copy_part(const AnyView& whole, const CellBox& own, const AnyView& part) {
  const int layers = part.grid.halo;
  const Extents ghosts = {layers, layers, part.grid.is_3d() ? layers : 0};
  const Extents values = extents_of(part.grid), cells = extents_of(own);
  Extents high = ghosts;
  for (int d = 0; d < 3; ++d) high[d] += values[d] - cells[d];
  copy_values(part, whole, own, ghosts, high, true);
}

void copy_part_back(const AnyView& part, const CellBox& own, const AnyView& whole) {
  const Extents values = extents_of(part.grid), cells = extents_of(own), all = extents_of(whole.grid);
  const Extents first = {own.i, own.j, own.k};
  Extents high = {};
  for (int d = 0; d < 3; ++d)
    if (first[d] + values[d] == all[d]) high[d] = values[d] - cells[d];
  copy_values(part, whole, own, {}, high, false);
}

Partition aligned_parts(const Grid& grid, int ranks, const PartShape& shape, int align,
                        const std::array<bool, 3>& periodic) {
  if (align <= 2) return Partition::of(grid, ranks, shape, align, periodic);
  try {
    return Partition::of(grid, ranks, shape, align, periodic);
  } catch (const std::invalid_argument&) {
    return aligned_parts(grid, ranks, shape, align / 2, periodic);
  }
}

RankedIteration::RankedIteration(int ranks,
                                 const std::function<std::unique_ptr<SolvePart>(Ranks&)>& make_part)
    : parts_(static_cast<std::size_t>(ranks)), team_(ranks) {
  team_.run([&](Ranks& all) { parts_[std::size_t(all.rank())] = make_part(all); });
}

void RankedIteration::on_parts(const std::function<void(SolvePart&)>& f) {
  team_.run([&](Ranks& all) { f(*parts_[std::size_t(all.rank())]); });
}

void RankedIteration::start() {
  on_parts([](SolvePart& part) {
    part.load();
    part.iteration().start();
  });
}
int RankedIteration::advance(int most, double reduction) {
  int done = 0;
  on_parts([&](SolvePart& part) {
    const int of_part = part.iteration().advance(most, reduction);
    if (&part == parts_.front().get()) done = of_part;
  });
  return done;
}
std::vector<NamedValue> RankedIteration::residuals() {
  std::vector<NamedValue> of_first;
  on_parts([&](SolvePart& part) {
    std::vector<NamedValue> residuals = part.iteration().residuals();
    if (&part == parts_.front().get()) of_first = std::move(residuals);
  });
  return of_first;
}
std::vector<NamedValue> RankedIteration::results() {
  std::vector<NamedValue> of_first;
  on_parts([&](SolvePart& part) {
    std::vector<NamedValue> results = part.iteration().results();
    if (&part == parts_.front().get()) of_first = std::move(results);
  });
  return of_first;
}
void RankedIteration::store() {
  on_parts([](SolvePart& part) {
    part.iteration().store();
    part.store();
  });
}
void RankedIteration::finish() {
  on_parts([](SolvePart& part) {
    part.iteration().finish();
    part.store();
  });
}

Cost RankedIteration::cost(int iterations) const {
  Cost sum;
  for (const auto& part : parts_) sum = sum + part->iteration().cost(iterations);
  return sum;
}
Cost RankedIteration::check_cost() const {
  Cost sum;
  for (const auto& part : parts_) sum = sum + part->iteration().check_cost();
  return sum;
}
Resources RankedIteration::resources() const {
  Resources resources = first().resources();
  resources.threads = int(parts_.size());
  return resources;
}

}  // namespace cfdmark

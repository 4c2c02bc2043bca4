#include "solvers/linear/ranked_iteration.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/system/rank_communicator.hpp"

namespace cfdmark {
namespace {

using Extents = std::array<int, 3>;

Extents extents_of(const Grid& g) { return {g.nx, g.ny, g.nz}; }
Extents extents_of(const CellBox& box) { return {box.nx, box.ny, box.nz}; }

// Returns the copy of values `low` before the first to `high` behind the last cell along each axis. The cells
// of the part begin at `own` in the whole field.
GhostCopy copy_of_values(const AnyView& part, const AnyView& whole, const CellBox& own, const Extents& low,
                         const Extents& high, bool to_part) {
  const Extents in_part = {-low[0], -low[1], -low[2]};
  const Extents in_whole = {own.i - low[0], own.j - low[1], own.k - low[2]};
  const Extents values = {own.nx + low[0] + high[0], own.ny + low[1] + high[1], own.nz + low[2] + high[2]};
  return to_part ? box_copy(whole, in_whole, part, in_part, values)
                 : box_copy(part, in_part, whole, in_whole, values);
}

}  // namespace

std::unique_ptr<const Communicator> rank_communicator(Ranks& ranks, const Partition& partition) {
  return std::make_unique<const RankCommunicator>(ranks, partition);
}

GhostCopy part_copy(const AnyView& whole, const CellBox& own, const AnyView& part) {
  const int layers = part.grid.halo;
  const Extents ghosts = {layers, layers, part.grid.is_3d() ? layers : 0};
  const Extents values = extents_of(part.grid), cells = extents_of(own);
  Extents high = ghosts;
  for (int d = 0; d < 3; ++d) high[d] += values[d] - cells[d];
  return copy_of_values(part, whole, own, ghosts, high, true);
}

namespace {

// Returns by how many values a part's field exceeds its cells: its last faces, if they are the domain's own.
Extents last_faces(const CellBox& own, const Extents& cells_of_domain, const AnyView& whole) {
  const Extents first = {own.i, own.j, own.k}, cells = extents_of(own), all = extents_of(whole.grid);
  Extents high = {};
  for (int d = 0; d < 3; ++d)
    if (first[d] + cells[d] == cells_of_domain[d]) high[d] = all[d] - cells_of_domain[d];
  return high;
}

}  // namespace

GhostCopy part_copy_back(const AnyView& part, const CellBox& own, const AnyView& whole) {
  const Extents values = extents_of(part.grid), cells = extents_of(own);
  Extents cells_of_domain = extents_of(whole.grid);
  for (int d = 0; d < 3; ++d) cells_of_domain[d] -= values[d] - cells[d];
  return copy_of_values(part, whole, own, {}, last_faces(own, cells_of_domain, whole), false);
}

void copy_part(const AnyView& whole, const CellBox& own, const AnyView& part) {
  part_copy(whole, own, part).run();
}
void copy_part_back(const AnyView& part, const CellBox& own, const AnyView& whole) {
  part_copy_back(part, own, whole).run();
}

void share_parts(Ranks& ranks, const Partition& partition, Backend& on, const AnyView& whole) {
  // A part as a field without ghosts, in contiguous memory.
  const auto part_of = [&](int r, char* memory) {
    const CellBox& own = partition.part(r).own;
    const Extents high = last_faces(own, extents_of(partition.whole()), whole);
    AnyView part = whole;
    part.origin = memory;
    part.grid.nx = own.nx + high[0], part.grid.ny = own.ny + high[1], part.grid.nz = own.nz + high[2];
    part.pitch = part.grid.nx, part.plane = Index(part.grid.nx) * part.grid.ny;
    return part;
  };
  Index most = 0;
  for (int r = 0; r < ranks.count(); ++r) most = std::max(most, part_of(r, nullptr).grid.cells());
  const std::size_t bytes = std::size_t(most) * std::size_t(stored_bytes(whole.storage));
  std::vector<char> mine(bytes), all(bytes * std::size_t(ranks.count()));
  const auto copy = [&](int r, char* memory, bool to_part) {
    const CellBox& own = partition.part(r).own;
    run_copies(on, {copy_of_values(part_of(r, memory), whole, own, {},
                                   last_faces(own, extents_of(partition.whole()), whole), to_part)});
  };
  copy(ranks.rank(), mine.data(), true);
  ranks.gather("answer", mine.data(), bytes, all.data());
  for (int r = 0; r < ranks.count(); ++r)
    if (r != ranks.rank()) copy(r, all.data() + std::size_t(r) * bytes, false);
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

RankGroup thread_group(int count) {
  const auto team = std::make_shared<RankTeam>(count);
  return {count, [team](const std::function<void(Ranks&)>& work) { team->run(work); }};
}

RankGroup process_group(Ranks& ranks) {
  return {ranks.count(), [&ranks](const std::function<void(Ranks&)>& work) { work(ranks); }, &ranks};
}

RankedIteration::RankedIteration(RankGroup group,
                                 const std::function<std::unique_ptr<SolvePart>(Ranks&)>& make_part,
                                 RankAccess* access)
    : copies_(!access || !access->copies_outside),
      ranks_(static_cast<std::size_t>(group.count)),
      busy_(ranks_.size(), 0),
      parts_(ranks_.size()),
      group_(std::move(group)) {
  group_.run([&](Ranks& all) {
    auto& ranks = ranks_[std::size_t(all.rank())];
    ranks = std::make_unique<TimedRanks>(all);
    parts_[std::size_t(all.rank())] = make_part(*ranks);
  });
  if (!access) return;
  access->load = [this] { on_parts([](SolvePart& part) { part.load(); }); };
  access->store = [this] { copy_back(); };
  access->facts = [this] { return facts(); };
  access->details = [this] { return details(); };
}

void RankedIteration::on_parts(const std::function<void(SolvePart&)>& f) {
  using Clock = std::chrono::steady_clock;
  group_.run([&](Ranks& all) {
    const Clock::time_point start = Clock::now();
    f(*parts_[std::size_t(all.rank())]);
    busy_[std::size_t(all.rank())] += std::chrono::duration<double>(Clock::now() - start).count();
  });
}

void add_rank(RankFacts& facts, double cells, double busy, const Communicated& sent, double steps) {
  facts.cells.push_back(cells);
  facts.of_a_solve.push_back({busy / steps, sent.exchange_seconds / steps, sent.sum_seconds / steps});
  facts.messages += sent.messages / steps;
  facts.exchange_bytes += sent.exchange_bytes / steps;
  facts.largest_message = std::max(facts.largest_message, sent.largest_message);
  facts.sums = std::max(facts.sums, sent.sums / steps);  // the same on all
  facts.sum_bytes += sent.sum_bytes / steps;
}

RankDetail rank_detail(const Communicated& sent, double steps) {
  return {sent.repeated_seconds / steps, sent.exchange_waited / steps, sent.sum_waited / steps};
}

RankFacts RankedIteration::facts() const {
  const Partition& partition = first_part().partition();
  RankFacts facts;
  facts.joined_by = group_.process ? "mpi" : "threads";
  facts.setup.count = partition.ranks();
  facts.parts = partition.counts();
  facts.imbalance = partition.imbalance();
  facts.copies_timed = copies_;
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    add_rank(facts, double(partition.part(int(r)).own.cells()), busy_[r],
             ranks_[r] ? ranks_[r]->communicated() : Communicated());
  return facts;
}

std::vector<RankDetail> RankedIteration::details() const {
  std::vector<RankDetail> details;
  for (const auto& ranks : ranks_)
    if (ranks) details.push_back(rank_detail(ranks->communicated()));
  return details;
}

void RankedIteration::start() {
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    if (ranks_[r]) ranks_[r]->reset(), busy_[r] = 0;
  // All are loaded before one starts: a rank waits for the device of the whole system, which must not wait
  // for that rank by then.
  if (copies_) on_parts([](SolvePart& part) { part.load(); });
  on_parts([](SolvePart& part) { part.iteration().start(); });
}
int RankedIteration::advance(int most, double reduction) {
  int done = 0;
  on_parts([&](SolvePart& part) {
    const int of_part = part.iteration().advance(most, reduction);
    if (&part == &first_part()) done = of_part;
  });
  return done;
}
std::vector<NamedValue> RankedIteration::values_of_first(
    const std::function<std::vector<NamedValue>(Iteration&)>& f) {
  std::vector<NamedValue> of_first;
  on_parts([&](SolvePart& part) {
    std::vector<NamedValue> values = f(part.iteration());
    if (&part == &first_part()) of_first = std::move(values);
  });
  return of_first;
}
std::vector<NamedValue> RankedIteration::residuals() {
  return values_of_first([](Iteration& one) { return one.residuals(); });
}
std::vector<NamedValue> RankedIteration::results() {
  return values_of_first([](Iteration& one) { return one.results(); });
}
void RankedIteration::store() {
  on_parts([](SolvePart& part) { part.iteration().store(); });
  if (copies_) copy_back();
}
void RankedIteration::finish() {
  on_parts([](SolvePart& part) { part.iteration().finish(); });
  if (copies_) copy_back();
}
void RankedIteration::copy_back() {
  on_parts([](SolvePart& part) { part.store(); });
  if (group_.process) first_part().share(*group_.process);
}

Cost RankedIteration::sum_of(const std::function<Cost(const Iteration&)>& f) const {
  std::vector<Cost> costs(parts_.size());
  for (std::size_t r = 0; r < parts_.size(); ++r)
    if (parts_[r]) costs[r] = f(parts_[r]->iteration());
  if (group_.process) {
    const Cost mine = costs[std::size_t(group_.process->rank())];
    group_.process->gather("cost", &mine, sizeof mine, costs.data());
  }
  Cost sum;
  for (const Cost& cost : costs) sum = sum + cost;
  return sum;
}
Cost RankedIteration::cost(int iterations) const {
  return sum_of([&](const Iteration& one) { return one.cost(iterations); });
}
Cost RankedIteration::check_cost() const {
  return sum_of([](const Iteration& one) { return one.check_cost(); });
}
Resources RankedIteration::resources() const {
  Resources resources = first().resources();
  resources.threads = group_.count * (group_.process ? std::max(resources.threads, 1) : 1);
  return resources;
}

}  // namespace cfdmark

#include "bench/sweep/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "bench/case/rank_copies.hpp"
#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/text/words.hpp"
#include "kernels/core/partition.hpp"

namespace cfdmark {
namespace {

// Returns true for the single row that stands for all methods of a backend that was not built.
bool unbuilt(const std::vector<const Row*>& methods) {
  return methods.size() == 1 && !methods[0]->unavailable.empty() && methods[0]->space.settings.empty();
}

// Returns a row for a method of a backend that was not built. It is never freed, like the catalog's rows.
const Row* stand_in(const Row& row, const std::string& method) {
  static std::deque<Row> rows;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
    return r.kind == row.kind && r.name == row.name && r.backend == row.backend &&
           r.precision == row.precision && r.method == method && r.unavailable == row.unavailable;
  });
  if (found != rows.end()) return &*found;
  rows.push_back(row);
  rows.back().method = method;
  return &rows.back();
}

std::string word_or(const Config& choices, const char* name, const std::string& otherwise) {
  return choices.has(name) ? choices.choice(name) : otherwise;
}

bool knows_problem(const Row& row, const Config& choices) {
  return row.problems.empty() || !choices.has("problem") || find_problem(row, choices.choice("problem"));
}

// Returns choices whose ranks have the usual partition of the row's domains, unless they name one.
Config with_partition(const Row& row, Config choices) {
  if (!choices.has("partition")) choices.set("partition", usual_partition(row.runs_on));
  return choices;
}

// Returns the ranks that a row runs on: those of the choices, or one if it does not run on such ranks.
RankSetup ranks_on(const Row& row, const Config& choices) {
  return runs_on_ranks(row, choices) ? ranks_of(with_partition(row, choices)) : RankSetup();
}

// Returns the complete config of a row on the ranks that it runs on.
Config config_on(const Row& row, const Config& choices) {
  if (ranks_on(row, choices).count == 1) return row.space.filled(choices);
  const Config ranked = with_partition(row, choices);
  return with_ranks(row_on_ranks(row, ranked).space.filled(choices), ranked);
}

// Returns the cells along each axis of the grid on which each rank has a grid of this size: more along the
// axes of a given shape of parts, else along the slowest axis.
std::array<Index, 3> cells_of_all(const Grid& of_one, const RankSetup& ranks) {
  std::array<int, 3> parts = {1, 1, 1};
  // Partitions of meshes leave grids as they are; the case then says that it is not run, and why.
  const bool is_of_meshes = ranks.partition == "bisection" || ranks.partition == "metis";
  if (ranks.partition == partition_copies || is_of_meshes) return {of_one.nx, of_one.ny, of_one.nz};
  const PartShape shape = PartShape::from(ranks.partition);
  parts[of_one.is_3d() ? 2 : 1] = ranks.count;
  if (ranks.count > 1 && shape.kind == PartShape::Kind::given) parts = shape.parts;
  return {Index(of_one.nx) * parts[0], Index(of_one.ny) * parts[1], Index(of_one.nz) * parts[2]};
}

// Returns the rows that the method's value selects: one, all, or the default.
std::vector<const Row*> select(const std::vector<const Row*>& methods, const std::string& word,
                               const Domain& domain, const Config& workload, const RankSetup& ranks) {
  if (word == "all") return methods;
  if (word == "default") return {&default_row(methods, domain, workload, ranks)};
  for (const Row* row : methods)
    if (row->method == word) return {row};
  if (unbuilt(methods)) return {stand_in(*methods.front(), word)};
  return {};
}

// Axes that advance together.
using Lane = std::vector<const Axis*>;

std::vector<Lane> lanes_of(const Block& block) {
  std::vector<Lane> lanes;
  std::set<std::string> placed;
  for (const Axis& axis : block.axes) {
    if (!placed.insert(axis.name).second) continue;
    lanes.push_back({&axis});
    for (const auto& zip : block.zips)
      if (std::find(zip.begin(), zip.end(), axis.name) != zip.end())
        for (const Axis& other : block.axes)
          if (std::find(zip.begin(), zip.end(), other.name) != zip.end() && placed.insert(other.name).second)
            lanes.back().push_back(&other);
  }
  return lanes;
}

std::size_t length(const Lane& lane) { return lane[0]->choices.size(); }

bool matches(const Pattern& pattern, const Config& choices) {
  return std::all_of(pattern.axes.begin(), pattern.axes.end(), [&](const Axis& axis) {
    return choices.has(axis.name) &&
           std::any_of(axis.choices.begin(), axis.choices.end(),
                       [&](const Choice& c) { return c.value == choices.at(axis.name); });
  });
}

// Returns true for an axis that selects a row and where it runs, rather than a setting of cases.
bool is_place(const std::string& axis) {
  static const std::set<std::string> places = {"kernel", "solver",    "backend", "precision",
                                               "device", "method",    "grid",    "parameters",
                                               "ranks",  "partition", "join"};
  return places.contains(axis);
}

bool takes(const Case& c, const Axis& axis, const Choice& choice) {
  // Other backends have the first device only.
  if (axis.name == "device") return choice.value == Value(c.device);
  if (axis.name == "ranks") return choice.value == Value(ranks_of(c.config).count);
  if (axis.name == "partition") return c.config.has(axis.name);
  if (axis.name == "join")
    return c.config.has("ranks") && (choice.value == Value("mpi")) == are_processes(c.config);
  return is_place(axis.name) || c.config.has(axis.name) || c.workload.has(axis.name);
}

class Expansion {
 public:
  Expansion(const SweepFile& file, const Block& block, const RowFinder& finder)
      : file_(file),
        block_(block),
        finder_(finder),
        lanes_(lanes_of(block)),
        removed_(block.exclude.size()) {}

  std::vector<Case> cases() {
    std::vector<std::size_t> at(lanes_.size(), 0);
    do {
      add(at);
    } while (advance(at));
    for (const Axis& axis : block_.axes)
      // First, since a wrong method also leaves kernels without a row.
      if (axis.name == "method") check(axis);
    for (const Axis& axis : block_.axes) check(axis);
    check_excludes();
    return std::move(cases_);
  }

 private:
  // Advances to the next combination, last lane fastest. Returns false after the last one.
  bool advance(std::vector<std::size_t>& at) const {
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < length(lanes_[n])) return true;
      at[n] = 0;
    }
    return false;
  }

  void add(const std::vector<std::size_t>& at) {
    Config choices;
    const Choice* grid = nullptr;
    for (std::size_t n = 0; n < at.size(); ++n)
      for (const Axis* axis : lanes_[n]) {
        choices.set(axis->name, axis->choices[at[n]].value);
        if (axis->name == "grid") grid = &axis->choices[at[n]];
      }
    Domain domain = grid->domain;
    if (grid->per_rank) domain = grid_per_rank(*grid, ranks_of(choices));
    const std::vector<const Row*>& methods = finder_.find(choices);
    has_unbuilt_ |= unbuilt(methods);
    if (methods.empty() || !knows_problem(*methods.front(), choices)) return;
    if (methods.front()->runs_on != domain.kind()) return;
    for (const Row* row : methods) methods_.insert(row->method);
    const Config workload = workload_of(*methods.front(), choices);
    const std::string method = word_or(choices, "method", "all");
    for (const Row* row : select(methods, method, domain, workload, ranks_on(*methods.front(), choices)))
      add_row(at, choices, {row, domain, config_on(*row, choices), workload, ""});
  }

  Domain grid_per_rank(const Choice& grid, const RankSetup& ranks) const {
    const Grid& of_one = grid.domain.box();
    const auto [nx, ny, nz] = cells_of_all(of_one, ranks);
    if (std::max({nx, ny, nz}) > longest_side)
      file_.fail(grid.mark, fmt::format("{} on each of {} ranks is too large; expected sides of at most {}",
                                        grid.domain.text(), ranks.count, longest_side));
    return Grid{int(nx), int(ny), int(nz), of_one.dims};
  }

  // Adds a case with complete settings: those of `choices`, else their defaults.
  void add_row(const std::vector<std::size_t>& at, Config choices, Case c) {
    const Row& row = *c.row;
    c.tuned.wanted = choices.is("parameters", "tuned");
    if (row.backend == BackendKind::cuda && choices.has("device")) c.device = choices.integer("device");
    for (std::size_t n = 0; n < at.size(); ++n)
      for (const Axis* axis : lanes_[n])
        if (takes(c, *axis, axis->choices[at[n]])) served_.insert(&axis->choices[at[n]]);
    for (const Config* settings : {&c.config, &c.workload})
      for (const auto& [name, value] : settings->values()) {
        settings_.insert(name);
        choices.set(name, value);
      }
    choices.set("method", row.method);
    choices.set("device", c.device);
    choices.set("ranks", ranks_of(c.config).count);
    bool excluded = false;
    for (std::size_t n = 0; n < block_.exclude.size(); ++n)
      if (matches(block_.exclude[n], choices)) excluded = removed_[n] = true;
    if (!excluded) cases_.push_back(std::move(c));
  }

  // Fails for a choice that the file names and no row has.
  void check(const Axis& axis) const {
    if (axis.is_parameter && has_unbuilt_) return;  // it may be a setting of a backend that was not built
    for (const Choice& choice : axis.choices)
      if (choice.must_serve && !served_.contains(&choice)) fail(axis, choice);
  }

  [[noreturn]] void fail(const Axis& axis, const Choice& choice) const {
    const std::string value = to_string(choice.value);
    if (axis.name == "method" && !methods_.empty()) {
      std::vector<std::string> known(methods_.begin(), methods_.end());
      known.insert(known.end(), {"default", "all"});
      file_.fail(choice.mark, fmt::format("unknown method '{}' in this block; expected {}{}", value,
                                          one_of(known), did_you_mean(value, known)));
    }
    if (!is_place(axis.name)) {
      const std::vector<std::string> known(settings_.begin(), settings_.end());
      file_.fail(axis.mark,
                 fmt::format("unknown setting '{}' in this block; expected {}{}", axis.name,
                             known.empty() ? "none" : one_of(known), did_you_mean(axis.name, known)));
    }
    file_.fail(choice.mark, fmt::format("nothing matches '{}' together with the rest of this block; "
                                        "expected a combination that 'cfdmark list' shows",
                                        value));
  }

  void check_excludes() const {
    if (has_unbuilt_) return;  // it may remove cases of a backend that was not built
    for (std::size_t n = 0; n < removed_.size(); ++n)
      if (!removed_[n])
        file_.fail(block_.exclude[n].mark,
                   "this exclude removes nothing; expected a pattern that matches a case of the block");
  }

  const SweepFile& file_;
  const Block& block_;
  const RowFinder& finder_;
  std::vector<Lane> lanes_;
  std::vector<bool> removed_;  // per exclude: true if it removed a case
  bool has_unbuilt_ = false;
  std::set<std::string> settings_, methods_;  // of the rows of this block
  std::set<const Choice*> served_;            // choices that some row has
  std::vector<Case> cases_;
};

}  // namespace

RowFinder::RowFinder(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    rows_[{row.kind, row.name, std::string(to_string(row.backend)), std::string(to_string(row.precision))}]
        .push_back(&row);
}

const std::vector<const Row*>& RowFinder::find(const Config& choices) const {
  static const std::vector<const Row*> none;
  const bool kernel = choices.has("kernel");
  const auto found =
      rows_.find({kernel ? RowKind::kernel : RowKind::solver, choices.choice(kernel ? "kernel" : "solver"),
                  choices.choice("backend"), choices.choice("precision")});
  return found == rows_.end() ? none : found->second;
}

double combinations(const Block& block) {
  double product = 1;
  for (const Lane& lane : lanes_of(block)) product *= double(length(lane));
  for (const Block& include : block.include) product += combinations(include);
  return product;
}

std::vector<Case> expand(const SweepFile& file, const Block& block, const RowFinder& finder) {
  std::vector<Case> cases = Expansion(file, block, finder).cases();
  for (const Block& include : block.include)
    for (Case& extra : Expansion(file, include, finder).cases()) cases.push_back(std::move(extra));
  if (cases.empty())
    file.fail(block.mark, "the excludes remove all cases of this block; expected at least one");
  return cases;
}

}  // namespace cfdmark

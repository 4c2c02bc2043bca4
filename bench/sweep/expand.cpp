#include "bench/sweep/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "bench/sweep/words.hpp"

namespace cfdmark {
namespace {

// Where a backend was not built, the catalog has one row for all the methods that are not known.
bool unbuilt(const std::vector<const Row*>& methods) {
  return methods.size() == 1 && !methods[0]->unavailable.empty() && methods[0]->method == "plain" &&
         methods[0]->space.parameters.empty();
}

// A row for a method of a backend that was not built. It lives as long as the program, as the catalog does.
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

// The rows that the draft's method word stands for.
std::vector<const Row*> select(const std::vector<const Row*>& methods, const Draft& draft) {
  const std::string& word = draft.method;
  if (methods.empty() || word == "all") return methods;
  if (word == "default") return {&default_row(methods, draft.grid, draft.request)};
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

// The config of a row: its defaults, and what the draft sets of its parameters.
Config config_of(const Row& row, const Config& given) {
  Config config = row.space.defaults();
  for (const auto& [name, value] : given.values())
    if (config.has(name)) config.set(name, value);
  return config;
}

// A choice holds for a draft that it would not change.
bool holds(const Choice& choice, const Draft& draft) {
  Draft changed = draft;
  choice.apply(changed);
  return changed == draft;
}

bool matches(const Pattern& pattern, const Draft& draft) {
  return std::all_of(pattern.axes.begin(), pattern.axes.end(), [&](const Axis& axis) {
    return std::any_of(axis.choices.begin(), axis.choices.end(),
                       [&](const Choice& c) { return holds(c, draft); });
  });
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
    check_words();
    check_excludes();
    return std::move(cases_);
  }

 private:
  // To the next combination, the last lane fastest; false after the last.
  bool advance(std::vector<std::size_t>& at) const {
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < length(lanes_[n])) return true;
      at[n] = 0;
    }
    return false;
  }

  void add(const std::vector<std::size_t>& at) {
    Draft draft;
    for (std::size_t n = 0; n < at.size(); ++n)
      for (const Axis* axis : lanes_[n]) axis->choices[at[n]].apply(draft);
    const std::vector<const Row*>& methods = finder_.find(draft);
    has_unbuilt_ |= unbuilt(methods);
    for (const Row* row : methods) methods_.insert(row->method);
    for (const Row* row : select(methods, draft)) {
      note_served(at, *row);
      add_row(draft, *row);
    }
  }

  // A backend other than cuda has the first device only.
  static bool takes(const Row& row, const Choice& device) {
    return row.backend == BackendKind::cuda || device.text == "0";
  }

  // Remembers which choices this row takes.
  void note_served(const std::vector<std::size_t>& at, const Row& row) {
    for (const Parameter& p : row.space.parameters) parameters_.insert(p.name);
    for (std::size_t n = 0; n < at.size(); ++n)
      for (const Axis* axis : lanes_[n])
        if (axis->is_parameter ? row.space.defaults().has(axis->name)
                               : axis->name != "devices" || takes(row, axis->choices[at[n]]))
          served_.insert(&axis->choices[at[n]]);
  }

  void add_row(Draft draft, const Row& row) {
    draft.method = row.method;
    if (row.backend != BackendKind::cuda) draft.device = 0;
    draft.config = config_of(row, draft.config);
    bool excluded = false;
    for (std::size_t n = 0; n < block_.exclude.size(); ++n)
      if (matches(block_.exclude[n], draft)) excluded = removed_[n] = true;
    if (excluded) return;
    cases_.push_back({&row, draft.grid, draft.config, draft.request, ""});
    cases_.back().tuned.wanted = draft.tuned;
    cases_.back().device = draft.device;
  }

  // Calls `complain` with each choice of an axis that the file names and no row takes.
  template <class Complain>
  void check(const Axis& axis, const Complain& complain) const {
    for (const Choice& choice : axis.choices)
      if (choice.must_serve && !served_.contains(&choice)) complain(choice);
  }

  // A wrong method leaves kernels without a row too, so that methods are looked at first.
  void check_words() const {
    for (const Axis& axis : block_.axes)
      if (axis.name == "methods" && !methods_.empty()) check_methods(axis);
    for (const Axis& axis : block_.axes)
      if (axis.is_parameter)
        check_parameter(axis);
      else
        check(axis, [&](const Choice& choice) {
          file_.fail(choice.mark, fmt::format("the catalog has no row for '{}' with the rest of this block; "
                                              "expected a combination that 'cfdmark list' shows",
                                              choice.text));
        });
  }

  void check_methods(const Axis& axis) const {
    std::vector<std::string> known(methods_.begin(), methods_.end());
    known.insert(known.end(), {"default", "all"});
    check(axis, [&](const Choice& choice) {
      file_.fail(choice.mark, fmt::format("no row of this block has a method '{}'; expected {}{}",
                                          choice.text, one_of(known), did_you_mean(choice.text, known)));
    });
  }

  void check_parameter(const Axis& axis) const {
    if (has_unbuilt_) return;  // it may be a parameter of what was not built
    const std::vector<std::string> known(parameters_.begin(), parameters_.end());
    check(axis, [&](const Choice&) {
      file_.fail(axis.mark,
                 fmt::format("no row of this block has a parameter '{}'; expected {}{}", axis.name,
                             known.empty() ? "none" : one_of(known), did_you_mean(axis.name, known)));
    });
  }

  void check_excludes() const {
    if (has_unbuilt_) return;  // it may remove what was not built
    for (std::size_t n = 0; n < removed_.size(); ++n)
      if (!removed_[n])
        file_.fail(block_.exclude[n].mark,
                   "this exclude removes nothing; expected a pattern that some case of the block has");
  }

  const SweepFile& file_;
  const Block& block_;
  const RowFinder& finder_;
  std::vector<Lane> lanes_;
  std::vector<bool> removed_;  // whether each exclude removed something
  bool has_unbuilt_ = false;
  std::set<std::string> parameters_, methods_;
  std::set<const Choice*> served_;
  std::vector<Case> cases_;
};

}  // namespace

RowFinder::RowFinder(const std::vector<Row>& rows) {
  for (const Row& row : rows) rows_[{row.kind, row.name, row.backend, row.precision}].push_back(&row);
}

const std::vector<const Row*>& RowFinder::find(const Draft& d) const {
  static const std::vector<const Row*> none;
  const auto found = rows_.find({d.kind, d.name, d.backend, d.precision});
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
    file.fail(block.mark, "the excludes of this block leave nothing; expected at least one case");
  return cases;
}

}  // namespace cfdmark

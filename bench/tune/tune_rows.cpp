#include "bench/tune/tune_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/absent_methods.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/text/words.hpp"
#include "bench/tune/usual_sizes.hpp"

namespace cfdmark {
namespace {

using tuning::Candidate;
using tuning::TuneJob;
using tuning::TuningTarget;
using Rows = std::vector<const Row*>;

// Default tolerance of fp32 solvers. On 1024x1024 BiCGStab reaches it, but not 1e-4 in 10000 iterations.
constexpr double reached_in_32_bits = 1e-3;

void add_once(std::vector<std::string>& list, std::string_view text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.emplace_back(text);
}

// The rows that match so far. Throws with the nearest word when a further condition leaves none.
class Matching {
 public:
  Matching() {
    for (const Row& row : catalog()) rows_.push_back(&row);
  }
  template <class Word>
  void keep(const char* what, const std::string& wanted, const Word& word, const std::string& why_none = "") {
    std::vector<std::string> known;
    for (const Row* row : rows_) add_once(known, word(*row));
    std::erase_if(rows_, [&](const Row* row) { return word(*row) != wanted; });
    if (rows_.empty())
      throw std::invalid_argument(
          fmt::format("unknown {} '{}'{}; expected {}{}", what, wanted, path_, one_of(known),
                      why_none.empty() ? did_you_mean(wanted, known) : "; " + why_none));
    path_ += fmt::format("{}{}", path_.empty() ? " of " : "/", wanted);
  }
  bool has(RowKind kind) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row* row) { return row->kind == kind; });
  }
  const Rows& rows() const { return rows_; }

 private:
  Rows rows_;
  std::string path_;  // conditions so far, for messages
};

std::string kind_of(const Row& row) { return std::string(to_string(row.kind)); }
std::string name_of(const Row& row) { return row.name; }
std::string backend_of(const Row& row) { return std::string(to_string(row.backend)); }
std::string precision_of(const Row& row) { return std::string(to_string(row.precision)); }
std::string method_of(const Row& row) { return row.method; }

// Returns the fastest backend that can run one of the rows here, else the backend of the first row.
std::string best_backend(const Rows& rows) {
  for (const BackendKind kind :
       {BackendKind::cuda, BackendKind::openmp, BackendKind::kokkos, BackendKind::serial})
    for (const Row* row : rows)
      if (row->backend == kind && row->unavailable.empty()) return std::string(to_string(kind));
  return backend_of(*rows.front());
}

}  // namespace

std::vector<const Row*> matching_rows(const AskedTune& given, const std::string& name,
                                      const std::string& precision) {
  Matching rows;
  rows.keep("kernel or solver", name, name_of);
  const RowKind kind = rows.has(RowKind::kernel) && !given.solver ? RowKind::kernel : RowKind::solver;
  rows.keep("kind", std::string(to_string(kind)), kind_of);
  rows.keep("backend", given.backend.empty() ? best_backend(rows.rows()) : given.backend, backend_of);
  rows.keep("precision", precision, precision_of);
  if (!given.method.empty())
    rows.keep("method", given.method, method_of,
              why_absent(name, rows.rows().front()->backend, given.method));
  return rows.rows();
}

namespace {

Rows rows_named(const AskedTune& given, const std::string& name, const std::string& precision) {
  Rows rows = matching_rows(given, name, precision);
  if (std::all_of(rows.begin(), rows.end(), [](const Row* r) { return !r->unavailable.empty(); }))
    throw std::invalid_argument(
        fmt::format("{} is not available: {}", row_name(*rows.front()), rows.front()->unavailable));
  if (rows.front()->runs_on != DomainKind::grid)
    throw std::invalid_argument(fmt::format(
        "{} does not run on grids; tuned tables are for grids, so compare its settings by a sweep", name));
  return rows;
}

std::vector<Rows> groups_named(const AskedTune& given) {
  const auto precisions = given.precisions.empty() ? std::vector<std::string>{"fp64"} : given.precisions;
  std::vector<Rows> groups;
  for (const std::string& name : given.names)
    for (const std::string& precision : precisions) groups.push_back(rows_named(given, name, precision));
  return groups;
}

bool has_two_configs(const Rows& rows) {
  std::size_t runnable = 0, lists = 0;
  for (const Row* row : rows) {
    if (!row->unavailable.empty()) continue;
    ++runnable;
    for (const Setting& s : row->space.settings) lists += s.values.size() > 1;
  }
  return runnable > 1 || lists > 0;
}

bool is_in(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_words(const char* option, const std::vector<std::string>& words,
                 const std::vector<std::string>& known) {
  for (const std::string& word : words)
    if (!is_in(known, word))
      throw std::invalid_argument(
          fmt::format("{} {}: expected {}{}", option, word, one_of(known), did_you_mean(word, known)));
}

// Flow solvers are tuned by name only: their settings are counts such as inner iterations, and each solve
// takes seconds, too long for a share of a device's budget. What runs on meshes or matrices is not tuned at
// all.
bool is_left_out(const Row& row) {
  return row.runs_on != DomainKind::grid || (row.family && row.family->tuned_by_name_only);
}

// Ordered by precision: with a short budget all of fp64 comes before the others.
std::vector<Rows> all_groups(const AskedTune& given) {
  for (const auto& [option, text] : {std::pair("--method", given.method), {"--problem", given.problem}})
    if (!text.empty())
      throw std::invalid_argument(fmt::format("{} needs a NAME; remove --all or {}", option, option));
  if (!given.names.empty())
    throw std::invalid_argument(
        fmt::format("--all includes every kernel and solver; remove {} or --all", given.names.front()));
  given.settings.values({}, "--all");
  Matching rows;
  std::vector<std::string> names;
  for (const Row* row : rows.rows()) add_once(names, row->name);
  check_words("--exclude", given.exclude, names);
  rows.keep("backend", given.backend.empty() ? best_backend(rows.rows()) : given.backend, backend_of);
  check_words("--precision", given.precisions, {"fp64", "fp32", "mixed"});
  const std::vector<std::string> usual = {"fp64", "fp32"};
  std::vector<Rows> groups;
  for (const std::string& precision : given.precisions.empty() ? usual : given.precisions) {
    std::vector<std::pair<std::pair<RowKind, std::string>, Rows>> found;
    for (const Row* row : rows.rows()) {
      if (precision_of(*row) != precision || is_in(given.exclude, row->name) || is_left_out(*row)) continue;
      const std::pair key(row->kind, row->name);
      auto at = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == key; });
      if (at == found.end()) at = found.insert(at, {key, {}});
      at->second.push_back(row);
    }
    for (auto& [_, group] : found)
      if (has_two_configs(group)) groups.push_back(std::move(group));
  }
  if (groups.empty()) throw std::invalid_argument("--all: no available kernel or solver has two configs");
  return groups;
}

AskedSizes asked_or_usual(const AskedTune& given, const Row& row, TunedDims dims) {
  if (!given.sizes.empty()) return given.sizes;
  // By name, a kernel for both dimensions is checked on 2-D grids.
  if (given.check) return sizes_to_check(row, given.all || !dims.in_2d ? dims : TunedDims{true, false});
  AskedSizes sizes = given.all ? usual_ladders(row, dims) : usual_size(row, dims);
  sizes.ladder_steps = given.sizes.ladder_steps, sizes.one_answer = given.sizes.one_answer;
  return sizes;
}

std::vector<WeightedGrid> sizes_for(const AskedTune& given, const Rows& rows) {
  TunedDims dims;
  for (const Row* row : rows) dims.in_2d = dims.in_2d || row->in_2d, dims.in_3d = dims.in_3d || row->in_3d;
  std::vector<WeightedGrid> sizes =
      sizes_from(asked_or_usual(given, *rows.front(), dims), given.all || dims.in_2d ? 2 : 3);
  if (given.all)
    std::erase_if(sizes, [&](const WeightedGrid& s) { return s.grid.is_3d() ? !dims.in_3d : !dims.in_2d; });
  std::stable_sort(sizes.begin(), sizes.end(), [](const WeightedGrid& a, const WeightedGrid& b) {
    return a.grid.cells() < b.grid.cells();
  });
  return sizes;
}

// Returns the default problem of a solver: the first that supports the grid. Empty for a kernel, or if none
// does.
std::string problem_for(const AskedTune& given, const Rows& rows, const Grid& grid) {
  if (!given.problem.empty()) return given.problem;
  for (const ProblemSettings& problem : rows.front()->problems)
    for (const Row* row : rows) {
      const Config workload = workload_space(*row, problem.name).defaults();
      if (row->unavailable.empty() && (!row->unsupported || row->unsupported(grid, workload).empty()))
        return problem.name;
    }
  return "";
}

Config workload_for(const AskedTune& given, const Rows& rows, const Grid& grid) {
  const Row& row = *rows.front();
  const std::string problem = problem_for(given, rows, grid);
  const TuningSpace space = workload_space(row, problem);
  const std::string whose = given.problem.empty() ? row.name : fmt::format("{} on {}", row.name, problem);
  Config asked = given.settings.values(space.settings, whose);
  if (row.kind == RowKind::solver && row.precision == Precision::fp32 && !asked.has("tolerance"))
    asked.set("tolerance", reached_in_32_bits);
  return space.complete(asked);
}

}  // namespace

std::vector<TuneJob> jobs_from(const AskedTune& given) {
  if (!given.all && !given.exclude.empty()) throw std::invalid_argument("--exclude needs --all");
  std::vector<TuneJob> jobs;
  for (const Rows& rows : given.all ? all_groups(given) : groups_named(given)) {
    const DeviceId device = chosen_device(rows.front()->backend, given.device);
    TuneJob planes, boxes;
    for (const WeightedGrid& size : sizes_for(given, rows)) {
      std::vector<TuningTarget>& targets = (size.grid.is_3d() ? boxes : planes).targets;
      const Config workload =
          targets.empty() ? workload_for(given, rows, size.grid) : targets.front().workload;
      targets.push_back({rows, size.grid, workload, device.index, size.weight});
    }
    if (given.sizes.one_answer && !planes.targets.empty() && !boxes.targets.empty())
      throw std::invalid_argument(
          fmt::format("--one-answer: {} and {} have different dimensions; tune them separately",
                      grid_text(planes.targets.front().grid), grid_text(boxes.targets.front().grid)));
    for (TuneJob* job : {&planes, &boxes}) {
      if (job->targets.empty()) continue;
      job->scope = given.method.empty() ? "all" : given.method;
      jobs.push_back(std::move(*job));
    }
  }
  if (jobs.empty()) throw std::invalid_argument("--all: no kernel or solver supports these grids");
  return jobs;
}

Candidate layout_from(const std::string& text, const TuneJob& job) {
  const TuningTarget& first = job.targets.front();
  const std::size_t colon = text.find(':');
  const Row* row = &default_row(first.methods, first.grid, first.workload);
  if (colon != std::string::npos) {
    std::vector<std::string> methods;
    for (const Row* r : first.methods) methods.push_back(r->method);
    const std::string wanted = text.substr(0, colon);
    const auto at = std::find(methods.begin(), methods.end(), wanted);
    if (at == methods.end())
      throw std::invalid_argument(fmt::format("--against {}: unknown method '{}'; expected {}{}", text,
                                              wanted, one_of(methods), did_you_mean(wanted, methods)));
    row = first.methods[std::size_t(at - methods.begin())];
  }
  try {
    const std::string settings = colon == std::string::npos ? text : text.substr(colon + 1);
    const GivenSettings set = settings_given_as(settings);
    return {row->method, row->space.complete(set.values(row->space.settings, "method " + row->method))};
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("--against {}: {}", text, e.what()));
  }
}

}  // namespace cfdmark

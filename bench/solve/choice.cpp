#include "bench/solve/choice.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/environment.hpp"
#include "bench/text/words.hpp"
#include "bench/tuned/tuned_levels.hpp"

namespace cfdmark {
namespace {

const Row& row_with(const std::vector<const Row*>& rows, const std::string& method) {
  std::vector<std::string> names;
  for (const Row* row : rows) {
    if (row->method == method) return *row;
    names.push_back(row->method);
  }
  throw std::invalid_argument(fmt::format("unknown method '{}' of {} on {}; expected {}{}", method,
                                          rows.front()->name, to_string(rows.front()->backend), one_of(names),
                                          did_you_mean(method, names)));
}

// Returns the best row of the tuned tables with its config. Without one the row is null.
std::pair<const Row*, Config> tuned_choice(const SolveCase& asked, const std::vector<const Row*>& rows) {
  using namespace tuning;
  const TunedTables tables = read_usual_tuned_tables();
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const TuningDevice device = tuning_device(describe_environment(), asked.on->id());
  const auto [row, best] = look_up_method(tables, device, rows, asked.grid, asked.workload);
  const Grid nearest = best.entry ? nearest_size(*best.entry, asked.grid) : asked.grid;
  const double ratio = size_ratio(asked.grid, nearest);
  fmt::print("tuned: {}{}{}{}\n", to_string(best.match),
             ratio > 1 ? fmt::format(" (the number of points differs by a factor of {:.3g})", ratio) : "",
             best.entry ? fmt::format(", on {} for {}", best.device, grid_text(nearest)) : "",
             row                    ? ""
             : is_tuned(best.match) ? "; the default won"
                                    : "; the defaults are used");
  return {row, row ? best.config : Config()};
}

// Returns the complete config: given values override tuned ones.
Config config_of(const Row& row, const Config& tuned, const Config& given, const Config& workload) {
  Config config = tuned;
  // So do defaults that depend on given values.
  const Config adapted = row.space.defaults(given).differing_from(row.space.defaults());
  for (const auto& [name, value] : adapted.values()) config.set(name, value);
  // The two exclude each other.
  if (given.has("omega") && config.has("omega_gap")) config.set("omega_gap", 1.0);
  for (const auto& [name, value] : given.values())
    if (!workload.has(name)) config.set(name, value);
  return row.space.complete(config);
}

}  // namespace

std::vector<const Row*> rows_of(const std::string& solver, BackendKind kind, Precision precision) {
  std::vector<const Row*> rows;
  for (const Row& row : catalog())
    if (row.kind == RowKind::solver && row.name == solver && row.backend == kind &&
        row.precision == precision)
      rows.push_back(&row);
  if (rows.empty())
    throw std::invalid_argument(fmt::format("{} has no method on {}", solver, to_string(kind)));
  return rows;
}

void choose_method(SolveCase& asked, const std::vector<const Row*>& rows, const SolveRequest& request,
                   const Config& given) {
  std::pair<const Row*, Config> tuned;
  if (request.tuned) {
    std::vector<const Row*> allowed = rows;
    std::erase_if(allowed,
                  [&](const Row* row) { return !request.method.empty() && row->method != request.method; });
    tuned = tuned_choice(asked, allowed);
  }
  asked.row = tuned.first              ? tuned.first
              : request.method.empty() ? &default_row(rows, asked.grid, asked.workload)
                                       : &row_with(rows, request.method);
  if (request.tuned && tuned.second.empty()) tuning::ask_for_tuned_levels(*asked.row, tuned.second);
  asked.config = config_of(*asked.row, tuned.second, given, asked.workload);
}

}  // namespace cfdmark

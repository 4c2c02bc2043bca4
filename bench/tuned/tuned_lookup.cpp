#include "bench/tuned/tuned_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "bench/catalog/cooperative_blocks.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/tuned/tuned_levels.hpp"

namespace cfdmark::tuning {
namespace {

bool same_row(const Json& entry, const Row& row) {
  const std::string scope = entry.at("scope"), method = entry.at("winner").at("method");
  return entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
         entry.at("backend") == to_string(row.backend) && entry.at("precision") == to_string(row.precision) &&
         method == row.method && (scope == row.method || scope == "all");
}

// Returns the winner's config, completed by the row's defaults.
Config whole_config_of(const Json& entry, const Row& row) {
  return row.space.filled(config_of(entry.at("winner"), row.space));
}

// Returns true if the config launches at most as many cooperative blocks as the entry allows.
bool fits(const Json& entry, const Row& row, const Grid& grid, const Config& workload) {
  const Json most_blocks = entry.at("winner").value("most_blocks", Json());
  return !most_blocks.is_number() ||
         cooperative_blocks(row, grid, whole_config_of(entry, row), workload) <= most_blocks.get<long long>();
}

bool is_valid(const Json& entry, const Row& row, const Grid& grid, const Config& workload) {
  if (config_of(entry.at("winner"), row.space).values().size() != entry["winner"]["config"].size())
    return false;  // unknown parameter
  const Config whole = whole_config_of(entry, row);
  return why_not_run({&row, grid, whole, workload, ""}, std::numeric_limits<std::size_t>::max()).empty();
}

// Settings missing in an entry are not compared.
bool same_workload(const Json& entry, const Config& workload) {
  const Config tuned_for = config_from_json(entry.value("workload", Json::object()));
  const auto& values = tuned_for.values();
  return std::all_of(values.begin(), values.end(), [&](const auto& v) {
    return workload.has(v.first) && workload.at(v.first) == v.second;
  });
}

// A solver's config may suit another problem. A kernel with another operator is another loop.
bool is_of_use(const Json& entry, const Row& row, const Config& workload) {
  return row.kind == RowKind::solver || same_workload(entry, workload);
}

// Returns true if answers of the other device are eligible here.
bool is_related(const TuningDevice& tuned_on, const TuningDevice& here) {
  return tuned_on.architecture == here.architecture &&
         (tuned_on.name == here.name || !here.architecture.empty());
}

// Smaller is better.
struct Rank {
  bool elsewhere = true, outside = true;  // another device; no range covers the grid
  double ratio = 0;                       // if outside: ratio of cells to the nearest size
  bool asked_else = true;                 // other problem of a solver
  double width = 0;                       // width of the range
  bool over_all = true;                   // tuned over all methods, not over this one alone

  auto operator<=>(const Rank&) const = default;
};

// `cells` replaces the number of cells of the grid.
Rank rank(const Json& entry, const TuningDevice& tuned_on, const TuningDevice& here, const Grid& grid,
          double cells, const Config& workload) {
  Rank r{tuned_on.name != here.name,      !covers(entry, grid, cells), 0,
         !same_workload(entry, workload), range_of(entry).ratio(),     entry.at("scope") == "all"};
  // An entry of another device that covers the grid beats one of this device that does not.
  if (r.outside) r.elsewhere = true, r.ratio = size_ratio(nearest_size(entry, grid), grid);
  return r;
}

// Returns true if the default won at every size. The default depends on the size: between the tuned sizes it
// may be another one, and nothing is known of the entry's winner there.
bool default_won(const Json& entry) {
  const auto is_default = [](const Json& size) {
    return size.contains("default") && size["default"].at("method") == size.at("winner").at("method") &&
           size["default"].at("config") == size["winner"].at("config");
  };
  const Json sizes = entry.contains("range") ? entry["range"].value("sizes", Json::array()) : Json::array();
  return sizes.empty() ? is_default(entry) : std::all_of(sizes.begin(), sizes.end(), is_default);
}

TunedMatch match_of(const Rank& rank, const Json& entry, const Grid& grid) {
  if (rank.outside) return TunedMatch::outside;
  if (rank.elsewhere) return TunedMatch::same_architecture;
  const std::vector<Grid> sizes = sizes_of(entry);
  const bool is_size = std::find(sizes.begin(), sizes.end(), grid) != sizes.end();
  return is_size && !rank.asked_else ? TunedMatch::exact : TunedMatch::in_range;
}

// The parameters of a look-up.
struct Asked {
  const TunedTables& tables;
  const TuningDevice& here;
  const Grid& grid;
  const Config& workload;
};

// A row, and the source hash that an entry must have; nothing: any.
struct AskedRow {
  const Row* row;
  std::optional<std::string> hash;
};

bool counts(const Json& entry, const TuningDevice& tuned_on, const Asked& asked, const AskedRow& of) {
  if (entry.contains("objective")) return false;  // not chosen by time
  if (of.hash && (of.hash->empty() || entry.at("source_hash") != *of.hash)) return false;
  return is_related(tuned_on, asked.here) && same_row(entry, *of.row) &&
         grid_of(entry).is_3d() == asked.grid.is_3d() && is_of_use(entry, *of.row, asked.workload) &&
         is_valid(entry, *of.row, asked.grid, asked.workload);
}

TunedAnswer best_answer(const Asked& asked, const AskedRow& of, double cells) {
  const Config defaults = of.row->space.defaults();
  TunedAnswer answer{TunedMatch::none, defaults, nullptr, ""};
  Rank best;
  for (const TunedTable& table : asked.tables.tables)
    for (const Json& entry : table.entries) {
      if (!counts(entry, table.device, asked, of) || !fits(entry, *of.row, asked.grid, asked.workload))
        continue;
      const Rank found = rank(entry, table.device, asked.here, asked.grid, cells, asked.workload);
      if (answer.entry && found >= best) continue;
      best = found;
      const TunedMatch match = match_of(found, entry, asked.grid);
      answer = {match, is_tuned(match) ? whole_config_of(entry, *of.row) : defaults, &entry,
                table.device.name};
    }
  return answer;
}

// Returns the least end, in cells, of the ranges that cover `cells` with a config that launches too many
// cooperative blocks on this grid.
std::optional<double> end_of_what_does_not_fit(const Asked& asked, const std::vector<AskedRow>& rows,
                                               double cells) {
  std::optional<double> end;
  for (const TunedTable& table : asked.tables.tables)
    for (const Json& entry : table.entries)
      for (const AskedRow& of : rows)
        if (covers(entry, asked.grid, cells) && counts(entry, table.device, asked, of) &&
            !fits(entry, *of.row, asked.grid, asked.workload))
          end = std::min(end.value_or(range_of(entry).most), range_of(entry).most);
  return end;
}

// Returns `answer_at(cells)` for the grid's number of cells. If nothing applies because the covering entries
// launch too many cooperative blocks, continues at the next range.
template <class AnswerAt>
auto answer_where_it_fits(const Asked& asked, const std::vector<AskedRow>& rows, const AnswerAt& answer_at) {
  double cells = double(asked.grid.nx) * asked.grid.ny * asked.grid.nz;
  for (;;) {
    auto answer = answer_at(cells);
    if (answer.is_tuned()) return answer;
    const auto end = end_of_what_does_not_fit(asked, rows, cells);
    if (!end) return answer;
    cells = std::nextafter(*end, std::numeric_limits<double>::infinity());
  }
}

TunedMethod best_method(const Asked& asked, const std::vector<AskedRow>& rows, double cells) {
  TunedMethod best;  // match `none`, without an entry
  for (const AskedRow& of : rows) {
    TunedAnswer answer = best_answer(asked, of, cells);
    if (!answer.entry) continue;
    const bool better = answer.match != best.answer.match
                            ? answer.match < best.answer.match
                            : range_of(*answer.entry).ratio() < range_of(*best.answer.entry).ratio();
    if (!better) continue;
    const bool has_winner = is_tuned(answer.match) && !default_won(*answer.entry);
    best = {has_winner ? of.row : nullptr, std::move(answer)};
  }
  return best;
}

void remove_duplicates(std::vector<Case>& cases) {
  std::map<std::string, Tuned*> first;  // by case name
  std::vector<Case> kept;
  kept.reserve(cases.size());  // keeps pointers to the notes valid
  for (Case& c : cases) {
    const auto [place, is_new] = first.try_emplace(case_name(c), nullptr);
    if (is_new) {
      kept.push_back(std::move(c));
      place->second = &kept.back().tuned;
    } else if (place->second->match.empty()) {
      *place->second = c.tuned;
    }
  }
  cases = std::move(kept);
}

}  // namespace

std::string_view to_string(TunedMatch match) {
  switch (match) {
    case TunedMatch::exact: return "exact";
    case TunedMatch::in_range: return "in_range";
    case TunedMatch::same_architecture: return "same_architecture";
    case TunedMatch::outside: return "outside";
    case TunedMatch::none: break;
  }
  return "none";
}

bool is_tuned(TunedMatch match) { return match < TunedMatch::outside; }

Config config_of(const Json& choice, const TuningSpace& space) {
  Config config;
  for (const Setting& s : space.settings)
    if (choice.at("config").contains(s.name)) config.set(s.name, value_from_json(choice["config"][s.name]));
  return config;
}

TunedAnswer look_up(const TunedTables& tables, const TuningDevice& here, const Row& row, const Grid& grid,
                    const Config& workload, const std::optional<std::string>& hash) {
  const Asked asked{tables, here, grid, workload};
  const AskedRow of{&row, hash};
  return answer_where_it_fits(asked, {of}, [&](double cells) { return best_answer(asked, of, cells); });
}

TunedMethod look_up_method(const TunedTables& tables, const TuningDevice& here,
                           const std::vector<const Row*>& rows, const Grid& grid, const Config& workload,
                           Sources sources) {
  const Asked asked{tables, here, grid, workload};
  std::vector<AskedRow> of;
  for (const Row* row : rows)
    of.push_back({row, sources == Sources::any ? std::nullopt : std::optional(source_hash(*row))});
  return answer_where_it_fits(asked, of, [&](double cells) { return best_method(asked, of, cells); });
}

bool is_current(const Json& entry, const std::vector<const Row*>& methods) {
  return std::any_of(methods.begin(), methods.end(), [&](const Row* row) {
    const std::string hash = source_hash(*row);
    return entry.at("winner").at("method") == row->method && !hash.empty() && entry.at("source_hash") == hash;
  });
}

std::string tuned_matches_text(const std::vector<Case>& cases) {
  std::map<std::string, int> count;
  std::map<std::string, double> farthest;
  for (const Case& c : cases) {
    if (c.tuned.match.empty()) continue;
    ++count[c.tuned.match];
    double& ratio = farthest[c.tuned.match];
    if (!c.tuned.grid.empty()) ratio = std::max(ratio, size_ratio(c.domain.box(), grid_from(c.tuned.grid)));
  }
  std::string text;
  for (const auto& [match, n] : count) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, match);
    const bool outside = match == to_string(TunedMatch::outside);
    if (farthest[match] > 1)
      text += fmt::format(" ({}cells up to a factor of {:.3g} from a tuned size)",
                          outside ? "default configs; " : "", farthest[match]);
  }
  return text;
}

void use_tuned_configs(std::vector<Case>& cases, const TunedTables& tables, const Json& environment,
                       const std::function<void(const std::string&)>& warn) {
  for (const std::string& warning : tables.warnings) warn(warning);
  for (Case& c : cases) {
    if (!c.tuned.wanted || !c.row->unavailable.empty() || !c.domain.is_grid()) continue;
    const TunedAnswer answer = look_up(tables, tuning_device(environment, device_of(c)), *c.row,
                                       c.domain.box(), c.workload, source_hash(*c.row));
    for (const auto& [name, value] : answer.config.values()) c.config.set(name, value);
    if (!is_tuned(answer.match)) ask_for_tuned_levels(*c.row, c.config);
    c.tuned.match = to_string(answer.match);
    c.tuned.device = answer.device;
    if (answer.entry) c.tuned.grid = grid_text(nearest_size(*answer.entry, c.domain.box()));
  }
  remove_duplicates(cases);
}

}  // namespace cfdmark::tuning

#include "bench/catalog/catalog_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/case/settings_help.hpp"
#include "bench/catalog/absent_methods.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/config_json.hpp"
#include "bench/text/terminal.hpp"
#include "bench/text/words.hpp"
#include "solvers/linear/system/model_matrices.hpp"

namespace cfdmark {
namespace {

Json problems_json(const std::vector<ProblemSettings>& problems) {
  Json list = Json::array();
  for (const ProblemSettings& p : problems)
    list.push_back({{"name", p.name}, {"settings", settings_json(p.settings)}});
  return list;
}

Json row_json(const Row& row) {
  return {{"name", row.name},
          {"kind", to_string(row.kind)},
          {"backend", to_string(row.backend)},
          {"precision", to_string(row.precision)},
          {"method", row.method},
          {"settings", settings_json(row.space.settings)},
          {"solve_settings", settings_json(row.workload_settings)},
          {"problems", problems_json(row.problems)},
          {"runs_on", to_string(row.runs_on)},
          {"available", row.unavailable.empty()},
          {"reason", row.unavailable}};
}

void print_json(const std::vector<const Row*>& rows) {
  Json list = Json::array();
  for (const Row* row : rows) list.push_back(row_json(*row));
  fmt::print("{}\n", list.dump(1));
}

// Returns "plain", or "tiled (block_x, block_y)" with its settings.
std::string method_text(const Row& row) {
  std::string names;
  for (const Setting& s : row.space.settings) names += (names.empty() ? "" : ", ") + s.name;
  return names.empty() ? row.method : fmt::format("{} ({})", row.method, names);
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string joined(const std::vector<std::string>& list, const char* between) {
  std::string text;
  for (const std::string& part : list) text += (text.empty() ? "" : between) + part;
  return text;
}

// One kernel or solver on one backend: all its methods and precisions.
struct Line {
  const Row* first;
  std::vector<std::string> methods, precisions;
};

// Returns "jacobi", or "jacobi (operator)" with the workload settings that not all kernels have.
std::string name_text(const Row& row) {
  std::string names;
  if (row.kind == RowKind::kernel)
    for (const Setting& s : row.workload_settings) names += (names.empty() ? "" : ", ") + s.name;
  return names.empty() ? row.name : fmt::format("{} ({})", row.name, names);
}

std::vector<Line> lines_of(const std::vector<const Row*>& rows) {
  std::vector<Line> lines;
  for (const Row* row : rows) {
    if (!row->unavailable.empty()) continue;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) {
      return l.first->kind == row->kind && l.first->name == row->name && l.first->backend == row->backend;
    });
    if (line == lines.end()) line = lines.insert(lines.end(), {row, {}, {}});
    add_once(line->methods, method_text(*row));
    add_once(line->precisions, std::string(to_string(row->precision)));
  }
  return lines;
}

const char* dimensions(const Row& row) {
  if (row.runs_on == DomainKind::matrix) return "matrices";
  if (row.runs_on == DomainKind::mesh)
    return row.in_2d && row.in_3d ? "meshes" : row.in_2d ? "triangles" : "tetrahedra";
  return row.in_2d && row.in_3d ? "2-D 3-D" : row.in_2d ? "2-D" : "3-D";
}

std::string table_of(const std::vector<Line>& lines, RowKind kind) {
  std::string text = fmt::format("\n{}S\n", kind == RowKind::kernel ? "KERNEL" : "SOLVER"), last;
  for (const Line& line : lines) {
    if (line.first->kind != kind) continue;
    const bool again = line.first->name == last;
    last = line.first->name;
    text += fmt::format("  {:<26} {:<8} {:<7} {:<16}  {}\n", again ? "" : name_text(*line.first),
                        again ? "" : dimensions(*line.first), to_string(line.first->backend),
                        joined(line.precisions, " "), joined(line.methods, ", "));
  }
  return text;
}

std::string matrices_text(const std::vector<const Row*>& rows) {
  if (std::none_of(rows.begin(), rows.end(),
                   [](const Row* row) { return row->runs_on == DomainKind::matrix; }))
    return "";
  std::string text = "\nGENERATED MATRICES, for sweeps and --matrix; with N cells along each side\n";
  for (const ModelMatrix& m : model_matrices())
    text += fmt::format("  {:<26} {:<13} {}\n", m.name + (m.dims == 3 ? "-NxNxN" : "-NxN"),
                        m.is_symmetric ? "symmetric" : "not symmetric", m.help);
  return text;
}

// Returns the unavailable rows, one line per reason.
std::string unavailable_text(const std::vector<const Row*>& rows) {
  std::map<std::string, std::pair<std::vector<std::string>, int>> reasons;
  for (const Row* row : rows)
    if (!row->unavailable.empty()) {
      add_once(reasons[row->unavailable].first, std::string(to_string(row->backend)));
      ++reasons[row->unavailable].second;
    }
  std::string text = reasons.empty() ? "" : "\nNOT AVAILABLE\n";
  for (const auto& [reason, who] : reasons)
    text += fmt::format("  {} ({} rows): {}\n", joined(who.first, ", "), who.second, reason);
  return text;
}

// Lists the generated methods that one kernel cannot have, with the reason.
std::string absent_text(const std::vector<const Row*>& rows) {
  const Row& first = *rows.front();
  const bool one_kernel = std::all_of(rows.begin(), rows.end(), [&](const Row* row) {
    return row->kind == RowKind::kernel && row->name == first.name;
  });
  std::string text;
  std::vector<BackendKind> backends;
  for (const Row* row : rows)
    if (std::find(backends.begin(), backends.end(), row->backend) == backends.end())
      backends.push_back(row->backend);
  if (!one_kernel) return text;
  if (backends.size() > 1) backends.assign(std::begin(all_backends), std::end(all_backends));
  for (const BackendKind kind : backends)
    for (const AbsentMethod& one : absent_methods_of(first.name, kind))
      text += fmt::format("  {:<8} {:<13} {}\n", to_string(kind), one.method, one.reason);
  return text.empty() ? text : "\nUNSUPPORTED METHODS\n" + text;
}

void print_table(const std::vector<const Row*>& rows) {
  const std::vector<Line> lines = lines_of(rows);
  std::string text = fmt::format(
      "{} rows, each named name/backend/precision/method; settings are in parentheses\n", rows.size());
  std::vector<Row> shown;
  for (const Row* row : rows) shown.push_back(*row);
  for (const RowKind kind : {RowKind::kernel, RowKind::solver})
    if (std::any_of(lines.begin(), lines.end(), [&](const Line& l) { return l.first->kind == kind; })) {
      text += table_of(lines, kind);
      if (const std::string settings = settings_help(shown, kind); !settings.empty())
        text += fmt::format("\n{} SETTINGS, for sweeps and --set\n{}",
                            kind == RowKind::kernel ? "KERNEL" : "SOLVER", settings);
    }
  fmt::print("{}",
             for_standard_output(text + matrices_text(rows) + absent_text(rows) + unavailable_text(rows)));
}

// Returns the rows whose name contains the text. Throws std::invalid_argument if there are none.
std::vector<const Row*> rows_with(const std::string& text) {
  std::vector<const Row*> rows;
  std::vector<std::string> names;
  for (const Row& row : catalog()) {
    if (row_name(row).find(text) != std::string::npos) rows.push_back(&row);
    add_once(names, row.name);
  }
  if (rows.empty())
    throw std::invalid_argument(
        fmt::format("no row of the catalog matches '{}'{}", text, did_you_mean(text, names)));
  return rows;
}

}  // namespace

void print_catalog(const std::string& text, bool as_json) {
  const std::vector<const Row*> rows = rows_with(text);
  as_json ? print_json(rows) : print_table(rows);
}

}  // namespace cfdmark

#include "bench/sweep/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/case/known_domain.hpp"
#include "bench/case/ranked_case.hpp"
#include "bench/sweep/series.hpp"
#include "bench/text/words.hpp"
#include "kernels/core/partition.hpp"
#include "kernels/mesh/files/made_mesh.hpp"
#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {
namespace {

constexpr const char* any_grid =
    "a grid such as 512x512 or 64x64x64, a series such as {powers_of_two: [64, 1024]}, a mesh such as "
    "triangles-178x178, or a matrix such as poisson-100x100 or A.mtx";

constexpr const char* per_rank_key = "grids_per_rank";

constexpr const char* any_device = "the number of a CUDA device, 0 or more";

void append_new(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::vector<std::string> names_of(const std::vector<Row>& rows, RowKind kind) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    if (row.kind == kind) append_new(names, row.name);
  return names;
}

std::vector<std::string> problems_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    for (const ProblemSettings& problem : row.problems) append_new(names, problem.name);
  return names;
}

template <class Words>
std::vector<std::string> texts(const Words& words) {
  std::vector<std::string> found;
  for (const auto& word : words) found.emplace_back(to_string(word));
  return found;
}

Setting words_axis(const char* name, const std::vector<std::string>& words) {
  return choice_setting(name, words, words.empty() ? "" : words.front(), "");
}

Domain parsed_domain(const SweepFile& file, const std::string& text, const YAML::Node& item) {
  try {
    return known(domain_from(text));
  } catch (const MeshFileError& e) {
    file.fail(item.Mark(), e.what());
  } catch (const std::invalid_argument& e) {
    const bool is_grid = text.find('-') == std::string::npos && text.find(".mtx") == std::string::npos;
    file.fail(item.Mark(), is_grid ? fmt::format("invalid grid '{}'; expected {}", text, any_grid)
                                   : std::string(e.what()));
  }
}

// Returns true for a number of parts along each axis, such as 2x2.
bool is_shape(const std::string& text) {
  try {
    return PartShape::from(text).kind == PartShape::Kind::given;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

int longest_side_of(const Domain& domain) {
  if (domain.is_mesh()) return std::ranges::max(domain.mesh().sides);
  if (domain.is_matrix()) return std::ranges::max(domain.matrix().sides);
  const Grid& g = domain.box();
  return std::max({g.nx, g.ny, g.nz});
}

}  // namespace

AxisReader::AxisReader(const SweepFile& file, const std::vector<Row>& rows) : file_(file) {
  declare(words_axis("problem", problems_of(rows)), names_);
  for (const Row& row : rows)
    for (const ProblemSettings& problem : row.problems)
      for (const Setting& s : problem.settings)
        if (s.name != numbering_setting().name) declare(s, names_);
  names_.push_back("grid");
  // After the meshes, so that cases of one mesh follow each other.
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.runs_on == DomainKind::mesh; }))
    declare(numbering_setting(), names_);
  declare(words_axis("kernel", names_of(rows, RowKind::kernel)), names_);
  declare(words_axis("solver", names_of(rows, RowKind::solver)), names_);
  declare(words_axis("precision", texts(all_precisions)), names_);
  for (const Row& row : rows)
    for (const Setting& s : row.workload_settings) declare(s, names_);
  declare(words_axis("backend", texts(all_backends)), names_);
  declare({"device", {}, 0, any_device, "", integer_from(0)}, names_);
  for (const Setting& s : rank_settings()) declare(s, names_);
  names_.push_back("method");
  declare(words_axis("parameters", {"tuned", "default"}), names_);
  for (const Row& row : rows) {
    for (const Setting& s : row.space.settings) declare(s, parameters_);
    if (row.on_ranks)
      for (const Setting& s : row.on_ranks({2}).space.settings) declare(s, parameters_);
  }
}

void AxisReader::declare(const Setting& setting, std::vector<std::string>& names) {
  append_new(names, setting.name);
  const bool known = std::any_of(declarations_.begin(), declarations_.end(), [&](const Setting& s) {
    return s.name == setting.name && s.takes_text() == setting.takes_text();
  });
  if (!known) declarations_.push_back(setting);
}

std::string AxisReader::axis_name(const std::string& key) const {
  for (const char* other : {"mesh", "meshes", "matrix", "matrices", per_rank_key})
    if (key == other) return "grid";
  for (const std::string& name : names_)
    if (key == name || key == name + "s") return name;
  return "";
}

std::vector<std::string> AxisReader::words(const std::string& name) const {
  std::vector<std::string> words;
  for (const Setting& s : declarations_)
    if (s.name == name && s.range.kind == Range::Kind::none)
      for (const std::string& word : s.words) append_new(words, word);
  return words;
}

std::string AxisReader::expected(const std::string& name) const {
  if (name == "grid") return any_grid;
  if (name == "device") return any_device;
  if (name == "method") return "a method, default or all";
  if (name == "parameters") return "a map such as {block_x: [16, 32]}, or tuned, default or both";
  const Setting* setting = find_setting(declarations_, name);
  if (!setting) return "a number or a word";
  if (!setting->help.empty()) return setting->declaration();
  std::vector<std::string> all = words(name);
  all.push_back("all");
  return fmt::format("a {}: {}", name, one_of(all));
}

Value AxisReader::value(const std::string& name, const std::string& text, const YAML::Node& item) const {
  if (name == "method") return text;
  if (name == "partition" && is_shape(text)) return text;
  bool known = false;
  for (const Setting& s : declarations_)
    if (s.name == name) {
      if (const auto value = s.parse(text)) return *value;
      known = true;
    }
  if (!known) return text;  // reported later, with the settings that the block's rows have
  std::vector<std::string> all = words(name);
  all.push_back("all");
  file_.fail(item.Mark(),
             fmt::format("found '{}'; expected {}{}", text, expected(name), did_you_mean(text, all)));
}

Choice AxisReader::choice(const Domain& domain, const YAML::Node& item) const {
  const std::string text = domain.text();
  if (longest_side_of(domain) > longest_side)
    file_.fail(item.Mark(),
               fmt::format("grid {} is too large; expected sides of at most {}", text, longest_side));
  return {text, item.Mark(), true, domain};
}

std::vector<Choice> AxisReader::domains(const YAML::Node& item, bool per_rank) const {
  if (!item.IsMap()) {
    Choice one = choice(parsed_domain(file_, file_.word(item, any_grid), item), item);
    one.per_rank = per_rank;
    if (per_rank && !one.domain.is_grid())
      file_.fail(item.Mark(), fmt::format("'{}' is a {}; {} expects grids such as 512x512", one.domain.text(),
                                          to_string(one.domain.kind()), per_rank_key));
    return {one};
  }
  const Series series = read_series(file_, item, SeriesUse::grids, std::nullopt);
  std::vector<Choice> found;
  for (const int n : series.values)
    found.push_back(choice(Grid{n, n, series.dims == 3 ? n : 1, series.dims}, item));
  for (Choice& one : found) one.per_rank = per_rank;
  return found;
}

std::vector<Choice> AxisReader::choices(const std::string& name, const YAML::Node& item) const {
  const std::vector<std::string> all = words(name);
  std::vector<Choice> found;
  if (item.IsMap() && all.empty() && name != "method") {
    const Setting* setting = find_setting(declarations_, name);
    const auto most_here = setting ? setting->most_here : std::nullopt;
    for (const int n : read_series(file_, item, SeriesUse::numbers, most_here).values)
      found.push_back({value(name, std::to_string(n), item), item.Mark()});
    return found;
  }
  const std::string text = file_.word(item, expected(name));
  if (text != "all" || all.empty()) return {{value(name, text, item), item.Mark(), text != "all"}};
  for (const std::string& word : all) found.push_back({word, item.Mark(), false});
  return found;
}

Axis AxisReader::read(const std::string& name, const Entry& entry) const {
  Axis axis{name, entry.mark, {}, axis_name(name).empty()};
  for (const YAML::Node& item : file_.items(entry, expected(name)))
    for (Choice& one : name == "grid" ? domains(item, entry.key == per_rank_key) : choices(name, item))
      axis.choices.push_back(std::move(one));
  return axis;
}

}  // namespace cfdmark

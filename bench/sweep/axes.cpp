#include "bench/sweep/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bench/sweep/series.hpp"
#include "bench/sweep/words.hpp"
#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

// Longer sides are a slip of the keyboard, and the elements of a cube of them would overflow an index.
constexpr int longest_side = 1 << 20;

void append_new(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::vector<std::string> names_of(const std::vector<Row>& rows, RowKind kind) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    if (row.kind == kind) append_new(names, row.name);
  return names;
}

template <class Words>
std::vector<std::string> texts(const Words& words) {
  std::vector<std::string> found;
  for (const auto& word : words) found.emplace_back(to_string(word));
  return found;
}

// Reads words out of `known`; the word all stands for each of them.
template <class Apply>
std::vector<Choice> read_words(const AxisReader& in, const Entry& entry, const std::string& what,
                               const std::vector<std::string>& known, Apply apply) {
  std::vector<std::string> words = known;
  words.push_back("all");
  const std::string expected = fmt::format("a {}: {}", what, one_of(words));
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    const std::string word = in.file.word(item, expected);
    const auto choose = [&](std::size_t n, bool named) {
      choices.push_back({known[n], item.Mark(), [apply, n](Draft& d) { apply(d, n); }, named});
    };
    const std::size_t n = std::find(known.begin(), known.end(), word) - known.begin();
    if (word == "all")
      for (std::size_t each = 0; each < known.size(); ++each) choose(each, false);
    else if (n == known.size())
      in.file.fail(item.Mark(), fmt::format("unknown {} '{}'; expected {}{}", what, word, one_of(words),
                                            did_you_mean(word, words)));
    else
      choose(n, true);
  }
  return choices;
}

std::vector<Choice> read_names(const AxisReader& in, const Entry& entry, RowKind kind) {
  const std::vector<std::string> names = names_of(in.rows, kind);
  return read_words(in, entry, std::string(to_string(kind)), names, [names, kind](Draft& d, std::size_t n) {
    d.kind = kind;
    d.name = names[n];
  });
}

std::vector<Choice> read_kernels(const AxisReader& in, const Entry& e) {
  return read_names(in, e, RowKind::kernel);
}
std::vector<Choice> read_solvers(const AxisReader& in, const Entry& e) {
  return read_names(in, e, RowKind::solver);
}

std::vector<Choice> read_backends(const AxisReader& in, const Entry& entry) {
  return read_words(in, entry, "backend", texts(all_backends),
                    [](Draft& d, std::size_t n) { d.backend = all_backends[n]; });
}

std::vector<Choice> read_devices(const AxisReader& in, const Entry& entry) {
  const std::string expected = "the number of a CUDA device, from 0 on";
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    const int value = in.file.integer(item, 0, expected);
    choices.push_back({std::to_string(value), item.Mark(), [value](Draft& d) { d.device = value; }});
  }
  return choices;
}

std::vector<Choice> read_precisions(const AxisReader& in, const Entry& entry) {
  return read_words(in, entry, "precision", texts(all_precisions),
                    [](Draft& d, std::size_t n) { d.precision = all_precisions[n]; });
}

std::vector<Choice> read_problems(const AxisReader& in, const Entry& entry) {
  return read_words(in, entry, "problem", problem_names(),
                    [](Draft& d, std::size_t n) { d.request.problem = problem_table()[n].name; });
}

// Which methods there are depends on the row, so that the words are checked when rows are looked up.
std::vector<Choice> read_methods(const AxisReader& in, const Entry& entry) {
  const std::string expected = "a method, default or all";
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    const std::string word = in.file.word(item, expected);
    choices.push_back({word, item.Mark(), [word](Draft& d) { d.method = word; }, word != "all"});
  }
  return choices;
}

Grid grid_of(const AxisReader& in, const YAML::Node& item, const std::string& expected) {
  try {
    return grid_from(in.file.word(item, expected));
  } catch (const std::invalid_argument&) {
    in.file.fail(item.Mark(), fmt::format("'{}' is no grid; expected {}", item.Scalar(), expected));
  }
}

std::vector<Choice> read_grids(const AxisReader& in, const Entry& entry) {
  const std::string expected =
      "a grid such as 512x512 or 64x64x64, or a series such as {powers_of_two: [64, 1024]}";
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    std::vector<Grid> grids;
    if (item.IsMap()) {
      const Series series = read_series(in.file, item, SeriesUse::grids);
      for (int side : series.values) grids.push_back({side, side, series.dims == 3 ? side : 1});
    } else {
      grids.push_back(grid_of(in, item, expected));
    }
    for (const Grid& grid : grids) {
      if (std::max({grid.nx, grid.ny, grid.nz}) > longest_side)
        in.file.fail(item.Mark(), fmt::format("grid {} is too large; expected sides of at most {}",
                                              grid_text(grid), longest_side));
      choices.push_back({grid_text(grid), item.Mark(), [grid](Draft& d) { d.grid = grid; }});
    }
  }
  return choices;
}

std::vector<Choice> read_tolerances(const AxisReader& in, const Entry& entry) {
  const std::string expected = "a tolerance above 0 and below 1, such as 1e-6";
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    const double value = in.file.number(item, expected);
    if (value <= 0 || value >= 1)
      in.file.fail(item.Mark(), fmt::format("found '{}'; expected {}", item.Scalar(), expected));
    choices.push_back({item.Scalar(), item.Mark(), [value](Draft& d) { d.request.tolerance = value; }});
  }
  return choices;
}

// Whole numbers, one by one or as series.
template <class Apply>
std::vector<Choice> read_numbers(const AxisReader& in, const Entry& entry, std::optional<int> max,
                                 Apply apply) {
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, "whole numbers from 1 on")) {
    const std::vector<int> values = item.IsMap() ? read_series(in.file, item, SeriesUse::numbers, max).values
                                                 : std::vector<int>{read_count(in.file, item, max)};
    for (int value : values)
      choices.push_back({std::to_string(value), item.Mark(), [apply, value](Draft& d) { apply(d, value); }});
  }
  return choices;
}

std::vector<Choice> read_max_iterations(const AxisReader& in, const Entry& entry) {
  return read_numbers(in, entry, {}, [](Draft& d, int value) { d.request.max_iterations = value; });
}

// What `max` means for a parameter: all threads. No other parameter has a natural greatest value.
std::optional<int> greatest(const std::vector<Row>& rows, const std::string& parameter) {
  if (parameter != "threads") return {};
  int most = 1;
  for (const Row& row : rows)
    for (const Parameter& p : row.space.parameters)
      if (p.name == parameter) most = std::max(most, *std::max_element(p.values.begin(), p.values.end()));
  return most;
}

}  // namespace

const std::vector<AxisWord>& axis_words() {
  static const std::vector<AxisWord> words = {
      {"problem", "problems", true, read_problems},
      {"grid", "grids", false, read_grids},
      {"kernel", "kernels", false, read_kernels},
      {"solver", "solvers", false, read_solvers},
      {"precision", "precisions", false, read_precisions},
      {"tolerance", "tolerances", true, read_tolerances},
      {"max_iterations", "max_iterations", true, read_max_iterations},
      {"backend", "backends", false, read_backends},
      {"device", "devices", false, read_devices},
      {"method", "methods", false, read_methods},
  };
  return words;
}

const AxisWord* find_axis_word(const std::string& key) {
  for (const AxisWord& word : axis_words())
    if (key == word.one || key == word.many) return &word;
  return nullptr;
}

Axis read_axis(const AxisReader& in, const AxisWord& word, const Entry& entry) {
  return {word.many, entry.mark, word.read(in, entry)};
}

Axis read_parameter(const AxisReader& in, const Entry& entry) {
  const std::string name = entry.key;
  return {name, entry.mark,
          read_numbers(in, entry, greatest(in.rows, name),
                       [name](Draft& d, int value) { d.config.set(name, value); }),
          true};
}

Axis read_parameter_words(const AxisReader& in, const Entry& entry) {
  const std::string expected = "a map such as {block_x: [16, 32]}, or tuned, default or both";
  std::vector<Choice> choices;
  for (const YAML::Node& item : in.file.items(entry, expected)) {
    const std::string word = in.file.word(item, expected);
    if (word != "tuned" && word != "default")
      in.file.fail(item.Mark(), fmt::format("found '{}'; expected {}{}", word, expected,
                                            did_you_mean(word, {"tuned", "default"})));
    choices.push_back({word, item.Mark(), [tuned = word == "tuned"](Draft& d) { d.tuned = tuned; }});
  }
  return {entry.key, entry.mark, std::move(choices)};
}

std::vector<std::string> parameter_names(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    for (const Parameter& p : row.space.parameters) append_new(names, p.name);
  return names;
}

}  // namespace cfdmark

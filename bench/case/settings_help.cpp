#include "bench/case/settings_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "bench/case/given_settings.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {

std::map<std::string, std::vector<std::string>> defaults_of(const std::vector<Row>& rows,
                                                            std::initializer_list<RowKind> kinds) {
  std::map<std::string, std::vector<Value>> values;
  const auto add = [&](const Setting& s) {
    std::vector<Value>& known = values[s.name];
    if (std::find(known.begin(), known.end(), s.default_value) == known.end())
      known.push_back(s.default_value);
  };
  for (const Row& row : rows)
    if (std::find(kinds.begin(), kinds.end(), row.kind) != kinds.end()) for_each_setting(row, add);
  std::map<std::string, std::vector<std::string>> texts;
  for (const auto& [name, known] : values)
    for (const Value& value : known) texts[name].push_back(to_string(value));
  return texts;
}

namespace {

std::string meaning(const Setting& s) { return s.help + (s.unit.empty() ? "" : ", in " + s.unit); }

}  // namespace

std::string settings_help(const std::vector<Row>& rows, RowKind kind) {
  std::vector<Setting> settings;
  for (const Row& row : rows)
    if (row.kind == kind)
      for_each_setting(row, [&](const Setting& s) {
        if (!find_setting(settings, s.name)) settings.push_back(s);
      });
  const auto defaults = defaults_of(rows, {kind});
  std::string text;
  for (const Setting& s : settings)
    text += fmt::format("  {:<17} {}: {} (default: {})\n", s.name, s.takes_text(), meaning(s),
                        one_of(defaults.at(s.name)));
  return text;
}

std::string help_line(const std::string& name, const std::string& text) {
  constexpr std::size_t column = 30;  // that of CLI11
  const bool fits = name.size() + 2 < column;
  return fits ? fmt::format("  {:<{}}{}\n", name, column - 2, text)
              : fmt::format("  {}\n{:{}}{}\n", name, "", column, text);
}

namespace {

// A setting of a method or a problem.
struct OwnedSetting {
  std::string owner;
  Setting setting;
};

// Settings of one name.
using SameName = std::vector<OwnedSetting>;

class Declarations {
 public:
  void add(const std::string& owner, const std::vector<Setting>& settings) {
    ++owners_;
    for (const Setting& s : settings) {
      const auto same = std::find_if(names_.begin(), names_.end(),
                                     [&](const SameName& n) { return n.front().setting.name == s.name; });
      (same == names_.end() ? names_.emplace_back() : *same).push_back({owner, s});
    }
  }

  // Returns a heading and the line of each setting; empty if there are none.
  std::string text(const std::string& heading,
                   const std::function<std::string(const SameName&, const std::string&)>& line) const {
    std::string text = names_.empty() ? "" : heading + ":\n";
    for (const SameName& same : names_) text += line(same, default_text(same));
    return text;
  }

 private:
  // Returns "100", or "100 for cavity, channel; 40 for kovasznay" if not all owners have this default.
  std::string default_text(const SameName& same) const {
    std::vector<std::pair<std::string, std::string>> groups;  // a default and its owners
    for (const OwnedSetting& one : same) {
      const std::string value = to_string(one.setting.default_value);
      auto group =
          std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == value; });
      if (group == groups.end())
        groups.emplace_back(value, one.owner);
      else
        group->second += ", " + one.owner;
    }
    if (groups.size() == 1 && same.size() == owners_) return groups.front().first;
    std::string text;
    for (const auto& [value, owners] : groups)
      text += fmt::format("{}{} for {}", text.empty() ? "" : "; ", value, owners);
    return text;
  }

  std::vector<SameName> names_;
  std::size_t owners_ = 0;
};

std::string option_line(const SameName& same, const std::string& default_text) {
  const Setting& s = same.front().setting;
  return help_line(option_name(s.name) + " VALUE",
                   fmt::format("{}: {} (default: {})", s.takes_text(), meaning(s), default_text));
}

std::string searched_line(const SameName& same, const std::string& default_text) {
  std::vector<std::string> values;
  for (const OwnedSetting& one : same)
    for (const Value& value : one.setting.values)
      if (const std::string text = to_string(value);
          std::find(values.begin(), values.end(), text) == values.end())
        values.push_back(text);
  return help_line(same.front().setting.name,
                   fmt::format("{}: {} (default: {})", meaning(same.front().setting),
                               values.empty() ? "not searched" : one_of(values), default_text));
}

Declarations declarations_of(const std::vector<const Row*>& methods) {
  Declarations all;
  for (const Row* row : methods) all.add(row->method, row->space.settings);
  return all;
}

// Returns "cg on openmp, method plain" or "cg on openmp, methods plain, fused".
std::string title(const std::vector<const Row*>& methods) {
  std::string names;
  for (const Row* row : methods) names += (names.empty() ? "" : ", ") + row->method;
  return fmt::format("{} on {}, method{} {}", methods.front()->name, to_string(methods.front()->backend),
                     methods.size() == 1 ? "" : "s", names);
}

}  // namespace

std::string workload_options_help(const std::vector<const Row*>& methods, const std::string& problem) {
  const Row& row = *methods.front();
  Declarations of_row, of_problems;
  of_row.add(row.name, row.workload_settings);
  if (!problem.empty()) workload_space(row, problem);  // throws if it is unknown
  for (const ProblemSettings& one : row.problems)
    if (problem.empty() || one.name == problem) of_problems.add(one.name, one.settings);
  const std::string whole =
      of_row.text(fmt::format("settings of {}{}", row.kind == RowKind::solver ? "a solve by " : "", row.name),
                  option_line);
  const std::string part = of_problems.text(
      problem.empty() ? "settings of its problems" : "settings of the problem " + problem, option_line);
  return whole + (whole.empty() || part.empty() ? "" : "\n") + part;
}

std::string method_options_help(const std::vector<const Row*>& methods) {
  return declarations_of(methods).text("settings of " + title(methods), option_line);
}

std::string searched_settings_help(const std::vector<const Row*>& methods) {
  return declarations_of(methods).text("searched settings of " + title(methods), searched_line);
}

}  // namespace cfdmark

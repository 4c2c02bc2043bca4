#include "bench/external/program_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>

#include "bench/external/constraint.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

// More cannot be raced in a useful time.
constexpr std::size_t most_configs = 100000;

struct Parameter {
  std::string name;
  std::vector<Value> values;
  bool is_integer = true;
};

bool is_name(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Of other forms, such as 05, the command would not get the same text.
std::optional<int> integer_from(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::to_string(value) == text ? std::optional(value) : std::nullopt;
}

Parameter parameter_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  Parameter p{text.substr(0, equals), {}};
  if (equals == std::string::npos || !is_name(p.name))
    throw std::invalid_argument(
        fmt::format("--parameter '{}': expected NAME=VALUE,VALUE, such as block_x=16,32,64", text));
  std::vector<std::string> words;
  std::istringstream parts(text.substr(equals + 1));
  for (std::string word; std::getline(parts, word, ',');) words.push_back(word);
  if (words.empty() || std::count(words.begin(), words.end(), "") > 0)
    throw std::invalid_argument(fmt::format("--parameter '{}': a value is missing", text));
  if (std::set<std::string>(words.begin(), words.end()).size() < words.size())
    throw std::invalid_argument(fmt::format("--parameter '{}': a value occurs twice", text));
  for (const std::string& word : words) p.is_integer = p.is_integer && integer_from(word);
  for (const std::string& word : words)
    p.values.push_back(p.is_integer ? Value(*integer_from(word)) : Value(word));
  return p;
}

std::vector<Parameter> parameters_from(const std::vector<std::string>& texts) {
  std::vector<Parameter> parameters;
  std::size_t count = 1;
  for (const std::string& text : texts) {
    Parameter p = parameter_from(text);
    for (const Parameter& other : parameters)
      if (other.name == p.name)
        throw std::invalid_argument(fmt::format("--parameter {} is given twice", p.name));
    count *= p.values.size();
    if (count > most_configs)
      throw std::invalid_argument(
          fmt::format("more than {} combinations of values; use fewer values", most_configs));
    parameters.push_back(std::move(p));
  }
  if (parameters.empty())
    throw std::invalid_argument("--command needs a --parameter, such as --parameter block_x=16,32,64");
  return parameters;
}

}  // namespace

tuning::SearchSpace program_space(const std::vector<std::string>& texts,
                                  const std::vector<std::string>& constraints) {
  const std::vector<Parameter> parameters = parameters_from(texts);
  std::vector<std::string> integers;
  for (const Parameter& p : parameters)
    if (p.is_integer) integers.push_back(p.name);
  std::vector<Constraint> conditions;
  for (const std::string& text : constraints) conditions.emplace_back(text, integers);

  std::vector<Config> configs = {{}};
  for (const Parameter& p : parameters) {
    std::vector<Config> longer;
    for (const Config& config : configs)
      for (const Value& value : p.values) longer.emplace_back(config).set(p.name, value);
    configs = std::move(longer);
  }
  std::vector<tuning::Candidate> candidates;
  for (Config& config : configs)
    if (std::all_of(conditions.begin(), conditions.end(),
                    [&](const Constraint& c) { return c.holds(config); }))
      candidates.push_back({"", std::move(config)});
  if (candidates.empty())
    throw std::invalid_argument(
        fmt::format("none of the {} combinations satisfies every --constraint", configs.size()));
  return tuning::SearchSpace(std::move(candidates), 0);
}

std::string command_with(const std::string& command, const Config& config, const std::string& option) {
  std::string text;
  for (std::size_t n = 0; n < command.size(); ++n) {
    if (command.compare(n, 2, "{{") == 0 || command.compare(n, 2, "}}") == 0) {
      text += command[n++];
      continue;
    }
    const std::size_t end = command[n] == '{' ? command.find('}', n) : std::string::npos;
    if (end == std::string::npos) {
      text += command[n];
      continue;
    }
    const std::string name = command.substr(n + 1, end - n - 1);
    if (!config.has(name)) {
      std::vector<std::string> known;
      for (const auto& [parameter, value] : config.values()) known.push_back(parameter);
      throw std::invalid_argument(
          fmt::format("{}: unknown parameter '{{{}}}'; expected {}{}; a brace itself is {{{{", option, name,
                      one_of(known), did_you_mean(name, known)));
    }
    text += to_string(config.at(name));
    n = end;
  }
  return text;
}

void check_uses_all(const std::string& command, const Config& config) {
  for (const auto& [name, value] : config.values())
    if (command.find("{" + name + "}") == std::string::npos)
      throw std::invalid_argument(fmt::format(
          "--command does not use the parameter {}; add {{{}}} to it, or remove the parameter", name, name));
}

}  // namespace cfdmark

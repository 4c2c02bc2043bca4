#include "bench/record/schema_1.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "bench/record/config_json.hpp"

namespace cfdmark {
namespace {

struct Recoded {
  const char* before;
  const char* now;
  Value (*value)(int);
};

constexpr Recoded recoded[] = {
    {"omega_millionths", "omega", [](int n) { return n == 0 ? Value("optimal") : Value(n / 1e6); }},
    {"omega_gap_percent", "omega_gap", [](int n) { return Value(n / 100.0); }},
    {"schedule", "schedule", [](int n) { return Value(n == 1   ? "static"
                                                      : n == 2 ? "dynamic"
                                                               : "guided"); }},
    {"binding", "binding", [](int n) { return Value(n == 1 ? "close" : "spread"); }},
};

// What was no setting then: the jump of the problem of that name.
constexpr const char* jump = "jump";
constexpr double conductivity_then = 1000;

Config recoded_config(const std::string& name, const Value& value) {
  if (value.type() == Value::Type::whole)
    for (const Recoded& r : recoded)
      if (name == r.before) return {{r.now, r.value(int(value.number()))}};
  return {{name, value}};
}

Json config_from_schema_1(const Json& config) {
  Json now = Json::object();
  for (const auto& [name, value] : config.items())
    now.update(value.is_number_integer() ? config_json(recoded_config(name, value.get<int>()))
                                         : Json{{name, value}});
  return now;
}

std::string before(const std::string& text, char mark) { return text.substr(0, text.find(mark)); }
std::string behind(const std::string& text, char mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(at + 1);
}

// The parts of "problem=jump,tolerance=1e-06", each a name and a value, which may be missing.
std::vector<std::pair<std::string, std::string>> parts_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> found;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');)
    found.emplace_back(before(part, '='), behind(part, '='));
  return found;
}

// A number that takes all of a text; nothing if it is none.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Config question_of(const std::string& name) {
  Config question;
  for (const auto& [key, value] : parts_of(behind(name, ';'))) {
    if (key == "problem") question.set(key, value);
    if (key == "tolerance") question.set(key, number_in<double>(value).value_or(0));
    if (key == "max_iterations") question.set(key, number_in<int>(value).value_or(0));
  }
  if (question.is("problem", jump)) question.set("conductivity", conductivity_then);
  return question;
}

// What is no number stands as it is.
std::string config_text(const std::string& text) {
  std::string now;
  for (const auto& [key, value] : parts_of(text)) {
    const auto number = number_in<int>(value);
    now += now.empty() ? "" : ",";
    now += number ? recoded_config(key, *number).text() : value.empty() ? key : key + "=" + value;
  }
  return now;
}

std::string text_of(const Json& record, const char* key) {
  return record.contains(key) && record[key].is_string() ? record[key].get<std::string>() : "";
}

}  // namespace

std::string case_from_schema_1(const std::string& name) {
  const std::string row = before(name, ';'), config = config_text(behind(row, ':'));
  const Config question = question_of(name);
  return fmt::format("{}{}{}{}{}", before(row, ':'), config.empty() ? "" : ":", config,
                     question.empty() ? "" : ";", question.text());
}

Json record_from_schema_1(Json record) {
  const std::string name = text_of(record, "case");
  Config question = question_of(name);
  if (question.empty() && !text_of(record, "problem").empty())
    question.set("problem", text_of(record, "problem"));
  record["schema"] = 2;
  if (!name.empty()) record["case"] = case_from_schema_1(name);
  if (record.contains("config") && record["config"].is_object())
    record["config"] = config_from_schema_1(record["config"]);
  if (!question.empty()) record["question"] = config_json(question);
  record.erase("problem");
  return record;
}

Json entry_from_schema_1(Json entry) {
  const auto recode_choice = [](Json& choice) {
    if (choice.is_object() && choice.contains("config"))
      choice["config"] = config_from_schema_1(choice["config"]);
  };
  for (const char* choice : {"winner", "default"})
    if (entry.contains(choice)) recode_choice(entry[choice]);
  if (entry.contains("ties"))
    for (Json& tie : entry["ties"]) recode_choice(tie);
  for (const char* asked : {"problem", "tolerance"})
    if (entry.contains(asked)) entry["question"][asked] = entry[asked], entry.erase(asked);
  return entry;
}

}  // namespace cfdmark

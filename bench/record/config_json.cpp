#include "bench/record/config_json.hpp"

#include <cmath>

namespace cfdmark {

Json value_json(const Value& value) {
  if (value.is_choice()) return value.choice();
  if (value.type() == Value::Type::real) return value.number();
  return int(value.number());
}

Value value_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_float()) return json.get<double>();
  return json.get<int>();
}

Json config_json(const Config& config) {
  Json json = Json::object();
  for (const auto& [name, value] : config.values()) json[name] = value_json(value);
  return json;
}

Config config_from_json(const Json& object) {
  Config config;
  for (const auto& [name, value] : object.items()) config.set(name, value_from_json(value));
  return config;
}

namespace {

Json setting_json(const Setting& s) {
  Json json = {{"name", s.name}, {"help", s.help}, {"default", value_json(s.default_value)}};
  json["values"] = Json::array();
  for (const Value& value : s.values) json["values"].push_back(value_json(value));
  if (!s.unit.empty()) json["unit"] = s.unit;
  if (!s.words.empty()) json["words"] = s.words;
  if (s.most_here) json["max"] = *s.most_here;
  if (s.range.kind == Range::Kind::none) return json;
  Json& range = json["range"] = {{"whole", s.range.kind == Range::Kind::integer}, {"open", s.range.open}};
  if (std::isfinite(s.range.low)) range["low"] = s.range.low;
  if (std::isfinite(s.range.high)) range["high"] = s.range.high;
  return json;
}

Setting setting_from_json(const Json& json) {
  Setting s{json.at("name"), {}, value_from_json(json.at("default")), json.value("help", "")};
  for (const Json& value : json.at("values")) s.values.push_back(value_from_json(value));
  s.unit = json.value("unit", "");
  s.words = json.value("words", std::vector<std::string>());
  if (json.contains("max")) s.most_here = json["max"].get<int>();
  s.range = no_numbers();
  if (!json.contains("range")) return s;
  const Json& range = json["range"];
  const double endless = std::numeric_limits<double>::infinity();
  s.range = {range.at("whole") ? Range::Kind::integer : Range::Kind::real, range.value("low", -endless),
             range.value("high", endless), range.at("open")};
  return s;
}

}  // namespace

Json settings_json(const std::vector<Setting>& settings) {
  Json list = Json::array();
  for (const Setting& s : settings) list.push_back(setting_json(s));
  return list;
}

std::vector<Setting> settings_from_json(const Json& list) {
  std::vector<Setting> settings;
  for (const Json& json : list) settings.push_back(setting_from_json(json));
  return settings;
}

}  // namespace cfdmark

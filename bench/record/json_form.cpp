#include "bench/record/json_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace cfdmark {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

constexpr std::size_t longest_shown = 40;     // bytes of a wrong value in a message
constexpr std::size_t most_located = 100000;  // values: valijson finds all errors, which takes memory

// Replaces whole numbers beyond 63 bits, which valijson reads as negative. Returns the number of values.
std::size_t limit(json& value) {
  if (value.is_number_unsigned()) value = std::min(value.get<std::uint64_t>(), std::uint64_t(INT64_MAX));
  std::size_t count = 1;
  if (value.is_structured())
    for (json& part : value) count += limit(part);
  return count;
}

const json& resolved(const json& root, const json& form) {
  const auto reference = form.find("$ref");
  if (reference == form.end()) return form;
  return root.at(json::json_pointer(reference->get<std::string>().substr(1)));
}

const json& form_of_member(const json& form, const std::string& name) {
  const auto properties = form.find("properties");
  return properties != form.end() && properties->contains(name) ? properties->at(name)
                                                                : form.at("additionalProperties");
}

std::string expected(const json& form) {
  if (form.contains("title")) return form["title"];
  if (form.contains("enum"))
    return fmt::format("{}", fmt::join(form["enum"].get<std::vector<std::string>>(), " or "));
  return form["type"] == "object" ? "an object" : "a list";
}

// Returns a value for a message; empty if it is long.
std::string shown(const Json& value) {
  const std::string text = one_line(value);
  return text.size() <= longest_shown ? ", not " + text : "";
}

// The place of an error: valijson names it by steps such as [time] and [0].
struct Place {
  const json* form;
  const Json* value;
  std::string path;

  void enter(const json& root, const std::string& step) {
    const std::string name = step.substr(1, step.size() - 2);
    const bool is_list = value->is_array();
    form = &resolved(root, is_list ? form->at("items") : form_of_member(*form, name));
    value = is_list ? &value->at(std::stoul(name)) : &value->at(name);
    path += is_list ? step : (path.empty() ? "" : ".") + name;
  }

  std::string problem() const {
    for (const json& name : form->value("required", json::array()))
      if (value->is_object() && !value->contains(name.get<std::string>()))
        return fmt::format("`{}{}{}` is missing", path, path.empty() ? "" : ".", name.get<std::string>());
    const std::string what = path.empty() ? "it" : fmt::format("`{}`", path);
    return fmt::format("{} must be {}{}", what, expected(*form), shown(*value));
  }
};

}  // namespace

struct JsonForm::Compiled {
  json root;
  valijson::Schema schema;

  Compiled(const char* text, const std::string& definition)
      : root({{"$ref", "#/definitions/" + definition}, {"definitions", json::parse(text)["definitions"]}}) {
    // In draft 4 an integer is written without a fraction: 8.0 is not one.
    valijson::SchemaParser(valijson::SchemaParser::kDraft4).populateSchema(Adapter(root), schema);
  }
};

JsonForm::JsonForm(const char* schema, const std::string& definition)
    : compiled_(std::make_shared<const Compiled>(schema, definition)) {}

std::string JsonForm::problem_of(const Json& value) const {
  json target = value;
  const std::size_t count = limit(target);
  valijson::Validator validator;
  if (validator.validate(compiled_->schema, Adapter(target), nullptr)) return "";
  if (count > most_located) return "it does not match the schema, and is too long to name the place";
  valijson::ValidationResults errors;
  validator.validate(compiled_->schema, Adapter(target), &errors);
  const json& root = compiled_->root;
  Place place{&resolved(root, root), &value, ""};
  const std::vector<std::string>& steps = errors.begin()->context;  // the first is the root
  for (std::size_t n = 1; n < steps.size(); ++n) place.enter(root, steps[n]);
  return place.problem();
}

}  // namespace cfdmark

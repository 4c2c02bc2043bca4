// Forms of JSON values: definitions of the JSON Schemas in results/schema.
#pragma once

#include <memory>
#include <string>

#include "bench/text/json.hpp"

namespace cfdmark {

// Texts of results/schema/record.schema.json and tuned_table.schema.json, embedded by the build.
extern const char* const record_schema;
extern const char* const tuned_table_schema;

class JsonForm {
 public:
  JsonForm(const char* schema, const std::string& definition);
  // Returns the path, what is expected there and what is there; empty for a valid value.
  std::string problem_of(const Json& value) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace cfdmark

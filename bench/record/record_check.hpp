// Validates a line of a result file against results/schema/record.schema.json.
// scripts/cfdmark/records/record_check.py does the same; tests/records.json has examples for both.
#pragma once

#include <stdexcept>
#include <string>

#include "bench/record/json_form.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

// An invalid line or part of one. The message names the field and what was expected.
struct BadLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A record of a schema that this program does not know, for example of a newer program.
struct UnknownSchema : BadLine {
  using BadLine::BadLine;
};

// Returns an environment or a record with valid types and consistent values. Members that are null are
// omitted. Throws BadLine.
Json checked_line(const std::string& text);
Json checked_line(Json line);

// Returns the value as readers see it. NaN and infinity are written as null: omitted in an object, kept in a
// list. Texts are made printable (printable.hpp).
Json cleaned(Json value);

// Validates any other value, such as an entry of a tuned table. Throws BadLine.
Json checked(const JsonForm& form, Json value);

}  // namespace cfdmark

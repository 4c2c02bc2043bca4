// Whether a line of a run's file can be used (record_schema.json says what it may hold). The same check as
// scripts/cfdmark/records/record_check.py; tests/records.json holds examples for both.
#pragma once

#include <stdexcept>
#include <string>

#include "bench/record/json.hpp"

namespace cfdmark {

// A line, or a part of one, that cannot be used; the message names the field and says what was expected.
struct BadLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of a schema that this program does not know, such as that of a newer one.
struct UnknownSchema : BadLine {
  using BadLine::BadLine;
};

// An environment or a record whose parts are all of the types that they should be, and which does not
// contradict itself. A member that is null is left out. Throws BadLine.
Json checked_line(const std::string& text);
Json checked_line(Json line);

// As readers take it. A number that is none is written as null: as if it were not there; in a list it keeps
// its place. Texts are as people may see them (printable.hpp).
Json cleaned(const Json& value);

// Any other value that record_schema.json has a form for: "tuned entry".
Json checked(const std::string& form, Json value);

}  // namespace cfdmark

// Records and tuned entries of schema 1, in which every setting was a whole number: read as those of schema 2
// (results/README.md).
#pragma once

#include <string>

#include "bench/record/json.hpp"

namespace cfdmark {

// "...:omega_millionths=0,omega_gap_percent=50" is "...:omega=optimal,omega_gap=0.5".
std::string case_from_schema_1(const std::string& name);
Json record_from_schema_1(Json record);
// Of a tuned table.
Json entry_from_schema_1(Json entry);

}  // namespace cfdmark

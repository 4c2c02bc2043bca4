// Before the operator was asked of a case, a kernel that has one was two: jacobi, with constant weights, and
// jacobi_coefficients. What was written then is read as jacobi that is asked for an operator.
#pragma once

#include "bench/record/json.hpp"

namespace cfdmark {

// "jacobi_coefficients/serial/fp64/plain@8x8" is "jacobi/serial/fp64/plain@8x8;operator=arrays". Of schema 2;
// one that was asked already is as it was.
Json record_from_twins(Json record);
// Of a tuned table.
Json entry_from_twins(Json entry);

}  // namespace cfdmark

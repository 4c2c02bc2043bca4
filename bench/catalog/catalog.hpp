// The catalog: one row for each kernel or solver x backend x precision x method. catalog.cpp is the one
// explicit page that says what there is.
#pragma once

#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns all rows; built on first use.
const std::vector<Row>& catalog();

}  // namespace cfdmark

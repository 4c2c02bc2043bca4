#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

// Systems of 5x5 blocks (block_problem.hpp).
Family block_family();

}  // namespace cfdmark

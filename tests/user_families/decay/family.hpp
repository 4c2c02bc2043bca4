#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

// The smallest family: one solver and one problem. Each cell's value decays by du/dt = -u from 1.
Family decay_family();

}  // namespace cfdmark

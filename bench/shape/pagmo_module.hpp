// The functions of the module cfdmark_pagmo, which optimiser.cpp loads when a search begins: pagmo and what
// it needs take 40 MB, which no other command should pay for.
#pragma once

#include "bench/shape/optimiser.hpp"

extern "C" {
const char* cfdmark_pagmo_version();
// As cfdmark::optimise().
void cfdmark_pagmo_optimise(const cfdmark::OptimiserChoice&, const cfdmark::SearchBox&,
                            const cfdmark::BatchObjective&, const std::function<bool()>& goes_on);
}

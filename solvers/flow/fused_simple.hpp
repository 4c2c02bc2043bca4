// SIMPLE by two passes over the cells beside its sweeps.
#pragma once

#include <memory>

#include "solvers/flow/coupling.hpp"

namespace cfdmark {

// With the bits of the passes of their own that `rhie_chow` has, where numbers are stored as they are
// computed with.
std::unique_ptr<Iteration> make_fused_simple(FlowSystem&, const Coupling&, const Config&);

}  // namespace cfdmark

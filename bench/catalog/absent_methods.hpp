// Why a kernel has no method of some name on a backend.
#pragma once

#include <string>
#include <vector>

#include "kernels/backends/absent_methods.hpp"

namespace cfdmark {

// Returns the generated methods that a kernel of the catalog lacks; empty if all its methods are written by
// hand.
std::vector<AbsentMethod> absent_methods_of(const std::string& kernel, BackendKind);

// Why this method is not there, for a message: "it reads neighbours ..", or who has it, as a method written
// by hand. Empty for a word that no kernel's method has.
std::string why_absent(const std::string& kernel, BackendKind, const std::string& method);

}  // namespace cfdmark

// Reasons why a kernel lacks a method on a backend.
#pragma once

#include <string>
#include <vector>

#include "kernels/cells/absent_methods.hpp"

namespace cfdmark {

// Returns the generated methods that a kernel of the catalog lacks; empty if all its methods are
// hand-written.
std::vector<AbsentMethod> absent_methods_of(const std::string& kernel, BackendKind);

// Returns the reason for a message: "it reads neighbours ..", or the kernels for which the method is
// hand-written. Empty if no kernel has a method of this name.
std::string why_absent(const std::string& kernel, BackendKind, const std::string& method);

}  // namespace cfdmark

// The MPI of this machine, which ranks as processes need.
#pragma once

#include <string>

namespace cfdmark {

// Returns why ranks cannot be joined by MPI, with what to install; empty if they can. Opens the module once.
const std::string& why_no_mpi();

}  // namespace cfdmark

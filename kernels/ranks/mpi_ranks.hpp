// Ranks as processes that MPI joins. Values go by messages; no rank blocks in MPI but at its start and end.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kernels/ranks/mpi_module.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Returns the functions of a module (mpi_module.hpp), which stays open until the program ends. Throws
// std::runtime_error with the loader's message, or for a module with another interface.
const CfdmarkMpi& open_mpi(const std::string& file);

// How a rank waits for others.
struct RankPatience {
  double limit = 600;  // seconds after which a wait fails
  double quiet = 1;    // seconds after which a wait is reported
  // Called with what the rank waits for, such as "rank 1 (sum)", and with an empty text when it goes on.
  std::function<void(const std::string& what)> report;
};

// This process's rank among all that its launcher started. All ranks make it, and release it at the end:
// both meet the others.
// Throws std::runtime_error with MPI's reason if MPI cannot start.
std::unique_ptr<Ranks> join_by_mpi(const CfdmarkMpi&, RankPatience patience);

}  // namespace cfdmark

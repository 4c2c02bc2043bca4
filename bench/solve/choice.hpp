// The method and the config of a solve.
#pragma once

#include <string>
#include <vector>

#include "bench/solve/families.hpp"
#include "bench/solve/solve.hpp"

namespace cfdmark {

// Returns the rows of all methods of the solver. Throws std::invalid_argument if there are none.
std::vector<const Row*> rows_of(const std::string& solver, BackendKind, Precision);

// Sets row and config of a case: the requested method, that of the tuned tables, or the default one. Given
// settings override tuned ones. Prints how well a tuned table matched.
void choose_method(SolveCase&, const std::vector<const Row*>& rows, const SolveRequest&, const Config& given);

}  // namespace cfdmark

// The row of the catalog that solves the flows of a search, and its usual settings.
#pragma once

#include <string>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns the settings of the problem, tunnel or tow, with those that differ for a search.
Config tunnel_workload(const std::string& problem);

// Returns the default row of `simple` on a backend; without one CUDA if it runs here, else serial. Throws
// std::invalid_argument, which names the file of the study, if the backend cannot run here.
const Row& tunnel_row(const std::string& backend, const std::string& precision, const Grid&,
                      const Config& workload, const std::string& file);

// Settings measured on ellipses at Re 20: as fast as any, and they converge for every body. With the defaults
// of `solve` one body in thirty does not, if its surface lies close to cell centres.
Config usual_tunnel_settings(const TuningSpace&);

}  // namespace cfdmark

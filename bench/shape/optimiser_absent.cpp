#include <stdexcept>

#include "bench/shape/optimiser.hpp"

namespace cfdmark {

std::string optimiser_version() { return ""; }

void optimise(const OptimiserChoice&, const SearchBox&, const BatchObjective&, const std::function<bool()>&) {
  throw std::runtime_error(
      "this build has no optimiser: install pagmo (on Debian and Ubuntu: apt install libpagmo-dev) and build "
      "again");
}

}  // namespace cfdmark

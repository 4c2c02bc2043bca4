#include <stdexcept>

#include "kernels/mesh/metis.hpp"

namespace cfdmark {

std::string metis_absent_reason() {
  return "METIS was not found when this program was built: install libmetis-dev and configure again";
}

std::vector<int> nested_dissection(const std::vector<int>&, int) {
  throw std::invalid_argument(metis_absent_reason());
}

std::vector<int> metis_parts(const std::vector<int>&, int, int) {
  throw std::invalid_argument(metis_absent_reason());
}

}  // namespace cfdmark

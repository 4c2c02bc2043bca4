#include "bench/case/known_domain.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/mesh/files/made_mesh.hpp"
#include "solvers/matrix/matrix_system.hpp"

namespace cfdmark {

Domain known(const Domain& domain) {
  switch (domain.kind()) {
    case DomainKind::mesh: return known(domain.mesh());
    case DomainKind::matrix: return known(domain.matrix());
    case DomainKind::grid: break;
  }
  return domain;
}

Domain asked_matrix(const std::string& matrix, const std::string& rhs) {
  if (!rhs.empty() && !rhs.ends_with(".mtx"))
    throw std::invalid_argument(
        fmt::format("--rhs {}: expected a vector in a Matrix Market file that ends with .mtx", rhs));
  const std::string text = rhs.empty() ? matrix : matrix + "+" + rhs;
  const Domain domain = domain_from(text);
  if (!domain.is_matrix())
    throw std::invalid_argument(
        fmt::format("--matrix {}: expected a Matrix Market file that ends with .mtx, or a generated matrix "
                    "such as poisson-100x100 (`cfdmark list` shows them)",
                    text));
  return known(domain);
}

}  // namespace cfdmark

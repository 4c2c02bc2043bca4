#include "bench/case/known_domain.hpp"

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

}  // namespace cfdmark

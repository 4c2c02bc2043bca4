#include "solvers/mesh_flow/family.hpp"

#include "solvers/mesh_flow/cavity_on_mesh.hpp"

namespace cfdmark {

Family mesh_flow_family() {
  Family family;
  family.name = "mesh_flow";
  family.runs_on = DomainKind::mesh;
  family.solvers = fractional_step_solvers();
  family.problems = {mesh_cavity()};
  return family;
}

}  // namespace cfdmark

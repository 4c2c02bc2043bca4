#include "solvers/mesh/family.hpp"

#include "solvers/mesh/cavity_on_mesh.hpp"

namespace cfdmark {

Family mesh_family() {
  Family family{"mesh", {}, {}, true};
  family.solvers = fractional_step_solvers();
  family.problems = {mesh_cavity()};
  return family;
}

}  // namespace cfdmark

// Poisson's equation at the nodes of a mesh of triangles or tetrahedra, by linear finite elements. Values at
// some nodes are prescribed; no heat flows through the rest of the boundary.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/mesh/files/made_mesh.hpp"
#include "solvers/linear/matrix_solve.hpp"

namespace cfdmark {

// A T = b at all nodes. The unknown is T without the prescribed values: it is 0 where they hold, and so is b,
// so that every form of A, stored or not, has the same answer. In `matrix` those nodes have a row with 1 on
// the diagonal, and no other row has an entry in their column: it is symmetric and positive definite.
struct NodePoisson : MatrixProblem {
  std::shared_ptr<const MadeMesh> made;
  std::vector<double> prescribed;  // T at nodes that are not free, 0 at the others
  std::vector<char> is_free;       // per node

  const MadeMesh* own_mesh() const override { return made.get(); }
  const Mesh& nodes_of() const { return *made->mesh; }
  // Returns T at all nodes from the unknowns.
  std::vector<double> temperature(const std::vector<double>& x) const;
};

// Returns the stiffness matrix of all nodes: entry (a, b) is the integral of grad N_a . grad N_b, with N_a 1
// at node a and 0 at all others. Columns of a row ascend. The mesh must be connected.
CsrMatrix<double> stiffness_matrix(const Mesh&);

// Returns the problem with prescribed values at the nodes for which `held` returns true.
std::shared_ptr<NodePoisson> node_poisson(std::string name, std::shared_ptr<const MadeMesh>,
                                          const std::function<bool(int node)>& held,
                                          const std::function<double(int node)>& value);

// Returns the heat that flows into the body through each node of a temperature field, K T; k = 1.
std::vector<double> heat_into_nodes(const Mesh&, const std::vector<double>& temperature);

}  // namespace cfdmark

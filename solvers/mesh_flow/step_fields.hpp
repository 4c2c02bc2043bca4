// Memory that all operators of a fractional step share on a backend: the lists of the mesh, its geometry
// and the coefficients of a time step.
#pragma once

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "solvers/linear/system/operations.hpp"
#include "solvers/mesh_flow/mesh_flow.hpp"

namespace cfdmark {

// Distance of the centres of a face's cells, at the boundary from the cell's centre to the face's.
double centre_distance(const Mesh&, int face);
// Returns whether each node of a mesh of triangles is inside, that is on no face of the boundary.
std::vector<char> inner_nodes(const Mesh&);

class StepFields {
 public:
  // Allocates on a backend and uploads. Precision: fp32 or fp64.
  StepFields(Backend&, Precision, const MeshFlow&);
  StepFields(const StepFields&) = delete;  // operations refer to the lists
  StepFields& operator=(const StepFields&) = delete;

  // Uploads the coefficients of another flow on the same mesh.
  void upload(const MeshFlow&);
  Field field(Entity, int components = 1) const;
  // Sets a field of one value per entity.
  void set(Field&, Entity, const std::vector<double>&) const;
  const Mesh& mesh() const { return lists->mesh(); }

  Backend& backend;
  Precision precision;
  std::unique_ptr<DeviceMesh> lists;
  Field cell_centre, face_centre, volume;  // of the mesh
  // Per face, L being the distance of its centres and A its area: L / (A dt), nu A / L and dt A / L.
  Field inertia, drag, push;
  Field wall;             // per face: velocity of the boundary, 0 inside
  Field inner;            // per node: 1 inside, 0 at the boundary
  Field velocity, force;  // vectors in cells; each operation overwrites them
};

// Prepares a kernel on the mesh by its default method, for views of one precision.
template <class K>
Operation on_mesh(const Operations& op, const char* routine, const StepFields& of,
                  const typename K::template Fields<AnyMeshViews>& fields, const K& kernel = {}) {
  using Args = MeshArgs<K>;
  const auto cost = [](const Args& args) {
    return MeshKernel<K>::kernel().cost(args, "plain", Config()).compulsory;
  };
  return op.sweep(routine, MeshKernel<K>::methods(op.backend().kind()),
                  static_cast<Cost (*)(const Args&)>(cost),
                  Args{op.precision(), VectorLayout::planes, of.lists.get(), kernel, fields});
}

}  // namespace cfdmark

// Inputs of kernels on meshes, and their results from plain loops over a mesh on the host.
#pragma once

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// Returns component d of a quantity of an entity: its centre, the area vector of a face (in 2-D its length
// times the normal), or the volume of a cell (in 2-D its area).
double mesh_quantity(const Mesh&, Entity, MeshValue, int e, int d);

// Returns an input field: noise that depends on `salt`, or a quantity of the mesh. Padding between components
// holds NaN, so that a result that reads it shows.
HostField mesh_input(const MeshShape&, Entity, int components, MeshValue, unsigned salt);
// Returns a field with NaN in every value, including padding.
HostField poisoned_mesh_field(const MeshShape&, Entity, int components);

// Returns where written fields first differ from the expected ones; empty if all bits are equal. Padding
// holds NaN in both.

std::string first_mesh_difference(const std::vector<HostField>& left, const std::vector<HostField>& expected);

// Returns where values differ by more than 4 eps times the sum of the magnitudes added there.
std::string first_sum_difference(const HostField& left, const HostField& expected,
                                 const std::vector<double>& magnitudes);

}  // namespace cfdmark

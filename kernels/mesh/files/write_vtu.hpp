// Writes meshes with fields for ParaView and VisIt: VTK's XML files of unstructured grids (.vtu).
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Values of cells or nodes, those of an entity together.
struct MeshField {
  std::string name;
  Entity entity = Entity::cell;  // cell or node
  int components = 1;            // 3 makes a vector, in 2-D with z = 0
  std::span<const double> values;
};

// Writes nodes, cells (VTK types 5 and 10) and fields, all numbers in binary after the XML ("raw appended").
// Throws std::invalid_argument, naming the field, if a field is of faces or edges, has less than one
// component, or has another number of values than entities times components.
void write_vtu(const Mesh&, const std::vector<MeshField>&, std::ostream&);

// The same to a file. Also throws MeshFileError (unwritable).
void write_vtu(const Mesh&, const std::vector<MeshField>&, const std::string& path);

}  // namespace cfdmark

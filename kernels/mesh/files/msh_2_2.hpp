// Version 2.2 of Gmsh's format.
#pragma once

#include "kernels/mesh/files/msh_builder.hpp"

namespace cfdmark {

// Reads all sections after MeshFormat. The first tag of an element is its physical group, 0 for none; its
// other tags are ignored. Throws MeshFileError.
void read_msh_2_2(TokenSource&, MshBuilder&);

}  // namespace cfdmark

// Version 4.1 of Gmsh's format.
#pragma once

#include "kernels/mesh/files/msh_builder.hpp"

namespace cfdmark {

// Reads all sections after MeshFormat. Elements have the physical groups of the entity of their block.
// Throws MeshFileError.
void read_msh_4_1(TokenSource&, MshBuilder&);

}  // namespace cfdmark

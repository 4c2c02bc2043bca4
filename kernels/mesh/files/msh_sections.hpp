// The common part of the versions of Gmsh's format: sections, and the names of physical groups.
#pragma once

#include <functional>
#include <string_view>

#include "kernels/mesh/files/msh_builder.hpp"

namespace cfdmark {

struct MshHeader {
  bool is_4_1 = false;  // else 2.0 to 2.2
};

// Reads the section MeshFormat and prepares the source for text or binary. Throws MeshFileError
// (unknown_format, byte_order, truncated).
MshHeader read_msh_header(TokenSource&);

// Calls `read` with the name of each section up to the end of the file, for example "Nodes". It returns true
// if it read the content; otherwise the section is skipped. Throws MeshFileError (bad_section) if Nodes or
// Elements is missing, or if a section that was read comes twice; wrong_count if a section is longer than
// read.
void read_msh_sections(TokenSource&, const std::function<bool(std::string_view name)>& read);

// Reads the content of the section PhysicalNames, which is text in binary files, too.
void read_physical_names(TokenSource&, MshBuilder&);

// Reads the number of records that a line of text consists of.
std::int64_t read_count(TokenSource&);

// Fails (bad_section) unless nodes have been read.
void check_nodes_come_first(const TokenSource&, const MshBuilder&);

}  // namespace cfdmark

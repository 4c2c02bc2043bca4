// Errors of mesh files: which file, where in it, and why it was refused.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cfdmark {

// Why a mesh file was refused.
enum class MeshFault {
  unreadable,           // cannot be opened or read, or is not a regular file
  unwritable,           // cannot be created or written
  unknown_format,       // not a format or version that this reader knows
  byte_order,           // binary values of the other byte order
  truncated,            // ends early, or announces more than its size can hold
  bad_token,            // not a number of the expected kind, a line too short or too long
  bad_section,          // a section is missing, repeated, unknown here or out of order
  wrong_count,          // an announced count or range differs from what follows
  bad_coordinate,       // not finite, or beyond 1e100
  repeated_number,      // two nodes of one number
  unknown_node,         // an element names a node that the file lacks
  repeated_node,        // an element names a node twice
  unsupported_element,  // neither point, line, triangle nor tetrahedron
  no_cells,             // neither triangles nor tetrahedra
  not_planar,           // triangles without tetrahedra whose nodes differ in z
  zero_volume,          // a cell without area or volume
  duplicate_element,    // two elements of the same nodes
  overlapping_cells,    // two cells on the same side of a common face
  non_manifold,         // a face of more than two cells
  loose_face,           // a boundary element that is not a face of any cell
  wrong_checksum,       // the content differs from what was written
  too_large             // more than 32-bit numbers can count
};

// Returns the enumerator's name.
std::string_view to_string(MeshFault);

// The unit of a place in a file. Lines count from 1, bytes from 0; `file` means no place in particular.
enum class PlaceUnit { file, line, byte };

// what() is "FILE:LINE: reason and fix", "FILE: byte N: ..." in binary files or "FILE: ...".
struct MeshFileError : std::runtime_error {
  MeshFileError(std::string file_name, PlaceUnit unit_of_place, std::int64_t place_in_file, MeshFault why,
                const std::string& text);

  std::string file;
  PlaceUnit unit;
  std::int64_t place;  // line or byte
  MeshFault fault;
};

// Where elements come from: the file and the unit of their places.
struct MeshOrigin {
  std::string file;
  PlaceUnit unit = PlaceUnit::line;

  [[noreturn]] void fail(std::int64_t place, MeshFault, const std::string& text) const;
  // Returns "line 7" or "byte 7".
  std::string describe(std::int64_t place) const;
};

}  // namespace cfdmark

// Small mesh files as text, and the reason and the place of their refusal.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/mesh/files/read_msh.hpp"
#include "tests/catch.hpp"

namespace cfdmark {

// A refusal: why, and at which line or byte.
struct Refusal {
  MeshFault fault;
  std::int64_t place;
  bool operator==(const Refusal&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << to_string(refusal.fault) << " at " << refusal.place;
}

// Returns how a call that reads a mesh file is refused. Fails the test if it is not.
template <typename Read>
Refusal refusal_by(const Read& read) {
  try {
    read();
  } catch (const MeshFileError& error) {
    INFO(error.what());
    CHECK(error.file == "test.msh");
    return {error.fault, error.place};
  }
  FAIL("the file was accepted");
  return {};
}

inline Refusal refusal_of(const std::string& text) {
  return refusal_by([&] { read_msh(text, "test.msh"); });
}

// Returns a text with the first occurrence of a part replaced. Fails the test if it lacks the part.
inline std::string with(std::string text, const std::string& part, const std::string& replacement) {
  const std::size_t at = text.find(part);
  REQUIRE(at != text.npos);
  return text.replace(at, part.size(), replacement);
}

// Two triangles in a unit square, and the sides y = 0 and y = 1 in groups, as Gmsh writes it.
inline const std::string square_2_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "lid"
1 8 "the other wall"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
5
1 15 2 0 1 1
2 1 2 8 1 1 2
3 1 2 7 3 3 4
4 2 2 0 1 1 2 3
5 2 2 0 1 1 3 4
$EndElements
)";

// The same in version 4.1.
inline const std::string square_4_1 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "lid"
1 8 "the other wall"
$EndPhysicalNames
$Entities
1 2 1 0
1 0 0 0 0 
1 0 0 0 1 0 0 1 8 2 1 -2 
3 0 1 0 1 1 0 1 7 2 3 -4 
1 0 0 0 1 1 0 0 2 1 3 
$EndEntities
$Nodes
2 4 1 4
0 1 0 1
1
0 0 0
2 1 0 3
2
3
4
1 0 0
1 1 0
0 1 0
$EndNodes
$Elements
4 5 1 5
0 1 15 1
1 1 
1 1 1 1
2 1 2 
1 3 1 1
3 3 4 
2 1 2 2
4 1 2 3 
5 1 3 4 
$EndElements
)";

// Two tetrahedra on a common face, one on the outside in group 3.
inline const std::string pair_2_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
3
1 2 2 3 1 1 3 2
2 4 2 0 1 1 2 3 4
3 4 2 0 1 2 3 4 5
$EndElements
)";

}  // namespace cfdmark

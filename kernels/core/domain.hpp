// Where a case computes: a uniform box of cells, or an unstructured mesh. A domain has one text form, which
// command lines, sweeps, records and tuned tables share.
#pragma once

#include <array>
#include <string>
#include <variant>

#include "kernels/core/grid.hpp"

namespace cfdmark {

// A mesh, known by how it is made or by its file. Its numbering is a setting of the case.
struct MeshRef {
  int dims = 2;                   // 2: triangles, 3: tetrahedra; of a file, once it was read
  std::array<int, 3> sides = {};  // of a generated mesh: boxes along each axis, each split into cells
  int extra = 0;                  // nodes that the generator adds inside cells
  int seed = 1;                   // of the generator
  std::string file, checksum;     // of a mesh from a file, with its cells below; else empty
  Index cells_of_file = 0;

  bool is_generated() const { return file.empty(); }
  Index cells() const;
  bool operator==(const MeshRef&) const = default;
};

class Domain {
 public:
  Domain(const Grid& box = {}) : is_(box) {}  // implicit: most cases compute on a box
  Domain(MeshRef mesh) : is_(std::move(mesh)) {}

  bool is_mesh() const { return std::holds_alternative<MeshRef>(is_); }
  // Throw std::logic_error if the domain is the other kind.
  const Grid& box() const;
  const MeshRef& mesh() const;

  int dims() const { return is_mesh() ? mesh().dims : box().is_3d() ? 3 : 2; }
  Index cells() const { return is_mesh() ? mesh().cells() : box().cells(); }
  // Returns "512x512", "64x64x64", "triangles-178x178", "tetrahedra-7x22x271+8629", with "-seed7" unless the
  // seed is 1, or "shaft.msh-1a2b3c4d5e6f7788" for a file with its checksum.
  std::string text() const;
  bool operator==(const Domain&) const = default;

 private:
  std::variant<Grid, MeshRef> is_;
};

// Returns "4096x4096" or "128x128x128"; "128x128x1" is one layer of a 3-D grid.
std::string grid_text(const Grid&);
// Throws std::invalid_argument unless the text is NXxNY or NXxNYxNZ with sides of at least 1.
Grid grid_from(const std::string& text);
// Returns the domain of a text. A text that ends with ".msh", or with ".msh-" and a checksum, is a mesh file,
// which is not read here. Throws std::invalid_argument with the valid forms.
Domain domain_from(const std::string& text);
// Longest side accepted on a command line: longer ones are typing errors, and a cube of them overflows an
// index.
inline constexpr int longest_side = 1 << 20;
// The same for a command line. Also throws std::invalid_argument for sides above longest_side.
Grid asked_grid(const std::string& text);

}  // namespace cfdmark

// Where a case computes: a uniform box of cells, an unstructured mesh, or a matrix without either. A domain
// has one text form, which command lines, sweeps, records and tuned tables share.
#pragma once

#include <array>
#include <string>
#include <string_view>
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

// A system A x = b with a sparse matrix, known by how A is made or by its file.
struct MatrixRef {
  std::string generator;          // of a generated matrix (solvers/linear/system/model_matrices.hpp)
  std::array<int, 3> sides = {};  // of a generated matrix: cells along each axis; 2-D: the last is 0
  std::string file, checksum;     // of a matrix from a file; else empty
  std::string rhs, rhs_checksum;  // file with b; empty: b = A x of a random x
  // Known once the matrix was made or read (solvers/matrix/matrix_system.hpp):
  int rows = 0;
  Index entries = 0;
  bool is_symmetric = false;
  int diagonal_sign = 0;      // 1 or -1: that of all diagonal entries; 0: they differ, or some are 0
  int zero_diagonal_row = 0;  // first row whose diagonal entry is 0 or missing, counted from 1; 0: none

  bool is_generated() const { return file.empty(); }
  bool operator==(const MatrixRef&) const = default;
};

enum class DomainKind { grid, mesh, matrix };
std::string_view to_string(DomainKind);  // "grid", "mesh", "matrix"
// Returns "grids such as 512x512", and the like for meshes and matrices.
std::string_view examples_of(DomainKind);

class Domain {
 public:
  Domain(const Grid& box = {}) : is_(box) {}  // implicit: most cases compute on a box
  Domain(MeshRef mesh) : is_(std::move(mesh)) {}
  Domain(MatrixRef matrix) : is_(std::move(matrix)) {}

  DomainKind kind() const { return DomainKind(is_.index()); }
  bool is_grid() const { return kind() == DomainKind::grid; }
  bool is_mesh() const { return kind() == DomainKind::mesh; }
  bool is_matrix() const { return kind() == DomainKind::matrix; }
  // Throw std::logic_error if the domain is of another kind.
  const Grid& box() const;
  const MeshRef& mesh() const;
  const MatrixRef& matrix() const;

  int dims() const;     // 2 or 3; 2 of a matrix, which has none
  Index cells() const;  // of a matrix its rows
  // Returns "512x512", "64x64x64", "triangles-178x178", "tetrahedra-7x22x271+8629", with "-seed7" unless the
  // seed is 1, or "shaft.msh-1a2b3c4d5e6f7788" for a file with its checksum; for a matrix "poisson-100x100"
  // or "A.mtx-1a2b3c4d5e6f7788", with "+b.mtx-5e6f77881a2b3c4d" for a file with its right-hand side.
  std::string text() const;
  bool operator==(const Domain&) const = default;

 private:
  std::variant<Grid, MeshRef, MatrixRef> is_;  // in the order of DomainKind
};

// Returns "4096x4096" or "128x128x128"; "128x128x1" is one layer of a 3-D grid.
std::string grid_text(const Grid&);
// Throws std::invalid_argument unless the text is NXxNY or NXxNYxNZ with sides of at least 1.
Grid grid_from(const std::string& text);
// Returns the domain of a text. A text that ends with ".msh", or with ".msh-" and a checksum, is a mesh file,
// and one with ".mtx" a matrix file; neither is read here. Throws std::invalid_argument with the valid
// forms.
Domain domain_from(const std::string& text);
// Longest side accepted on a command line: longer ones are typing errors, and a cube of them overflows an
// index.
inline constexpr int longest_side = 1 << 20;
// The same for a command line. Also throws std::invalid_argument for sides above longest_side.
Grid asked_grid(const std::string& text);

}  // namespace cfdmark

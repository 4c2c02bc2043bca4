#include "kernels/core/domain.hpp"

#include <fmt/format.h>
#include <cctype>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cfdmark {
namespace {

constexpr std::string_view triangles = "triangles-", tetrahedra = "tetrahedra-", seed_word = "-seed";

// Reads parts of a text from its beginning.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  // Takes an integer of at least `least`.
  std::optional<int> number(int least) {
    int n = 0;
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (error != std::errc() || n < least) return std::nullopt;
    rest_.remove_prefix(std::size_t(stop - rest_.data()));
    return n;
  }
  // Takes sides such as "64x64x64" and returns their number: 2 or 3. Returns 0 for anything else.
  int sides(std::array<int, 3>& to) {
    for (int n = 0; n < 3; ++n) {
      if (n > 0 && !take("x")) return n == 2 ? 2 : 0;
      const auto side = number(1);
      if (!side) return 0;
      to[std::size_t(n)] = *side;
    }
    return 3;
  }

 private:
  std::string_view rest_;
};

std::optional<MeshRef> generated_mesh(const std::string& text) {
  Reader reader(text);
  MeshRef mesh;
  mesh.dims = reader.take(triangles) ? 2 : reader.take(tetrahedra) ? 3 : 0;
  if (mesh.dims == 0 || reader.sides(mesh.sides) != mesh.dims) return std::nullopt;
  if (reader.take("+")) {
    const auto extra = reader.number(1);
    if (!extra) return std::nullopt;
    mesh.extra = *extra;
  }
  if (reader.take(seed_word)) {
    const auto seed = reader.number(0);
    if (!seed) return std::nullopt;
    mesh.seed = *seed;
  }
  if (!reader.at_end()) return std::nullopt;
  return mesh;
}

// Returns the mesh of a text "shaft.msh" or "shaft.msh-1a2b3c4d5e6f7788".
std::optional<MeshRef> mesh_file(const std::string& text) {
  constexpr std::string_view ending = ".msh", hexadecimal = "0123456789abcdef";
  MeshRef mesh;
  const std::size_t end = text.rfind(ending);
  if (end == std::string::npos || end == 0) return std::nullopt;
  mesh.file = text.substr(0, end + ending.size());
  if (mesh.file.size() == text.size()) return mesh;
  mesh.checksum = text.substr(mesh.file.size() + 1);
  const bool is_checksum = text[mesh.file.size()] == '-' && !mesh.checksum.empty() &&
                           mesh.checksum.find_first_not_of(hexadecimal) == std::string::npos;
  return is_checksum ? std::optional(mesh) : std::nullopt;
}

// Takes "A.mtx", or "A.mtx-1a2b3c4d5e6f7788" with a checksum, from the beginning of a text.
bool take_matrix_file(std::string_view& rest, std::string& file, std::string& checksum) {
  constexpr std::string_view ending = ".mtx", hexadecimal = "0123456789abcdef";
  const std::size_t end = rest.find(ending);
  if (end == std::string_view::npos || end == 0) return false;
  file = rest.substr(0, end + ending.size());
  rest.remove_prefix(file.size());
  if (!rest.starts_with('-')) return true;
  const std::size_t stop = std::min(rest.find_first_not_of(hexadecimal, 1), rest.size());
  checksum = rest.substr(1, stop - 1);
  rest.remove_prefix(stop);
  return !checksum.empty();
}

// Takes "poisson-100x100" or "poisson_3d-20x20x20" from the beginning of a text.
bool take_generated_matrix(std::string_view& rest, MatrixRef& matrix) {
  const std::size_t end = rest.find('-');
  if (end == std::string_view::npos || end == 0) return false;
  matrix.generator = rest.substr(0, end);
  if (matrix.generator.front() < 'a' || matrix.generator.front() > 'z') return false;
  if (matrix.generator.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    return false;
  Reader reader(rest.substr(end + 1));
  if (reader.sides(matrix.sides) == 0) return false;
  rest = reader.rest();
  return true;
}

std::optional<MatrixRef> matrix_of(std::string_view text) {
  MatrixRef matrix;
  if (!take_generated_matrix(text, matrix)) {
    matrix = {};
    if (!take_matrix_file(text, matrix.file, matrix.checksum)) return std::nullopt;
  }
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (!take_matrix_file(text, matrix.rhs, matrix.rhs_checksum)) return std::nullopt;
  }
  return text.empty() ? std::optional(matrix) : std::nullopt;
}

std::string with_checksum(const std::string& file, const std::string& checksum) {
  return checksum.empty() ? file : fmt::format("{}-{}", file, checksum);
}

std::string matrix_text(const MatrixRef& m) {
  const auto [a, b, c] = m.sides;
  const std::string matrix = !m.is_generated() ? with_checksum(m.file, m.checksum)
                             : c > 0           ? fmt::format("{}-{}x{}x{}", m.generator, a, b, c)
                                               : fmt::format("{}-{}x{}", m.generator, a, b);
  return m.rhs.empty() ? matrix : matrix + "+" + with_checksum(m.rhs, m.rhs_checksum);
}

template <class Kind, class Is>
const Kind& only(const Domain& domain, const Is& is, DomainKind expected) {
  if (const Kind* const found = std::get_if<Kind>(&is)) return *found;
  throw std::logic_error(fmt::format("the domain {} is a {}, not a {}", domain.text(),
                                     to_string(domain.kind()), to_string(expected)));
}

}  // namespace

Index MeshRef::cells() const {
  if (!is_generated()) return cells_of_file;
  const auto [a, b, c] = sides;
  return dims == 2 ? 2 * Index(a) * b + 2 * Index(extra) : 6 * Index(a) * b * c + 3 * Index(extra);
}

std::string_view to_string(DomainKind kind) {
  return kind == DomainKind::grid ? "grid" : kind == DomainKind::mesh ? "mesh" : "matrix";
}
std::string_view examples_of(DomainKind kind) {
  return kind == DomainKind::grid   ? "grids such as 512x512"
         : kind == DomainKind::mesh ? "meshes such as triangles-178x178"
                                    : "matrices such as poisson-100x100 or A.mtx";
}

const Grid& Domain::box() const { return only<Grid>(*this, is_, DomainKind::grid); }
const MeshRef& Domain::mesh() const { return only<MeshRef>(*this, is_, DomainKind::mesh); }
const MatrixRef& Domain::matrix() const { return only<MatrixRef>(*this, is_, DomainKind::matrix); }

int Domain::dims() const { return is_mesh() ? mesh().dims : is_grid() && box().is_3d() ? 3 : 2; }
Index Domain::cells() const {
  return is_mesh() ? mesh().cells() : is_matrix() ? matrix().rows : box().cells();
}

std::string Domain::text() const {
  if (is_grid()) return grid_text(box());
  if (is_matrix()) return matrix_text(matrix());
  const MeshRef& m = mesh();
  if (!m.is_generated()) return with_checksum(m.file, m.checksum);
  const auto [a, b, c] = m.sides;
  std::string text =
      m.dims == 2 ? fmt::format("{}{}x{}", triangles, a, b) : fmt::format("{}{}x{}x{}", tetrahedra, a, b, c);
  if (m.extra > 0) text += fmt::format("+{}", m.extra);
  if (m.seed != 1) text += fmt::format("{}{}", seed_word, m.seed);
  return text;
}

std::string grid_text(const Grid& g) {
  return g.is_3d() ? fmt::format("{}x{}x{}", g.nx, g.ny, g.nz) : fmt::format("{}x{}", g.nx, g.ny);
}

Grid grid_from(const std::string& text) {
  Reader reader(text);
  std::array<int, 3> sides{1, 1, 1};
  const int dims = reader.sides(sides);
  if (dims > 0 && reader.at_end()) return {sides[0], sides[1], dims == 3 ? sides[2] : 1, dims};
  throw std::invalid_argument(
      fmt::format("invalid grid '{}'; expected NXxNY or NXxNYxNZ, such as 512x512", text));
}

Domain domain_from(const std::string& text) {
  if (auto mesh = generated_mesh(text)) {
    if (mesh->cells() > std::numeric_limits<int>::max() / 4)
      throw std::invalid_argument(
          fmt::format("mesh {} is too large: it has {} cells, and connections are numbered in 32 bits", text,
                      mesh->cells()));
    return *std::move(mesh);
  }
  if (auto mesh = mesh_file(text)) return *std::move(mesh);
  if (text.starts_with(triangles) || text.starts_with(tetrahedra))
    throw std::invalid_argument(
        fmt::format("invalid mesh '{}'; expected triangles-NXxNY or tetrahedra-NXxNYxNZ, then +N for N more "
                    "nodes and -seedN, "
                    "such as triangles-120x120+17256",
                    text));
  if (auto matrix = matrix_of(text)) return *std::move(matrix);
  if (text.find(".mtx") != std::string::npos)
    throw std::invalid_argument(
        fmt::format("invalid matrix '{}'; expected A.mtx, or A.mtx+b.mtx with the right-hand side", text));
  if (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front())))
    throw std::invalid_argument(fmt::format(
        "invalid domain '{}'; expected a grid such as 512x512, a mesh such as triangles-178x178 or "
        "a file that ends with .msh, or a matrix such as poisson-100x100 or a file that ends with "
        ".mtx",
        text));
  return grid_from(text);
}

Grid asked_grid(const std::string& text) {
  const Grid grid = grid_from(text);
  if (std::max({grid.nx, grid.ny, grid.nz}) > longest_side)
    throw std::invalid_argument(
        fmt::format("grid {} is too large; expected sides of at most {}", text, longest_side));
  return grid;
}

}  // namespace cfdmark

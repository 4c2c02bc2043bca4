#include "kernels/mesh/mesh_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/metis.hpp"

namespace cfdmark {
namespace {

// Recursive bisection of points.
class Bisection {
 public:
  Bisection(const std::vector<Point>& points, int parts)
      : points_(points), parts_(parts), order_(points.size()), part_(points.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    divide(0, parts);
  }
  std::vector<int> parts() && { return std::move(part_); }

 private:
  // Returns the place in order_ where a part begins.
  std::ptrdiff_t begin_of(int part) const {
    return std::ptrdiff_t((long long)points_.size() * part / parts_);
  }

  // Divides the points between begin_of(first) and begin_of(end) among these parts.
  void divide(int first, int end) {
    const auto begin = order_.begin() + begin_of(first), last = order_.begin() + begin_of(end);
    if (end - first == 1) {
      std::for_each(begin, last, [&](int cell) { part_[std::size_t(cell)] = first; });
      return;
    }
    const int middle = (first + end) / 2, axis = longest_side(begin, last);
    std::nth_element(begin, order_.begin() + begin_of(middle), last, [&](int a, int b) {
      const double x = points_[std::size_t(a)][axis], y = points_[std::size_t(b)][axis];
      return x != y ? x < y : a < b;
    });
    divide(first, middle);
    divide(middle, end);
  }

  template <class I>
  std::size_t longest_side(I begin, I end) const {
    Point low = points_[std::size_t(*begin)], high = low;
    for (I i = begin; i != end; ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], points_[std::size_t(*i)][d]);
        high[d] = std::max(high[d], points_[std::size_t(*i)][d]);
      }
    const Point sides = difference(high, low);
    return std::size_t(std::max_element(sides.begin(), sides.end()) - sides.begin());
  }

  const std::vector<Point>& points_;
  int parts_;
  std::vector<int> order_, part_;
};

std::vector<int> parts_of_cells(const Mesh& mesh, int parts, MeshCut cut) {
  if (cut == MeshCut::metis) return metis_parts(cell_neighbours(mesh), mesh.dims + 1, parts);
  return Bisection(cell_centroids(mesh), parts).parts();
}

// Returns for each of `count` entities the highest part of the owners in whose list it is. Lists of fixed
// length `degree`, one an owner.
std::vector<int> highest(int count, const std::vector<int>& part_of_owner, const std::vector<Oriented>& lists,
                         int degree) {
  std::vector<int> parts(static_cast<std::size_t>(count), -1);
  for (std::size_t n = 0; n < lists.size(); ++n) {
    int& part = parts[std::size_t(number_of(lists[n]))];
    part = std::max(part, part_of_owner[n / std::size_t(degree)]);
  }
  return parts;
}

constexpr std::array<std::string_view, 2> words = {"bisection", "metis"};

}  // namespace

MeshCut mesh_cut_from(std::string_view word) {
  for (std::size_t n = 0; n < words.size(); ++n)
    if (word == words[n]) return MeshCut(n);
  throw std::invalid_argument(
      fmt::format("unknown partition '{}' of a mesh; expected {} or {}", word, words[0], words[1]));
}

std::string not_built_reason(MeshCut cut) { return cut == MeshCut::metis ? metis_absent_reason() : ""; }

MeshPartition MeshPartition::of(const Mesh& mesh, int parts, MeshCut cut) {
  if (parts < 1 || parts > mesh.cells())
    throw std::invalid_argument(
        fmt::format("a mesh of {} cells cannot be cut into {} parts", mesh.cells(), parts));
  MeshPartition partition(mesh, parts_of_cells(mesh, parts, cut), parts);
  for (int part = 0; part < parts; ++part)
    if (partition.cells_of(part) == 0)
      throw std::invalid_argument(fmt::format(
          "part {} of {} has no cells of {}: use fewer parts or bisection", part, parts, mesh.cells()));
  return partition;
}

MeshPartition::MeshPartition(const Mesh& mesh, std::vector<int> part_of_cell, int parts)
    : cell_(std::move(part_of_cell)), cells_of_(static_cast<std::size_t>(parts)) {
  if (int(cell_.size()) != mesh.cells())
    throw std::invalid_argument(fmt::format("{} parts for {} cells", cell_.size(), mesh.cells()));
  for (const int part : cell_) {
    if (part < 0 || part >= parts)
      throw std::invalid_argument(fmt::format("a cell is in part {} of {}", part, parts));
    ++cells_of_[std::size_t(part)];
  }
  face_ = highest(mesh.faces(), cell_, mesh.cell_faces, mesh.dims + 1);
  node_ = highest(int(mesh.nodes.size()), cell_, mesh.cell_nodes, mesh.dims + 1);
  if (mesh.dims == 3) edge_ = highest(mesh.edges(), face_, mesh.face_edges, 3);
  for (std::size_t f = 0; f < std::size_t(mesh.inner_faces); ++f)
    cut_faces_ +=
        cell_[std::size_t(mesh.face_cells[2 * f])] != cell_[std::size_t(mesh.face_cells[2 * f + 1])];
}

const std::vector<int>& MeshPartition::owners(Entity entity) const {
  switch (entity) {
    case Entity::cell: return cell_;
    case Entity::face: return face_;
    case Entity::edge: return edge_;
    case Entity::node: break;
  }
  return node_;
}

double MeshPartition::imbalance() const {
  const int most = *std::max_element(cells_of_.begin(), cells_of_.end());
  return double(most) * parts() / double(cell_.size()) - 1;
}

}  // namespace cfdmark

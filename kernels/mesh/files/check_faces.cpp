#include "kernels/mesh/files/check_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cfdmark {

namespace {

// A face of a cell, or a boundary element, without its lowest node.
struct FaceEntry {
  int middle, highest;  // nodes; in 2-D both are the higher one
  std::uint32_t code;   // cell * (dims + 1) + the node opposite, or after all of these the boundary element
  bool is_even;         // an even permutation sorts its nodes, which a cell lists outward
};

bool before(const FaceEntry& a, const FaceEntry& b) {
  return std::pair(a.middle, a.highest) < std::pair(b.middle, b.highest) ||
         (std::pair(a.middle, a.highest) == std::pair(b.middle, b.highest) && a.code < b.code);
}

bool same_face(const FaceEntry& a, const FaceEntry& b) {
  return a.middle == b.middle && a.highest == b.highest;
}

// The nodes of the face opposite each node of a cell, with the normal outward.
constexpr std::array<std::array<int, 2>, 3> sides{{{1, 2}, {2, 0}, {0, 1}}};
constexpr std::array<std::array<int, 3>, 4> tetrahedron_faces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// All faces of cells and boundary elements, in lists by their lowest node.
class FaceLists {
 public:
  FaceLists(const MeshContent& content, const ElementList& cells, const ElementList& faces)
      : content_(content),
        cells_(cells),
        faces_(faces),
        dims_(cells.nodes_each - 1),
        cell_faces_(std::uint32_t(cells.size()) * std::uint32_t(dims_ + 1)) {}

  void check() {
    fill();
    std::vector<FaceEntry> list;
    for (std::size_t node = 0; node + 1 < begin_.size(); ++node) {
      list.clear();
      for (std::uint32_t k = begin_[node]; k < begin_[node + 1]; ++k) list.push_back(entry_of(codes_[k]));
      std::sort(list.begin(), list.end(), before);
      for (auto from = list.begin(); from != list.end();) {
        const auto to =
            std::find_if(from, list.end(), [&](const FaceEntry& e) { return !same_face(e, *from); });
        check_face(from, to);
        from = to;
      }
    }
  }

 private:
  using Entry = std::vector<FaceEntry>::const_iterator;

  std::array<int, 3> nodes_of(std::uint32_t code) const {
    if (code >= cell_faces_) {
      const int* const n = faces_.nodes.data() + std::size_t(code - cell_faces_) * std::size_t(dims_);
      return {n[0], n[1], dims_ == 3 ? n[2] : n[1]};
    }
    const std::uint32_t each = std::uint32_t(dims_ + 1), local = code % each;
    const int* const n = cells_.nodes.data() + std::size_t(code - local);
    if (dims_ == 2) return {n[sides[local][0]], n[sides[local][1]], n[sides[local][1]]};
    const auto& face = tetrahedron_faces[local];
    return {n[face[0]], n[face[1]], n[face[2]]};
  }

  int lowest_of(std::uint32_t code) const {
    const auto [a, b, c] = nodes_of(code);
    return std::min({a, b, c});
  }

  FaceEntry entry_of(std::uint32_t code) const {
    auto [a, b, c] = nodes_of(code);
    bool is_even = true;
    const auto order = [&is_even](int& lower, int& higher) {
      if (lower <= higher) return;
      std::swap(lower, higher);
      is_even = !is_even;
    };
    if (dims_ == 2) {
      order(a, b);
      return {b, b, code, is_even};
    }
    order(a, b), order(b, c), order(a, b);
    return {b, c, code, is_even};
  }

  // Sorts the codes by lowest node, in two passes over the faces.
  void fill() {
    const std::uint32_t count = cell_faces_ + std::uint32_t(faces_.size());
    begin_.assign(content_.nodes.points.size() + 2, 0);
    for (std::uint32_t code = 0; code < count; ++code) ++begin_[std::size_t(lowest_of(code)) + 2];
    for (std::size_t n = 2; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
    codes_.resize(count);
    for (std::uint32_t code = 0; code < count; ++code)
      codes_[begin_[std::size_t(lowest_of(code)) + 1]++] = code;
    begin_.pop_back();
  }

  bool is_cell(const FaceEntry& e) const { return e.code < cell_faces_; }
  std::size_t cell(const FaceEntry& e) const { return e.code / std::uint32_t(dims_ + 1); }
  std::size_t boundary(const FaceEntry& e) const { return e.code - cell_faces_; }
  int opposite(const FaceEntry& e) const { return cells_.nodes[e.code]; }

  // Entries of one face: cells first, then boundary elements, each in the order of the file.
  void check_face(Entry from, Entry to) const {
    const Entry middle = std::find_if(from, to, [this](const FaceEntry& e) { return !is_cell(e); });
    if (middle - from > 1) check_cells(from, middle);
    if (middle != to) check_boundary(from == middle, middle, to);
  }

  void check_cells(Entry from, Entry to) const {
    // Three cells are refused in any case, so that no later one needs a look.
    for (Entry a = from; a != std::min(to, from + 3); ++a)
      for (Entry b = from; b != a; ++b)
        if (opposite(*a) == opposite(*b)) fail_duplicate(cells_, cell(*b), cell(*a));
    if (to - from > 2)
      fail(cells_, cell(from[2]), MeshFault::non_manifold,
           fmt::format("elements {}, {} and {} share a face; at most two may", cells_.numbers[cell(from[0])],
                       cells_.numbers[cell(from[1])], cells_.numbers[cell(from[2])]));
    if (from[0].is_even == from[1].is_even)
      fail(cells_, cell(from[1]), MeshFault::overlapping_cells,
           fmt::format("elements {} and {} lie on the same side of their common face: they overlap",
                       cells_.numbers[cell(from[0])], cells_.numbers[cell(from[1])]));
  }

  void check_boundary(bool is_loose, Entry from, Entry to) const {
    if (is_loose)
      fail(faces_, boundary(*from), MeshFault::loose_face,
           fmt::format("element {} is not a face of any cell; remove it, or mesh what it bounds",
                       faces_.numbers[boundary(*from)]));
    if (to - from == 1) return;
    std::vector<std::pair<int, std::size_t>> tagged;  // a face may be in many groups, but in each once
    for (Entry e = from; e != to; ++e) tagged.emplace_back(faces_.tag_sets[boundary(*e)], boundary(*e));
    std::sort(tagged.begin(), tagged.end());
    const auto twice = std::adjacent_find(tagged.begin(), tagged.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != tagged.end()) fail_duplicate(faces_, twice->second, (twice + 1)->second);
  }

  [[noreturn]] void fail_duplicate(const ElementList& list, std::size_t first, std::size_t second) const {
    fail(list, second, MeshFault::duplicate_element,
         fmt::format("element {} has the nodes of element {} at {}; remove one of them", list.numbers[second],
                     list.numbers[first], content_.origin.describe(list.places[first])));
  }
  [[noreturn]] void fail(const ElementList& list, std::size_t e, MeshFault fault,
                         const std::string& text) const {
    content_.origin.fail(list.places[e], fault, text);
  }

  const MeshContent& content_;
  const ElementList& cells_;
  const ElementList& faces_;
  int dims_;
  std::uint32_t cell_faces_;  // faces of cells, each counted once per cell
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> codes_;
};

}  // namespace

void check_faces(const MeshContent& content, const ElementList& cells, const ElementList& faces) {
  FaceLists(content, cells, faces).check();
}

}  // namespace cfdmark

// From the numbers of nodes in a file to the order in which they come.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/mesh/files/mesh_content.hpp"

namespace cfdmark {

// Numbers may begin anywhere and have gaps.
class NodeNumbers {
 public:
  // Throws MeshFileError (repeated_number) if two nodes have one number.
  NodeNumbers(const NodeList&, const MeshOrigin&);

  // Returns the index of the node of a number, or -1 if there is none.
  int index_of(std::int64_t number) const {
    if (!is_dense_) return sorted_index_of(number);
    const std::uint64_t n = std::uint64_t(number) - std::uint64_t(first_);
    return n < dense_.size() ? dense_[n] : -1;
  }

 private:
  void fill_dense(const NodeList&, const MeshOrigin&);
  void sort(const NodeList&, const MeshOrigin&);
  int sorted_index_of(std::int64_t number) const;

  std::int64_t first_ = 0;
  bool is_dense_ = true;
  std::vector<int> dense_;                            // by number - first_; -1 in gaps
  std::vector<std::pair<std::int64_t, int>> sorted_;  // where gaps are too wide for a table
};

}  // namespace cfdmark

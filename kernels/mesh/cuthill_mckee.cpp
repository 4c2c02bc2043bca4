#include "kernels/mesh/cuthill_mckee.hpp"

#include <algorithm>
#include <utility>

namespace cfdmark {
namespace {

// The graph in compressed rows: the neighbours of a cell with those of lowest degree first.
class CellGraph {
 public:
  CellGraph(const std::vector<int>& neighbours, int degree)
      : cells_(int(neighbours.size()) / degree), begin_(std::size_t(cells_) + 1, 0) {
    for (int c = 0; c < cells_; ++c) {
      const int* n = neighbours.data() + std::size_t(c) * degree;
      begin_[c + 1] = begin_[c] + int(std::count_if(n, n + degree, [](int other) { return other >= 0; }));
    }
    columns_.resize(begin_[cells_]);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < cells_; ++c) {
      const int* n = neighbours.data() + std::size_t(c) * degree;
      int* row = columns_.data() + begin_[c];
      std::copy_if(n, n + degree, row, [](int other) { return other >= 0; });
      std::sort(row, columns_.data() + begin_[c + 1], [this](int a, int b) {
        return std::pair(this->degree(a), a) < std::pair(this->degree(b), b);
      });
    }
  }

  int cells() const { return cells_; }
  int degree(int cell) const { return begin_[cell + 1] - begin_[cell]; }
  const int* begin(int cell) const { return columns_.data() + begin_[cell]; }
  const int* end(int cell) const { return columns_.data() + begin_[cell + 1]; }

 private:
  int cells_;
  std::vector<int> begin_, columns_;
};

class BreadthFirst {
 public:
  explicit BreadthFirst(const CellGraph& graph) : graph_(graph), seen_(graph.cells(), 0) {
    order_.reserve(graph.cells());
  }

  std::vector<int> reversed_order() && {
    for (int c = 0; c < graph_.cells(); ++c)
      if (seen_[c] == 0) visit_part_of(c);
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  static constexpr int most_starts = 8;
  struct Levels {
    int count;
    std::size_t last_begin;  // first cell of the last level in order_
  };

  // Appends the part of the graph that contains a cell.
  void visit_part_of(int cell) {
    const std::size_t begin = order_.size();
    int start = cell;
    Levels levels = visit(start);
    for (int n = 0; n < most_starts; ++n) {
      const int farther = lowest_degree_from(levels.last_begin);
      if (farther == start) return;
      order_.resize(begin);
      const Levels other = visit(farther);
      const bool longer = other.count > levels.count;
      start = farther;
      levels = other;
      if (!longer) return;
    }
  }

  // Appends all cells that a search from `start` reaches.
  Levels visit(int start) {
    ++search_;
    std::size_t level_begin = order_.size();
    Levels levels{0, level_begin};
    add(start);
    while (level_begin < order_.size()) {
      const std::size_t level_end = order_.size();
      levels = {levels.count + 1, level_begin};
      for (std::size_t i = level_begin; i < level_end; ++i) {
        const int cell = order_[i];
        std::for_each(graph_.begin(cell), graph_.end(cell), [this](int other) {
          if (seen_[other] != search_) add(other);
        });
      }
      level_begin = level_end;
    }
    return levels;
  }
  void add(int cell) {
    seen_[cell] = search_;
    order_.push_back(cell);
  }
  int lowest_degree_from(std::size_t begin) const {
    return *std::min_element(order_.begin() + std::ptrdiff_t(begin), order_.end(),
                             [this](int a, int b) { return graph_.degree(a) < graph_.degree(b); });
  }

  const CellGraph& graph_;
  std::vector<int> seen_;  // last search that reached a cell
  int search_ = 0;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> reverse_cuthill_mckee(const std::vector<int>& neighbours, int degree) {
  const CellGraph graph(neighbours, degree);
  return BreadthFirst(graph).reversed_order();
}

}  // namespace cfdmark

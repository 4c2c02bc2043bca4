#include "kernels/mesh/metis.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <array>
#include <stdexcept>

namespace cfdmark {
namespace {

// The graph of cells in METIS' form.
struct CellGraph {
  idx_t cells;
  std::vector<idx_t> begin{0}, columns;
  std::array<idx_t, METIS_NOPTIONS> options{};

  CellGraph(const std::vector<int>& neighbours, int degree) : cells(idx_t(neighbours.size()) / degree) {
    for (idx_t c = 0; c < cells; ++c) {
      for (int k = 0; k < degree; ++k)
        if (const int other = neighbours[std::size_t(c) * degree + k]; other >= 0) columns.push_back(other);
      begin.push_back(idx_t(columns.size()));
    }
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
  }

  void check(int status, const char* task) const {
    if (status != METIS_OK)
      throw std::runtime_error(
          fmt::format("METIS cannot {} {} cells: its status is {}", task, cells, status));
  }
};

}  // namespace

std::string metis_absent_reason() { return ""; }

std::vector<int> nested_dissection(const std::vector<int>& neighbours, int degree) {
  CellGraph graph(neighbours, degree);
  if (graph.cells == 0) return {};
  // METIS' `order` has the old number of each new one, `place` the reverse.
  std::vector<idx_t> order(graph.cells), place(graph.cells);
  graph.check(METIS_NodeND(&graph.cells, graph.begin.data(), graph.columns.data(), nullptr,
                           graph.options.data(), order.data(), place.data()),
              "order");
  return {order.begin(), order.end()};
}

std::vector<int> metis_parts(const std::vector<int>& neighbours, int degree, int parts) {
  CellGraph graph(neighbours, degree);
  std::vector<idx_t> part(graph.cells);
  if (graph.cells == 0 || parts == 1) return std::vector<int>(part.begin(), part.end());
  idx_t constraints = 1, count = parts, cut = 0;
  graph.check(METIS_PartGraphKway(&graph.cells, &constraints, graph.begin.data(), graph.columns.data(),
                                  nullptr, nullptr, nullptr, &count, nullptr, nullptr, graph.options.data(),
                                  &cut, part.data()),
              "part");
  return {part.begin(), part.end()};
}

}  // namespace cfdmark

#include "kernels/mesh/nested.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <stdexcept>

namespace cfdmark {

std::string metis_absent_reason() { return ""; }

std::vector<int> nested_dissection(const std::vector<int>& neighbours, int degree) {
  idx_t cells = idx_t(neighbours.size()) / degree;
  if (cells == 0) return {};
  std::vector<idx_t> begin{0}, columns;
  for (idx_t c = 0; c < cells; ++c) {
    for (int k = 0; k < degree; ++k)
      if (const int other = neighbours[std::size_t(c) * degree + k]; other >= 0) columns.push_back(other);
    begin.push_back(idx_t(columns.size()));
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  // METIS' `order` has the old number of each new one, `place` the reverse.
  std::vector<idx_t> order(cells), place(cells);
  const int status =
      METIS_NodeND(&cells, begin.data(), columns.data(), nullptr, options, order.data(), place.data());
  if (status != METIS_OK)
    throw std::runtime_error(fmt::format("METIS cannot order {} cells: its status is {}", cells, status));
  return {order.begin(), order.end()};
}

}  // namespace cfdmark

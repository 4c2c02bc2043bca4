#include "kernels/csr_apply/near_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cfdmark {
namespace {

constexpr int group = NearColumns::group, near_codes = NearColumns::near_codes;

bool is_near(int row, int column) {
  return column >= NearColumns::first_near(row) && column < NearColumns::first_near(row) + near_codes;
}

}  // namespace

HostNearColumns near_columns(std::span<const int> row_begin, std::span<const int> column) {
  const int rows = int(row_begin.size()) - 1, groups = (rows + group - 1) / group;
  std::vector<std::vector<int>> far(static_cast<std::size_t>(groups));
  HostNearColumns made{.code = std::vector<unsigned short>(column.size()),
                       .first_far = std::vector<int>(std::size_t(groups)),
                       .far = {}};
#pragma omp parallel for schedule(dynamic, 16)
  for (int n = 0; n < groups; ++n) {
    const int first = n * group, end = std::min(rows, first + group);
    std::vector<int>& own = far[std::size_t(n)];
    for (int at = row_begin[first]; at < row_begin[end]; ++at)
      if (!is_near(first, column[at])) own.push_back(column[at]);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (int at = row_begin[first]; at < row_begin[end]; ++at)
      made.code[std::size_t(at)] = static_cast<unsigned short>(
          is_near(first, column[at])
              ? column[at] - NearColumns::first_near(first)
              : near_codes + (std::lower_bound(own.begin(), own.end(), column[at]) - own.begin()));
  }
  for (int n = 0; n < groups; ++n) {
    const std::vector<int>& own = far[std::size_t(n)];
    if (own.size() > std::size_t(NearColumns::far_codes))
      throw std::invalid_argument(fmt::format(
          "rows {} to {} of the matrix have {} different columns beyond the reach of 16-bit differences, and "
          "there are codes for {}: use 32-bit columns (csr), or a numbering with near neighbours such as "
          "rcm or hilbert",
          n * group, std::min(rows, (n + 1) * group) - 1, own.size(), NearColumns::far_codes));
    made.first_far[std::size_t(n)] = int(made.far.size());
    made.far.insert(made.far.end(), own.begin(), own.end());
  }
  return made;
}

}  // namespace cfdmark

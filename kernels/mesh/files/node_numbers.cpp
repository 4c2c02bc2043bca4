#include "kernels/mesh/files/node_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cfdmark {

namespace {

constexpr std::uint64_t table_entries_per_node = 4;

[[noreturn]] void fail_repeated(const NodeList& nodes, int first, int second, const MeshOrigin& origin) {
  const auto [a, b] = std::minmax(first, second);
  origin.fail(nodes.places[std::size_t(b)], MeshFault::repeated_number,
              fmt::format("node number {} is already taken at {}; number nodes uniquely",
                          nodes.numbers[std::size_t(b)], origin.describe(nodes.places[std::size_t(a)])));
}

}  // namespace

NodeNumbers::NodeNumbers(const NodeList& nodes, const MeshOrigin& origin) {
  if (nodes.numbers.empty()) return;
  const auto [least, largest] = std::minmax_element(nodes.numbers.begin(), nodes.numbers.end());
  first_ = *least;
  const std::uint64_t span = std::uint64_t(*largest) - std::uint64_t(first_);
  is_dense_ = span < table_entries_per_node * nodes.numbers.size();
  if (is_dense_) {
    dense_.assign(span + 1, -1);
    fill_dense(nodes, origin);
  } else {
    sort(nodes, origin);
  }
}

void NodeNumbers::fill_dense(const NodeList& nodes, const MeshOrigin& origin) {
  for (std::size_t i = 0; i < nodes.numbers.size(); ++i) {
    int& index = dense_[std::uint64_t(nodes.numbers[i]) - std::uint64_t(first_)];
    if (index >= 0) fail_repeated(nodes, index, int(i), origin);
    index = int(i);
  }
}

void NodeNumbers::sort(const NodeList& nodes, const MeshOrigin& origin) {
  sorted_.reserve(nodes.numbers.size());
  for (std::size_t i = 0; i < nodes.numbers.size(); ++i) sorted_.emplace_back(nodes.numbers[i], int(i));
  std::sort(sorted_.begin(), sorted_.end());
  const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != sorted_.end()) fail_repeated(nodes, twice->second, (twice + 1)->second, origin);
}

int NodeNumbers::sorted_index_of(std::int64_t number) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(number, 0));
  return found != sorted_.end() && found->first == number ? found->second : -1;
}

}  // namespace cfdmark

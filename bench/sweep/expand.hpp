// Expands blocks into cases: combines the choices of the axes and finds the matching rows.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/sweep/block.hpp"

namespace cfdmark {

// Index of the catalog's rows by kind, name, backend and precision.
class RowFinder {
 public:
  explicit RowFinder(const std::vector<Row>& rows);

  // Returns the rows of all methods for these choices; none if there is no such row.
  const std::vector<const Row*>& find(const Config& choices) const;

 private:
  std::map<std::tuple<RowKind, std::string, std::string, std::string>, std::vector<const Row*>> rows_;
};

// Returns the number of combinations of a block and its includes, before rows are looked up.
double combinations(const Block&);

// Returns the cases of a block, possibly with duplicates. Fails for values that no row has, and for an
// exclude that removes nothing.
std::vector<Case> expand(const SweepFile&, const Block&, const RowFinder&);

}  // namespace cfdmark

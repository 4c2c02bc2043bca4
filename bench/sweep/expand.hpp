// From blocks to cases: combines the choices of a block's axes and looks up the rows that they name.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/sweep/block.hpp"

namespace cfdmark {

// The catalog's rows by what a combination of choices says of them.
class RowFinder {
 public:
  explicit RowFinder(const std::vector<Row>& rows);

  // The rows of all methods of a kernel or solver, backend and precision; none if there is no such row.
  const std::vector<const Row*>& find(const Config& choices) const;

 private:
  std::map<std::tuple<RowKind, std::string, std::string, std::string>, std::vector<const Row*>> rows_;
};

// Combinations of choices that a block and its includes have, before rows are looked up.
double combinations(const Block&);

// The cases of a block, those that two combinations share twice. Fails for words that no row takes, and for
// an exclude that removes nothing.
std::vector<Case> expand(const SweepFile&, const Block&, const RowFinder&);

}  // namespace cfdmark

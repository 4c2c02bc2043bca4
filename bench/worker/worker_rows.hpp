// The rows of a worker's catalog, as its supervisor knows them. A case travels with the index of its row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

class WorkerRows {
 public:
  // `rows` are all rows of the worker's catalog, in its order.
  explicit WorkerRows(const std::vector<Row>& rows);

  // Returns the index of the row with the same kind and name; none if there is none.
  std::optional<std::size_t> find(const Row&) const;
  // Returns the same. Throws std::invalid_argument if there is none.
  std::size_t index_of(const Row&) const;
  // Returns a hash of all names in order. A worker whose own differs has another catalog.
  const std::string& id() const { return id_; }

 private:
  std::unordered_map<std::string, std::size_t> index_;  // by kind and name
  std::string id_;
};

// Returns the rows of this program's own workers.
const WorkerRows& own_rows();

}  // namespace cfdmark

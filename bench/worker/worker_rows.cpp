#include "bench/worker/worker_rows.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/catalog/catalog.hpp"
#include "bench/text/hash.hpp"

namespace cfdmark {
namespace {

// A kernel and a solver may share a name.
std::string key_of(const Row& row) { return fmt::format("{} {}", to_string(row.kind), row_name(row)); }

}  // namespace

WorkerRows::WorkerRows(const std::vector<Row>& rows) {
  std::string all;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::string key = key_of(rows[n]);
    all += key + '\n';
    index_.emplace(key, n);
  }
  id_ = fingerprint(all);
}

std::optional<std::size_t> WorkerRows::find(const Row& row) const {
  const auto found = index_.find(key_of(row));
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t WorkerRows::index_of(const Row& row) const {
  if (const auto found = find(row)) return *found;
  throw std::invalid_argument(fmt::format("the worker's catalog has no {}", key_of(row)));
}

const WorkerRows& own_rows() {
  static const WorkerRows rows(catalog());
  return rows;
}

}  // namespace cfdmark

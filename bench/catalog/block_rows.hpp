// The block solvers as rows of the catalog.
#pragma once

#include <memory>
#include <vector>

#include "bench/case/row.hpp"
#include "solvers/block/table.hpp"

namespace cfdmark {

// Returns the problem of a workload as stored in a precision. Kept until another problem is requested.
std::shared_ptr<const StoredBlocks> shared_stored_blocks(const Config& workload, const Grid&, Precision);
// Returns the method of a row.
BlockMethod block_method_of(const Row&);

void add_block_rows(std::vector<Row>&);

}  // namespace cfdmark

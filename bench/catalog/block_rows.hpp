// The block solvers as rows of the catalog.
#pragma once

#include <memory>
#include <vector>

#include "bench/catalog/catalog.hpp"
#include "solvers/block/table.hpp"

namespace cfdmark {

// The problem that a question is about, as a precision stores it: kept until another problem is asked for.
std::shared_ptr<const StoredBlocks> shared_stored_blocks(const Config& question, const Grid&, Precision);
// A row's method.
BlockMethod block_method_of(const Row&);

void add_block_rows(std::vector<Row>&);

}  // namespace cfdmark

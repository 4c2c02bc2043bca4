// The order in which a rank computes cells and exchanges values.
#pragma once

#include <string_view>

namespace cfdmark {

// Order of a step. The edges are the cells that read values of other ranks, or whose values others read.
//   none         exchanges values, then computes
//   inner_first  exchanges values while it computes the inside, then computes the edges
//   edges_first  computes the edges, then exchanges their new values while it computes the inside
enum class Overlap { none, inner_first, edges_first };

// Returns the order of that name. Throws std::invalid_argument, naming the valid words.
Overlap overlap_from(std::string_view word);

}  // namespace cfdmark

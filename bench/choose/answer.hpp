// The answer of `cfdmark choose` as text.
#pragma once

#include <string>

#include "bench/choose/race.hpp"

namespace cfdmark {

// Returns the table: a line for each verified contender, the winner first, and why the others are not among
// them.
std::string answer_table(const RaceResult&);

// Returns the winner in one sentence and the command that repeats its solve. `result` has a verified one.
std::string winner_text(const RaceResult& result);

}  // namespace cfdmark

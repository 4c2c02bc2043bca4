// Answers which solver is the fastest for a problem on this machine.
#pragma once

#include "bench/choose/question.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark {

struct ChooseRequest {
  AskedChoice asked;
  tuning::TuneOptions options;  // of the race: output, timeout, and the budget, which must be given
  bool dry_run = false;
};

// Races the solvers, prints the table and the command of the winner, and returns the exit status. Throws
// std::invalid_argument for wrong options, WriteError for a file that cannot be written.
int choose(ChooseRequest request);

// Returns the settings of the problem of a question; without a question, how to see them. Throws
// std::invalid_argument for an unknown one.
std::string choose_settings_help(const AskedChoice&);

}  // namespace cfdmark

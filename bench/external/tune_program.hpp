// Tunes a program that is not of this project: any command of a shell with parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuning/selection.hpp"

namespace cfdmark {

struct ProgramTune {
  std::string command;                               // with {NAME} for the value of a parameter
  std::vector<std::string> parameters, constraints;  // program_space.hpp
  std::string time_from;   // regular expression whose group is the time in the output; empty: wall time
  std::string unit = "s";  // of that time: s, ms or us
  std::string check;       // command that judges the first output of each config; empty: none
  std::string strategy = "racing", output = "out/tune-command.jsonl";
  std::optional<double> budget;  // seconds in total
  double timeout = 60;           // seconds of one run
  int samples = 30;              // runs of a config at most
  unsigned long seed = 1;
};

// Searches the fastest config, prints it with those that tie with it, and returns the exit status. Appends a
// line to the record file for each run. Throws std::invalid_argument for wrong options, WriteError.
int tune_program(const ProgramTune&);

}  // namespace cfdmark

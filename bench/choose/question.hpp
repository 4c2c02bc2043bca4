// The questions of `cfdmark choose`, and the cases that compete for an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/case/given_settings.hpp"
#include "bench/catalog/catalog.hpp"

namespace cfdmark {

struct Question {
  std::string name, help;
  std::string family;              // of the solvers that compete
  std::string problem;             // solved by default
  std::string domain;              // default: a grid, or a matrix
  std::vector<Config> variants{};  // settings that also compete where a method has them, besides the defaults
};

const std::vector<Question>& questions();
// Throws std::invalid_argument with the valid names.
const Question& find_question(const std::string& name);

// A user's choice of candidates. Empty strings and lists mean not given.
struct AskedChoice {
  std::string question, grid, matrix, rhs, problem, coefficients, boundary;
  std::vector<std::string> backends, precisions;
  GivenSettings settings;
  std::optional<int> device;
};

// Returns the problem to solve: the given one, or for `pressure` that of the coefficients and the boundary.
// Throws std::invalid_argument if there is none, with those that exist.
std::string problem_of(const AskedChoice&);

// Returns the competing cases, those first that are fast on most machines: every row of the family with its
// default config and with each variant that it accepts. A case that cannot run here has `not_run` set. Throws
// std::invalid_argument for wrong settings, backends, precisions, grids or matrices.
std::vector<Case> competing_cases(const AskedChoice&, const std::vector<Row>& rows = catalog());

// Returns the `cfdmark solve` command that repeats a case.
std::string solve_command(const Case&);

}  // namespace cfdmark

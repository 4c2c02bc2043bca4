// Evolutionary optimisers of pagmo, which may be absent, with a batch of candidates at a time; and a map,
// which needs no library.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cfdmark {

struct OptimiserDescription {
  std::string name, help;
  int least_population = 2;
  bool needs_pagmo = true;
};

// cmaes, xnes, pso, de, sade, sga, map: in every build, for messages and help.
const std::vector<OptimiserDescription>& optimiser_table();
// Returns null for an unknown name.
const OptimiserDescription* find_optimiser(const std::string& name);

struct OptimiserChoice {
  std::string name = "cmaes";
  int population = 16;  // of an island; of a map: points of each parameter
  unsigned seed = 1;
  int islands = 1;  // populations, each with a seed of its own, that exchange their best

  bool is_map() const { return name == "map"; }
};

// The box of the first generation, which holds `start`. Later ones of cmaes and xnes may leave it.
struct SearchBox {
  std::vector<double> low, high, start;
};

// Returns the objective of each candidate, to be made small. All must be finite.
using BatchObjective = std::function<std::vector<double>(const std::vector<std::vector<double>>&)>;

// Returns the version of pagmo; empty in a build without it.
std::string optimiser_version();
// Throws std::runtime_error if this build cannot run the optimiser, with the package to install.
void require_optimiser(const OptimiserChoice&);

// The best of an island migrates to its two neighbours in a ring after each generation. cmaes and xnes take
// all candidates of the next generation from their own distribution, so that their islands are independent.
//
// Evaluates the first generation, `start` among it, and then one generation after the other as long as
// goes_on() returns true, which is called after each. Also ends when ten generations propose nothing new.
// The same choice, box and objectives give the same candidates in the same order.
//
// A map evaluates a lattice over the box, its bounds included. A generation has all points of the first
// parameter; the lattice ends it.
// Throws std::runtime_error in a build without pagmo, with the package to install, unless it is a map.
void optimise(const OptimiserChoice&, const SearchBox&, const BatchObjective&,
              const std::function<bool()>& goes_on);

}  // namespace cfdmark

// Pagmo's algorithms evaluate one candidate at a time (cmaes takes batches from version 2.19 on, others
// never). A generation is therefore run twice: on a copy whose objectives are placeholders, to learn which
// candidates it evaluates, and, once these are evaluated as a batch, on the original. Candidates that depend
// on the objectives of their own generation are evaluated one by one in the second run.
#include <algorithm>
#include <map>
#include <memory>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/algorithms/xnes.hpp>
#include <pagmo/archipelago.hpp>
#include <pagmo/config.hpp>
#include <pagmo/islands/thread_island.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/topologies/ring.hpp>
#include <stdexcept>

#include "bench/shape/pagmo_module.hpp"

namespace cfdmark {
namespace {

// Worse than every candidate that has a flow.
constexpr double placeholder = 1e6;

struct KnownObjectives {
  const BatchObjective& evaluate;
  bool is_rehearsal = false;
  std::vector<std::vector<double>> asked = {};  // in a rehearsal, each once
  std::map<std::vector<double>, double> known = {};

  double of(const std::vector<double>& x) {
    if (const auto found = known.find(x); found != known.end()) return found->second;
    if (!is_rehearsal) return known[x] = evaluate({x}).at(0);
    if (std::find(asked.begin(), asked.end(), x) == asked.end()) asked.push_back(x);
    return placeholder;
  }
  // Runs one generation on copies, and evaluates what it proposes. Returns whether that was anything.
  template <class Generation>
  bool rehearse(const Generation& generation) {
    asked.clear();
    is_rehearsal = true;
    generation();
    is_rehearsal = false;
    if (asked.empty()) return false;
    const std::vector<double> objectives = evaluate(asked);
    for (std::size_t n = 0; n < asked.size(); ++n) known[asked[n]] = objectives.at(n);
    return true;
  }
};

// The objective as pagmo's problems have it. Copies share what is known.
struct SharedObjective {
  std::shared_ptr<KnownObjectives> objectives;
  std::vector<double> low, high;

  std::vector<double> fitness(const std::vector<double>& x) const { return {objectives->of(x)}; }
  std::pair<std::vector<double>, std::vector<double>> get_bounds() const { return {low, high}; }
  // Islands evolve in threads of their own, one after the other.
  pagmo::thread_safety get_thread_safety() const { return pagmo::thread_safety::basic; }
};

// One generation an evolve(), with what was learnt kept in between.
pagmo::algorithm algorithm_of(const OptimiserChoice& choice) {
  const unsigned seed = choice.seed;
  // A share of the box: the first steps stay within it.
  constexpr double first_step = 0.25, tolerance = 1e-9;
  const auto& name = choice.name;
  if (name == "cmaes")
    return pagmo::algorithm{
        pagmo::cmaes(1, -1, -1, -1, -1, first_step, tolerance, tolerance, true, false, seed)};
  if (name == "xnes")
    return pagmo::algorithm{pagmo::xnes(1, -1, -1, -1, first_step, tolerance, tolerance, true, false, seed)};
  if (name == "pso") return pagmo::algorithm{pagmo::pso_gen(1, 0.7298, 2.05, 2.05, 0.5, 5, 2, 4, true, seed)};
  if (name == "de") return pagmo::algorithm{pagmo::de(1, 0.8, 0.9, 2, tolerance, tolerance, seed)};
  if (name == "sade") return pagmo::algorithm{pagmo::sade(1, 2, 1, tolerance, tolerance, true, seed)};
  if (name == "sga")
    return pagmo::algorithm{
        pagmo::sga(1, 0.9, 10, 0.1, 0.2, 2, "exponential", "gaussian", "tournament", seed)};
  throw std::invalid_argument("unknown optimiser '" + name + "'");
}

// The first population of an island. That of the first one has the start of the box.
pagmo::population first_population(const OptimiserChoice& choice, const SearchBox& box,
                                   const pagmo::problem& problem, int island = 0) {
  pagmo::population all(problem, 0, choice.seed + unsigned(island));
  if (island == 0) all.push_back(box.start);
  while (int(all.size()) < choice.population) all.push_back(all.random_decision_vector());
  return all;
}

// A generation of sga may consist of known candidates.
constexpr int most_idle = 10;

void evolve_population(const OptimiserChoice& choice, const SearchBox& box, const pagmo::problem& problem,
                       KnownObjectives& objectives, const std::function<bool()>& goes_on) {
  objectives.rehearse([&] { first_population(choice, box, problem); });
  pagmo::population all = first_population(choice, box, problem);
  const pagmo::algorithm algorithm = algorithm_of(choice);
  for (int idle = 0; idle < most_idle && goes_on();) {
    const bool asks = objectives.rehearse([&] { pagmo::algorithm(algorithm).evolve(all); });
    idle = asks ? 0 : idle + 1;
    all = algorithm.evolve(all);
  }
}

// Pagmo's archipelago lets islands evolve at once, so that what migrates depends on their speed. Here they
// take turns, and each generation of an island is rehearsed on a copy of the archipelago: the candidates
// depend on the seed alone. Each island sends its best to both neighbours, where it replaces a worse one.
void evolve_islands(const OptimiserChoice& choice, const SearchBox& box, const pagmo::problem& problem,
                    KnownObjectives& objectives, const std::function<bool()>& goes_on) {
  objectives.rehearse([&] {
    for (int n = 0; n < choice.islands; ++n) first_population(choice, box, problem, n);
  });
  pagmo::archipelago all{pagmo::ring{}};
  // Of one neighbour it would draw which.
  all.set_migration_type(pagmo::migration_type::broadcast);
  for (int n = 0; n < choice.islands; ++n) {
    OptimiserChoice own = choice;
    own.seed += unsigned(n);
    all.push_back(pagmo::thread_island{}, algorithm_of(own), first_population(choice, box, problem, n));
  }
  const auto evolve = [](pagmo::archipelago& of, int n) {
    of[std::size_t(n)].evolve(1);
    of[std::size_t(n)].wait_check();
  };
  for (int idle = 0; idle < most_idle && goes_on();) {
    bool asks = false;
    for (int n = 0; n < choice.islands; ++n) {
      asks |= objectives.rehearse([&] {
        pagmo::archipelago copy(all);
        evolve(copy, n);
      });
      evolve(all, n);
    }
    idle = asks ? 0 : idle + 1;
  }
}

}  // namespace
}  // namespace cfdmark

const char* cfdmark_pagmo_version() { return PAGMO_VERSION; }

void cfdmark_pagmo_optimise(const cfdmark::OptimiserChoice& choice, const cfdmark::SearchBox& box,
                            const cfdmark::BatchObjective& evaluate, const std::function<bool()>& goes_on) {
  using namespace cfdmark;
  const auto objectives = std::make_shared<KnownObjectives>(KnownObjectives{evaluate});
  const pagmo::problem problem{SharedObjective{objectives, box.low, box.high}};
  if (choice.islands > 1)
    evolve_islands(choice, box, problem, *objectives, goes_on);
  else
    evolve_population(choice, box, problem, *objectives, goes_on);
}

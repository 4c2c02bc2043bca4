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
#include <pagmo/config.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
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
  pagmo::thread_safety get_thread_safety() const { return pagmo::thread_safety::none; }
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

}  // namespace
}  // namespace cfdmark

const char* cfdmark_pagmo_version() { return PAGMO_VERSION; }

void cfdmark_pagmo_optimise(const cfdmark::OptimiserChoice& choice, const cfdmark::SearchBox& box,
                            const cfdmark::BatchObjective& evaluate, const std::function<bool()>& goes_on) {
  using namespace cfdmark;
  const auto objectives = std::make_shared<KnownObjectives>(KnownObjectives{evaluate});
  const pagmo::problem problem{SharedObjective{objectives, box.low, box.high}};
  const auto first_generation = [&] {
    pagmo::population all(problem, 0, choice.seed);
    all.push_back(box.start);
    while (int(all.size()) < choice.population) all.push_back(all.random_decision_vector());
    return all;
  };
  objectives->rehearse(first_generation);
  pagmo::population all = first_generation();
  const pagmo::algorithm algorithm = algorithm_of(choice);
  // A generation of sga may consist of known candidates.
  constexpr int most_idle = 10;
  for (int idle = 0; idle < most_idle && goes_on();) {
    const bool asks = objectives->rehearse([&] { pagmo::algorithm(algorithm).evolve(all); });
    idle = asks ? 0 : idle + 1;
    all = algorithm.evolve(all);
  }
}

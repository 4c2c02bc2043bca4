// Searches of several seeds: how often and how soon they reach a known optimum.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "bench/shape/run_shape.hpp"
#include "bench/shape/shape_print.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/worker/interruption.hpp"

namespace cfdmark {
namespace {

// Share of the seeds that must find the known optimum.
constexpr double required_share = 0.95;

struct SeedResult {
  double ratio = 1;  // of drags; of misfits if the objective is of a wake
  int evaluations = 0;
  int reached_after = 0;  // evaluations; 0: not reached, or no ratio is known
};

SeedResult result_of(const ShapeStudy& study, const ShapeProgress& progress) {
  const double circle = progress.circle.flow.drag;
  const double ratio = study.objective.is_of_wake()
                           ? progress.winner().objective / std::max(progress.circle.objective, 1e-300)
                           : progress.winner().flow.drag / circle;
  SeedResult found{ratio, int(progress.evaluations.size())};
  if (!study.known) return found;
  for (std::size_t n = 0; n < progress.evaluations.size() && found.reached_after == 0; ++n) {
    const ShapeEvaluation& e = progress.evaluations[n];
    const bool has_flow =
        e.objective < ShapeEngine::without_flow && e.flow.status != EvaluationStatus::stopped;
    if (has_flow && study.known->is_reached(e.flow.drag / circle)) found.reached_after = int(n) + 1;
  }
  return found;
}

void print_row(const ShapeStudy& study, const ShapeProgress& progress, const SeedResult& found) {
  const FlowCost cost = cost_of(progress);
  fmt::print("{:>4}  {:>8.5g}  {:>7.4g}  {:>11}  {:>10.0f}  {:>13}  {:>7.1f}\n", study.optimiser.seed,
             progress.winner().flow.drag, found.ratio, found.evaluations,
             cost.flows > 0 ? cost.iterations / cost.flows : 0,
             found.reached_after > 0 ? std::to_string(found.reached_after) : "-", progress.seconds);
  std::fflush(stdout);
}

int print_summary(const ShapeStudy& study, const std::vector<SeedResult>& all) {
  std::vector<double> ratios;
  for (const SeedResult& one : all) ratios.push_back(one.ratio);
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  fmt::print("ratio to the circle {:.4g} on average, from {:.4g} to {:.4g}\n",
             std::accumulate(ratios.begin(), ratios.end(), 0.0) / double(ratios.size()), *least, *most);
  if (!study.known) return exit_ok;
  const auto reached =
      std::count_if(all.begin(), all.end(), [](const SeedResult& one) { return one.reached_after > 0; });
  fmt::print("{} of {} seeds came within {:g} of the known ratio {:g}\n", reached, all.size(),
             study.known->within, study.known->ratio);
  return double(reached) >= required_share * double(all.size()) ? exit_ok : exit_went_wrong;
}

}  // namespace

int run_seeds(const ShapeRequest& request, ShapeStudy study, const std::string& output) {
  namespace fs = std::filesystem;
  const auto evaluator = evaluator_of(study.flow);
  const Interruption interruption;
  const unsigned first = study.optimiser.seed;
  std::vector<SeedResult> all;
  fmt::print("{:>4}  {:>8}  {:>7}  {:>11}  {:>10}  {:>13}  {:>7}\n", "seed", "drag", "ratio", "evaluations",
             "iterations", "reached after", "seconds");
  for (unsigned n = 0; n < unsigned(request.seeds); ++n) {
    study.optimiser.seed = first + n;
    const std::string path = (fs::path(output).parent_path() /
                              fmt::format("{}-seed{}{}", fs::path(output).stem().string(),
                                          study.optimiser.seed, fs::path(output).extension().string()))
                                 .string();
    EvaluationFile file(path, request.file, study.facts(), request.restarts);
    ShapeEngine engine(study, file, *evaluator);
    engine.is_interrupted = [&] { return interruption.requested(); };
    ShapeProgress progress;
    try {
      search_shape(study, engine, progress, [&](const ShapeProgress&) { return !interruption.requested(); });
    } catch (const ShapeInterrupted&) {
    }
    file.sync();
    if (interruption.requested()) {
      fmt::print("\ninterrupted: the same command continues\n");
      return exit_interrupted;
    }
    all.push_back(result_of(study, progress));
    print_row(study, progress, all.back());
  }
  return print_summary(study, all);
}

}  // namespace cfdmark

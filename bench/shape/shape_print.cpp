#include "bench/shape/shape_print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "bench/solve/print.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/terminal.hpp"

namespace cfdmark {

namespace {

std::string optimiser_text(const OptimiserChoice& optimiser) {
  if (optimiser.is_map()) return fmt::format("a map with {} points a parameter", optimiser.population);
  const std::string pagmo = optimiser_version();
  return fmt::format("{} ({}), {} a generation, seed {}", optimiser.name,
                     pagmo.empty() ? "which this build lacks: it has no pagmo" : "pagmo " + pagmo,
                     optimiser.population, optimiser.seed);
}

}  // namespace

void print_study(const ShapeStudy& study, const std::string& output) {
  const TunnelFlow& flow = study.flow;
  std::string searched;
  for (const SearchedParameter& p : study.searched)
    searched += fmt::format("{}{} in [{:g}, {:g}]", searched.empty() ? "" : ", ",
                            study.shape->parameters[p.index].name, p.low, p.high);
  fmt::print("{}\n", printable(study.question));
  fmt::print("{} at Re {:g}, area {:.5g}, on {} by {}{}\n", study.shape->name, flow.problem.real("reynolds"),
             study.area, grid_text(flow.grid), row_name(*flow.row, flow.device),
             flow.slots > 0     ? fmt::format(", in a stack of {} flows", flow.slots)
             : flow.workers > 1 ? fmt::format(", {} flows at a time", flow.workers)
                                : "");
  fmt::print("parameters: {}\n", searched);
  if (study.objective.is_of_wake()) {
    std::string hidden;
    for (const SearchedParameter& p : study.searched)
      hidden +=
          fmt::format(" {}={:g}", study.shape->parameters[p.index].name, study.objective.hidden[p.index]);
    fmt::print("misfit of the wake from that of{}\n", hidden);
  }
  fmt::print("least {} by {}, up to {} evaluations{}\n", study.objective.name,
             optimiser_text(study.optimiser), study.most_evaluations,
             study.most_seconds > 0 ? " or " + seconds_text(study.most_seconds) : "");
  fmt::print("evaluations: {}\n", printable(output));
  std::fflush(stdout);
}

ShapeLines::ShapeLines(const ShapeStudy& study) : study_(study), is_live_(can_redraw(stderr)) {}

void ShapeLines::solved(const ShapeEvaluation& e) {
  ++solved_;
  if (!is_live_) return;
  fmt::print(stderr, "\r\x1b[K  {} flows solved, the last: drag {:.5g} in {}", solved_, e.flow.drag,
             seconds_text(e.flow.seconds));
  std::fflush(stderr);
}

void ShapeLines::generation(const ShapeProgress& progress, int solved, int reused) {
  if (is_live_) fmt::print(stderr, "\r\x1b[K");
  const ShapeEvaluation& best = progress.winner();
  const int done = int(progress.evaluations.size());
  const double rate = progress.seconds > 0 ? solved / progress.seconds : 0;
  std::string end;
  if (rate > 0) {
    end = fmt::format(", {:.3g}/s", rate);
    if (progress.joules > 0 && solved > 0) end += fmt::format(", {:.3g} J each", progress.joules / solved);
    if (done < study_.most_evaluations)
      end += fmt::format(", up to {} left", clock_text((study_.most_evaluations - done) / rate));
  }
  fmt::print("generation {:3}  {}  {} evaluations{}{}\n", progress.generation, best_text(progress, best),
             done, reused > 0 ? fmt::format(" ({} from the file)", reused) : "", end);
  std::fflush(stdout);
}

std::string ShapeLines::best_text(const ShapeProgress& progress, const ShapeEvaluation& best) const {
  if (!best.violated.empty()) return "no feasible candidate yet";
  const FlowAround& circle = progress.circle.flow;
  std::string text = fmt::format("drag {:.5g} (circle {:.5g}, ratio {:.4f})", best.flow.drag, circle.drag,
                                 best.flow.drag / circle.drag);
  if (study_.objective.name != "drag")
    text += fmt::format(", lift {:.5g}, {} {:.5g}", best.flow.lift, study_.objective.name, best.objective);
  return text;
}

void print_statuses(const ShapeProgress& progress) {
  std::map<std::string, int> by_status, by_constraint;
  for (const ShapeEvaluation& e : progress.evaluations) {
    ++by_status[to_string(e.flow.status)];
    for (const Violation& v : e.violated) ++by_constraint[v.constraint];
  }
  std::string text, why;
  for (const auto& [status, count] : by_status)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  for (const auto& [constraint, count] : by_constraint)
    why += fmt::format("{}{} {}", why.empty() ? "" : ", ", constraint, count);
  fmt::print("\n{} evaluations in {} generations: {}{}\n", progress.evaluations.size(), progress.best.size(),
             text, why.empty() ? "" : fmt::format(" (violated: {})", why));
  const FlowCost cost = cost_of(progress);
  double saved = 0;
  int stopped = 0, audited = 0, wrong = 0, nearest = 0, coarse = 0;
  for (const ShapeEvaluation& e : progress.evaluations) {
    nearest += e.flow.start == "nearest", coarse += e.flow.start == "coarse";
    if (!e.stop) continue;
    stopped += !e.stop->is_audited, audited += e.stop->is_audited, wrong += e.stop->is_wrong(e.objective);
    if (e.stop->is_audited) saved += e.flow.iterations - e.stop->iteration;
  }
  fmt::print("{:.0f} iterations a flow", cost.flows > 0 ? cost.iterations / cost.flows : 0);
  if (nearest + coarse > 0)
    fmt::print("; started {} from {}", nearest + coarse, nearest > 0 ? "the nearest flow" : "coarser grids");
  if (stopped + audited > 0)
    fmt::print("; {} stopped early, {} more audited: {} wrong{}", stopped, audited, wrong,
               audited > 0 ? fmt::format(", {:.0f} iterations saved by a stop", saved / audited) : "");
  fmt::print("\n");
}

FlowCost cost_of(const ShapeProgress& progress) {
  FlowCost cost;
  for (const ShapeEvaluation& e : progress.evaluations) {
    if (e.flow.iterations == 0) continue;
    ++cost.flows, cost.seconds += e.flow.seconds;
    cost.iterations += e.flow.iterations + e.flow.start_iterations;
  }
  return cost;
}

double FlowCost::each(const TunnelFlow& flow) const {
  const std::size_t at_once = flow.devices.size() > 1 ? flow.devices.size() : std::size_t(flow.workers);
  return flows > 0 ? seconds / flows / double(at_once) : 0;
}

std::string rate_text(const ShapeStudy& study, const ShapeProgress& progress) {
  const double each = cost_of(progress).each(study.flow);
  std::string text = each > 0 ? fmt::format("{:.4g} flows an hour, {} each", 3600 / each, seconds_text(each))
                              : std::string("no flow was solved");
  if (progress.joules > 0 && progress.solved > 0)
    text += fmt::format(", {:.3g} J each", progress.joules / progress.solved);
  return text;
}

std::string verdict(const NoiseFloor& floor, const std::optional<FinerResult>& finer) {
  if (floor.places == 0) return "not confirmed: no pair of flows converged";
  const double gain = floor.gain.mean, noise = floor.gain.half_range;
  if (std::abs(gain) <= noise) return "within the noise: no gain is claimed";
  if (!finer) return "above the noise on this grid; no finer grid was solved";
  if (!finer->converged()) return "not confirmed: the flows on the finer grid did not converge";
  const double gain_there = finer->circle.objective - finer->winner.objective;
  const bool is_same = gain_there * gain > 0 && std::abs(gain_there) > noise;
  return is_same ? "confirmed on the finer grid" : "not confirmed on the finer grid";
}

}  // namespace cfdmark

#include "bench/shape/run_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "bench/shape/shape_search.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/terminal.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {
namespace {

std::string parameters_text(const ShapeStudy& study, const ShapeEvaluation& e) {
  std::string text;
  for (const SearchedParameter& p : study.searched)
    text += fmt::format("{}{}={:.5g}", text.empty() ? "" : " ", e.parameters[p.index].first,
                        e.parameters[p.index].second);
  return text;
}

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
  const std::string pagmo = optimiser_version();
  fmt::print("least {} by {} ({}), {} a generation, seed {}, up to {} evaluations{}\n", study.objective.name,
             study.optimiser.name,
             pagmo.empty() ? "which this build lacks: it has no pagmo" : "pagmo " + pagmo,
             study.optimiser.population, study.optimiser.seed, study.most_evaluations,
             study.most_seconds > 0 ? " or " + seconds_text(study.most_seconds) : "");
  fmt::print("evaluations: {}\n", printable(output));
  std::fflush(stdout);
}

// Prints a line a generation, and on a terminal what is being evaluated.
class ShapeLines {
 public:
  explicit ShapeLines(const ShapeStudy& study) : study_(study), is_live_(can_redraw(stderr)) {}

  void solved(const ShapeEvaluation& e) {
    ++solved_;
    if (!is_live_) return;
    fmt::print(stderr, "\r\x1b[K  {} flows solved, the last: drag {:.5g} in {}", solved_, e.flow.drag,
               seconds_text(e.flow.seconds));
    std::fflush(stderr);
  }
  void generation(const ShapeProgress& progress, int solved, int reused) {
    if (is_live_) fmt::print(stderr, "\r\x1b[K");
    const ShapeEvaluation& best = progress.winner();
    const int done = int(progress.evaluations.size());
    const double rate = progress.seconds > 0 ? solved / progress.seconds : 0;
    std::string end;
    if (rate > 0) {
      end = fmt::format(", {:.3g}/s", rate);
      if (done < study_.most_evaluations)
        end += fmt::format(", up to {} left", clock_text((study_.most_evaluations - done) / rate));
    }
    fmt::print("generation {:3}  {}  {} evaluations{}{}\n", progress.generation, best_text(progress, best),
               done, reused > 0 ? fmt::format(" ({} from the file)", reused) : "", end);
    std::fflush(stdout);
  }

 private:
  std::string best_text(const ShapeProgress& progress, const ShapeEvaluation& best) const {
    if (!best.violated.empty()) return "no feasible candidate yet";
    const FlowAround& circle = progress.circle.flow;
    std::string text = fmt::format("drag {:.5g} (circle {:.5g}, ratio {:.4f})", best.flow.drag, circle.drag,
                                   best.flow.drag / circle.drag);
    if (study_.objective.name != "drag")
      text += fmt::format(", lift {:.5g}, {} {:.5g}", best.flow.lift, study_.objective.name, best.objective);
    return text;
  }

  const ShapeStudy& study_;
  bool is_live_;
  int solved_ = 0;
};

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
}

std::string solve_command(const ShapeStudy& study, const ShapeEvaluation& e) {
  std::string outline = e.shape;
  for (const auto& [name, value] : e.parameters) outline += fmt::format(" {}={:.17g}", name, value);
  const Row& row = *study.flow.row;
  std::string text = fmt::format(
      "cfdmark solve --outline \"{}\" --grid {} --area {:.17g} --reynolds {:g} --surface {} --tolerance {:g} "
      "--backend {} --precision {}",
      outline, grid_text(study.flow.grid), study.area, study.flow.problem.real("reynolds"),
      study.flow.problem.choice("surface"), study.flow.tolerance, to_string(row.backend),
      to_string(row.precision));
  const Config changed = study.flow.config.differing_from(row.space.defaults());
  for (const auto& [name, value] : changed.values())
    text += fmt::format(" --set {}={}", name, to_string(value));
  return text;
}

// Compares the gain over the circle with the noise floor, and with the gain on the finer grid.
std::string verdict(const ShapeStudy& study, const NoiseFloor& floor,
                    const std::optional<FinerResult>& finer) {
  if (floor.places == 0) return "not confirmed: no pair of flows converged";
  const double gain = floor.gain.mean, noise = floor.gain.half_range;
  if (std::abs(gain) <= noise) return "within the noise: no gain is claimed";
  if (!finer) return "above the noise on this grid; no finer grid was solved";
  if (!finer->converged()) return "not confirmed: the flows on the finer grid did not converge";
  const double gain_there = study.objective.of(finer->circle.flow) - study.objective.of(finer->winner.flow);
  const bool is_same = gain_there * gain > 0 && std::abs(gain_there) > noise;
  return is_same ? "confirmed on the finer grid" : "not confirmed on the finer grid";
}

int print_result(const ShapeStudy& study, ShapeEngine& engine, const ShapeProgress& progress) {
  print_statuses(progress);
  const ShapeEvaluation& best = progress.winner();
  if (!best.violated.empty() || best.flow.iterations == 0 || best.flow.status == EvaluationStatus::diverged) {
    fmt::print("no feasible outline was found: widen the constraints or the ranges of the parameters\n");
    return exit_went_wrong;
  }
  const Outline outline = engine.outline(best);
  const PlanePoint low = outline.low(), high = outline.high();
  const double d = study.flow.reference;
  fmt::print("best {}: {}\n  length {:.4g} D, height {:.4g} D, area {:.7g}\n", study.shape->name,
             parameters_text(study, best), (high.x - low.x) / d, (high.y - low.y) / d, outline.area());
  fmt::print("  drag {:.5g}, lift {:.5g}; circle of this area: drag {:.5g}\n", best.flow.drag, best.flow.lift,
             progress.circle.flow.drag);
  const NoiseFloor floor = noise_floor(study, engine, progress);
  fmt::print("  ratio to the circle {:.4f} +- {:.4f}: gain {:.2f} %, noise {:.2f} % ({} places in a cell)\n",
             floor.ratio.mean, floor.ratio.half_range, 100 * (1 - floor.ratio.mean),
             100 * floor.ratio.half_range, floor.places);
  if (study.objective.name != "drag")
    fmt::print("  {}: better than the circle by {:.4g} +- {:.2g}\n", study.objective.name, floor.gain.mean,
               floor.gain.half_range);
  std::optional<FinerResult> finer;
  if (study.finer) {
    finer = solve_finer(study, engine, progress);
    fmt::print("  on {} in fp64, tolerance {:g}: drag {:.5g}, circle {:.5g}, ratio {:.4f}\n",
               grid_text(*study.finer), 0.01 * study.flow.tolerance, finer->winner.flow.drag,
               finer->circle.flow.drag, finer->winner.flow.drag / finer->circle.flow.drag);
  }
  const std::string said = verdict(study, floor, finer);
  fmt::print("  {}\n", said);
  fmt::print("again: {}\n", solve_command(study, best));
  return exit_ok;
}

Json corners_of(const Outline& outline) {
  constexpr std::size_t most = 256;
  const std::size_t step = std::max<std::size_t>(1, outline.corners.size() / most);
  Json corners = Json::array();
  for (std::size_t n = 0; n < outline.corners.size(); n += step)
    corners.push_back({outline.corners[n].x, outline.corners[n].y});
  return corners;
}

int plot(const ShapeStudy& study, const ShapeEngine& engine, const ShapeProgress& progress,
         const std::string& prefix) {
  Json evaluations = Json::array(), best = Json::array(), outlines = Json::array();
  for (const ShapeEvaluation& e : progress.evaluations)
    evaluations.push_back(
        {{"objective", e.objective}, {"status", to_string(e.flow.status)}, {"generation", e.generation}});
  const std::size_t shown = 8, count = progress.best.size();
  for (std::size_t g = 0; g < count; ++g) {
    const ShapeEvaluation& e = progress.evaluations[progress.best[g]];
    best.push_back(e.objective);
    // Evenly spread generations, the first and the last among them.
    const bool is_shown =
        g == 0 || g == count - 1 || g * (shown - 1) / (count - 1) != (g - 1) * (shown - 1) / (count - 1);
    if (is_shown && e.violated.empty())
      outlines.push_back({{"generation", g},
                          {"drag", e.flow.drag},
                          {"lift", e.flow.lift},
                          {"corners", corners_of(engine.outline(e))}});
  }
  return draw("plot-shape", prefix,
              Json{{"title", study.question},
                   {"objective", study.objective.name},
                   {"circle", study.objective.of(progress.circle.flow)},
                   {"circle_corners", corners_of(engine.outline(progress.circle))},
                   {"evaluations", evaluations},
                   {"best", best},
                   {"outlines", outlines}});
}

ShapeStudy study_of(const ShapeRequest& request) {
  ShapeStudy study = read_shape_study(sweep_path(request.file));
  if (request.evaluations) study.most_evaluations = *request.evaluations;
  if (request.seconds) study.most_seconds = *request.seconds;
  if (request.seed) study.optimiser.seed = unsigned(*request.seed);
  return study;
}

}  // namespace

int run_shape(const ShapeRequest& request) {
  const ShapeStudy study = study_of(request);
  const std::string output =
      !request.output.empty()
          ? request.output
          : fmt::format("out/{}.jsonl", std::filesystem::path(request.file).stem().string());
  print_study(study, output);
  if (request.dry_run) return exit_ok;
  if (optimiser_version().empty()) optimise({}, {}, {}, {});    // throws with the package to install
  if (!request.plot.empty()) script_command("plot-shape", {});  // throws without a Python that can draw

  EvaluationFile file(output, request.file, study.facts(), request.restarts);
  for (const std::string& warning : file.warnings()) fmt::print(stderr, "cfdmark: {}\n", warning);
  if (!file.moved_to().empty()) fmt::print("earlier evaluations: {}\n", printable(file.moved_to()));
  if (file.found() > 0) fmt::print("continues with {} evaluations of the file\n", file.found());

  const auto evaluator = evaluator_of(study.flow);
  ShapeEngine engine(study, file, *evaluator);
  ShapeLines lines(study);
  const Interruption interruption;
  engine.on_solved = [&](const ShapeEvaluation& e) { lines.solved(e); };
  engine.is_interrupted = [&] { return interruption.requested(); };
  ShapeProgress progress;
  int status = exit_ok;
  try {
    search_shape(study, engine, progress, [&](const ShapeProgress& so_far) {
      file.sync();
      lines.generation(so_far, engine.solved(), engine.reused());
      return !interruption.requested();
    });
    status = print_result(study, engine, progress);
    file.sync();
  } catch (const ShapeInterrupted&) {
    fmt::print("\ninterrupted: the same command continues\n");
    return exit_interrupted;
  }
  if (!request.plot.empty()) {
    const int drawn = plot(study, engine, progress, request.plot);
    if (drawn != exit_ok) return exit_cannot_write;
  }
  return interruption.requested() ? exit_interrupted : status;
}

}  // namespace cfdmark

#include "bench/shape/run_shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "bench/device_facts/energy_meter.hpp"
#include "bench/shape/best_surface.hpp"
#include "bench/shape/shape_plot.hpp"
#include "bench/shape/shape_print.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
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

std::string solve_command(const ShapeStudy& study, const ShapeEvaluation& e) {
  std::string outline = e.shape;
  for (const auto& [name, value] : e.parameters) outline += fmt::format(" {}={:.17g}", name, value);
  const Row& row = *study.flow.row;
  std::string text = fmt::format(
      "cfdmark solve {}--outline \"{}\" --grid {} --area {:.17g} --reynolds {:g} --surface {} --tolerance "
      "{:g} "
      "--backend {} --precision {}",
      study.flow.name == "tunnel" ? "" : "--problem " + study.flow.name + " ", outline,
      grid_text(study.flow.grid), study.area, study.flow.problem.real("reynolds"),
      study.flow.problem.choice("surface"), study.flow.tolerance, to_string(row.backend),
      to_string(row.precision));
  const Config changed = study.flow.config.differing_from(row.space.defaults());
  for (const auto& [name, value] : changed.values())
    text += fmt::format(" --set {}={}", name, to_string(value));
  return text;
}

// How close the best body is to the hidden one.
void print_hidden(const ShapeStudy& study, const ShapeProgress& progress) {
  const ShapeEvaluation &best = progress.winner(), &circle = progress.circle;
  fmt::print(
      "  misfit of the wake {:.3g}, of the circle's {:.3g}{}\n", best.objective, circle.objective,
      circle.objective > 0 ? fmt::format(": a share of {:.2g}", best.objective / circle.objective) : "");
  fmt::print("  {:<12}  {:>10}  {:>10}  difference\n", "parameter", "hidden", "found");
  for (const SearchedParameter& p : study.searched) {
    const auto& [name, found] = best.parameters[p.index];
    const double hidden = study.objective.hidden[p.index];
    fmt::print("  {:<12}  {:>10.5g}  {:>10.5g}  {:.2g} % of {}\n", name, hidden, found,
               100 * std::abs(found - hidden) / (hidden != 0 ? std::abs(hidden) : p.high - p.low),
               hidden != 0 ? "the hidden value" : "its range");
  }
}

struct ShapeResult {
  int status = exit_ok;
  std::optional<NoiseFloor> floor = {};
  std::optional<BestSurface> surface = {};
};

ShapeResult print_result(const ShapeStudy& study, ShapeEngine& engine, const ShapeProgress& progress,
                         OutlineEvaluator& evaluator) {
  print_statuses(progress);
  fmt::print("{}\n", rate_text(study, progress));
  const ShapeEvaluation& best = progress.winner();
  if (best.flow.iterations > 0 && study.objective.is_of_flow() &&
      best.objective >= ShapeEngine::without_flow) {
    fmt::print("no flow converged, so that none has a {}: raise max_iterations or the tolerance\n",
               study.objective.name);
    return {exit_went_wrong};
  }
  if (!best.violated.empty() || best.flow.iterations == 0 || best.flow.status == EvaluationStatus::diverged) {
    fmt::print("no feasible outline was found: widen the constraints or the ranges of the parameters\n");
    return {exit_went_wrong};
  }
  const Outline outline = engine.outline(best);
  const PlanePoint low = outline.low(), high = outline.high();
  const double d = study.flow.reference;
  fmt::print("best {}: {}\n  length {:.4g} D, height {:.4g} D, area {:.7g}\n", study.shape->name,
             parameters_text(study, best), (high.x - low.x) / d, (high.y - low.y) / d, outline.area());
  fmt::print("  drag {:.5g}, lift {:.5g}; circle of this area: drag {:.5g}\n", best.flow.drag, best.flow.lift,
             progress.circle.flow.drag);
  if (study.objective.is_of_wake()) {
    print_hidden(study, progress);
    fmt::print("again: {}\n", solve_command(study, best));
    return {};
  }
  const NoiseFloor floor = noise_floor(study, engine, progress);
  fmt::print("  ratio to the circle {:.4f} +- {:.4f}: gain {:.2f} %, noise {:.2f} % ({} places in a cell)\n",
             floor.ratio.mean, floor.ratio.half_range, 100 * (1 - floor.ratio.mean),
             100 * floor.ratio.half_range, floor.places);
  if (study.objective.name != "drag")
    fmt::print("  {}: better than the circle by {:.4g} +- {:.2g}\n", study.objective.name, floor.gain.mean,
               floor.gain.half_range);
  const BestSurface surface = best_surface(study, engine, progress, evaluator);
  fmt::print("  {}\n", surface_text(study, surface));
  std::optional<FinerResult> finer;
  if (study.finer) {
    finer = solve_finer(study, engine, progress);
    fmt::print("  on {} in fp64, tolerance {:g}: drag {:.5g}, circle {:.5g}, ratio {:.4f}\n",
               grid_text(*study.finer), 0.01 * study.flow.tolerance, finer->winner.flow.drag,
               finer->circle.flow.drag, finer->winner.flow.drag / finer->circle.flow.drag);
  }
  fmt::print("  {}\n", verdict(floor, finer));
  if (study.known)
    fmt::print("  the known ratio {:g} is {} within {:g}\n", study.known->ratio,
               study.known->is_reached(floor.ratio.mean) ? "reached" : "not reached", study.known->within);
  fmt::print("again: {}\n", solve_command(study, best));
  return {exit_ok, floor, surface};
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
  if (request.seeds > 1 && study.optimiser.is_map())
    throw std::invalid_argument("a map has no seed: omit --seeds");
  print_study(study, output);
  if (request.dry_run) return exit_ok;
  require_optimiser(study.optimiser);
  if (!request.plot.empty()) script_command("plot-shape", {});  // throws without a Python that can draw

  if (request.seeds > 1) return run_seeds(request, study, output);

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
  ShapeResult result;
  const EnergyMeter meter = energy_meter(backend({study.flow.row->backend, study.flow.device}));
  try {
    search_shape(
        study, engine, progress,
        [&](const ShapeProgress& so_far) {
          file.sync();
          lines.generation(so_far, engine.solved(), engine.reused());
          return !interruption.requested();
        },
        study.flow.devices.size() > 1 ? nullptr : meter.joules);
    result = print_result(study, engine, progress, *evaluator);
    file.sync();
  } catch (const ShapeInterrupted&) {
    fmt::print("\ninterrupted: the same command continues\n");
    return exit_interrupted;
  }
  if (!request.plot.empty()) {
    const int drawn = plot_shape(study, engine, progress, result.floor, result.surface, request.plot);
    if (drawn != exit_ok) return exit_cannot_write;
  }
  return interruption.requested() ? exit_interrupted : result.status;
}

}  // namespace cfdmark

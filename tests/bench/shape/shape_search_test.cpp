// Searches with objectives whose optimum is known, and single flows.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "tests/bench/shape/search_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

double perimeter(const Outline& outline) { return outline.perimeter(); }

}  // namespace

TEST_CASE("the body of least perimeter at a given area is a circle", "[shape][search]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const ShapeStudy study = files.study(
      R"(outline:
  name: fourier
  parameters: {a2: [-0.1, 0.6], a3: [-0.3, 0.3], a4: [-0.3, 0.2], s2: [-0.2, 0.3]}
grid: 512x256
optimiser: {name: cmaes, population: 12, seed: 1}
until: {evaluations: 1200}
)");
  ScriptedDrag evaluator(perimeter);
  const ShapeProgress progress = searched(study, files.records, evaluator);
  CHECK(progress.winner().flow.drag / progress.circle.flow.drag == Approx(1).epsilon(1e-6));
  CHECK(progress.evaluations.size() <= 1200);
  // Pi D of the fixed area.
  CHECK(progress.circle.flow.drag == Approx(std::numbers::pi / 8).epsilon(1e-5));
}

TEST_CASE("a search that is continued proposes the same candidates and solves none again",
          "[shape][search]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const std::string text =
      "outline: superellipse\ngrid: 256x128\noptimiser: {name: cmaes, population: 6}\nuntil: {evaluations: ";
  ScriptedDrag whole(perimeter), first(perimeter), rest(perimeter);
  const ShapeProgress at_once = searched(files.study(text + "60}"), files.folder / "whole.jsonl", whole);
  searched(files.study(text + "24}"), files.records, first);
  const ShapeProgress continued = searched(files.study(text + "60}"), files.records, rest);
  CHECK(first.solved + rest.solved == whole.solved);
  CHECK(rest.solved < whole.solved);
  REQUIRE(continued.evaluations.size() == at_once.evaluations.size());
  for (std::size_t n = 0; n < at_once.evaluations.size(); ++n)
    CHECK(to_json(continued.evaluations[n]) == to_json(at_once.evaluations[n]));
}

TEST_CASE("a search that ends at the known ratio ends with the generation that reaches it",
          "[shape][search]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const std::string text =
      "outline: superellipse\ngrid: 256x128\noptimiser: {name: cmaes, population: 6}\n"
      "known: {ratio: 1, within: 0.01}\nuntil: {evaluations: 300, known: ";
  ScriptedDrag whole(perimeter), ended(perimeter);
  const ShapeProgress all = searched(files.study(text + "no}"), files.folder / "all.jsonl", whole);
  const ShapeProgress until = searched(files.study(text + "yes}"), files.records, ended);
  const std::size_t end = until.evaluations.size();
  REQUIRE(end < all.evaluations.size());
  const auto reached = [&](const ShapeEvaluation& e) { return e.objective <= 1.01 * until.circle.flow.drag; };
  CHECK(std::none_of(all.evaluations.begin(), all.evaluations.begin() + long(end) - 6, reached));
  CHECK(std::any_of(all.evaluations.begin() + long(end) - 6, all.evaluations.begin() + long(end), reached));
}

TEST_CASE("an interrupted search has recorded all that was solved", "[shape][search]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const ShapeStudy study =
      files.study("outline: superellipse\ngrid: 256x128\noptimiser: {name: cmaes, population: 6}\n");
  ScriptedDrag evaluator(perimeter);
  {
    EvaluationFile file(files.records, study.file, study.facts(), false);
    ShapeEngine engine(study, file, evaluator);
    engine.is_interrupted = [&] { return evaluator.solved == 9; };
    ShapeProgress progress;
    CHECK_THROWS_AS(search_shape(study, engine, progress, [](const ShapeProgress&) { return true; }),
                    ShapeInterrupted);
  }
  int solved = 0;
  std::ifstream in(files.records);
  for (std::string line; std::getline(in, line);)
    solved += line.find("\"iterations\":1") != std::string::npos;
  CHECK(solved == 9);
}

TEST_CASE("an infeasible candidate is recorded with its violation, is not solved, and is worse than any flow",
          "[shape][search]") {
  const StudyFile files;
  const ShapeStudy study = files.study("outline: superellipse\ngrid: 128x64\n");
  ScriptedDrag evaluator(perimeter);
  EvaluationFile file(files.records, study.file, study.facts(), false);
  ShapeEngine engine(study, file, evaluator);
  // Aspect 5: 0.125 / sqrt(5) = 0.0559 high, 3.58 cells of 1/64. Aspect 20: thinner than two cells where it
  // is thickest, 0.0280, so at 10 % of its length, too. Aspect 0: no outline.
  std::vector<ShapeEvaluation> all;
  for (const double ln_aspect : {std::log(5.0), std::log(20.0), 800.0, 0.0})
    all.push_back(engine.candidate({ln_aspect, std::numbers::ln2}, 0));
  engine.evaluate(all);
  CHECK(evaluator.solved == 1);
  const auto names = [](const ShapeEvaluation& e) {
    std::string text;
    for (const Violation& v : e.violated) text += v.constraint + " ";
    return text;
  };
  CHECK(names(all[0]) == "cells ");
  CHECK(all[0].violated[0].by == Approx(4.0 / 64 - 0.125 / std::sqrt(5.0)).epsilon(1e-4));
  CHECK(all[0].objective == Approx(1e6 + all[0].violated[0].by).epsilon(1e-12));
  CHECK(names(all[1]).find("thickness") != std::string::npos);
  CHECK(names(all[2]) == "outline ");
  CHECK(all[3].flow.status == EvaluationStatus::ok);
  for (int n = 0; n < 3; ++n) {
    CHECK(all[std::size_t(n)].flow.status == EvaluationStatus::infeasible);
    CHECK(file.find(all[std::size_t(n)].key()));
  }
}

TEST_CASE(
    "parameters of any size give a status and a finite objective, and solved bodies keep every constraint",
    "[shape][search]") {
  const StudyFile files;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const Parametrisation& shape : parametrisation_table()) {
    INFO(shape.name);
    const ShapeStudy study = files.study("grid: 256x128\noutline: " + shape.name + "\n");
    ScriptedDrag evaluator([&](const Outline& o) {
      CHECK(o.area() == Approx(study.area).epsilon(1e-6));
      CHECK(violations(o, study.constraints).empty());
      CHECK(o.high().y - o.low().y >= 4.0 / 128);
      return 1.0;
    });
    EvaluationFile file(files.records, study.file, study.facts(), true);
    ShapeEngine engine(study, file, evaluator);
    std::vector<ShapeEvaluation> all;
    for (const double size : {0.1, 0.5, 3.0, 100.0, 1e308})
      for (int n = 0; n < 60; ++n) {
        std::vector<double> values;
        for (const SearchedParameter& p : study.searched)
          values.push_back(std::clamp(study.start[p.index] + size * normal(random), -1.7e308, 1.7e308));
        all.push_back(engine.candidate(values, 0));
      }
    engine.evaluate(all);
    CHECK(evaluator.solved > 0);
    for (const ShapeEvaluation& e : all) {
      CHECK(std::isfinite(e.objective));
      CHECK((e.flow.status == EvaluationStatus::ok) == e.violated.empty());
      CHECK(file.find(e.key()));
    }
  }
}

TEST_CASE("a candidate equal to the circle is held to the constraints, the circle is not",
          "[shape][search]") {
  const StudyFile files;
  const ShapeStudy study =
      files.study("outline: superellipse\ngrid: 128x64\nconstraints: {bounds: [0.2, 0.2, 0.3, 0.8]}\n");
  ScriptedDrag evaluator(perimeter);
  for (const bool is_again : {false, true}) {
    EvaluationFile file(files.records, study.file, study.facts(), false);
    CHECK(file.found() == (is_again ? 2 : 0));
    ShapeEngine engine(study, file, evaluator);
    std::vector<ShapeEvaluation> all = {engine.circle(), engine.candidate({0, std::numbers::ln2}, 0)};
    engine.evaluate(all);
    CHECK(all[0].flow.status == EvaluationStatus::ok);
    CHECK(all[1].flow.status == EvaluationStatus::infeasible);
    CHECK(all[1].violated.at(0).constraint == "bounds");
  }
  CHECK(evaluator.solved == 1);
}

TEST_CASE("the noise floor is half the range of the ratio to the circle over places in a cell",
          "[shape][search]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const ShapeStudy study = files.study(
      "outline: {name: superellipse, parameters: {ln_aspect: [0.5, 1]}}\ngrid: 128x64\noptimiser: {name: "
      "cmaes, population: 5}\nuntil: {evaluations: 5}\n");
  // The body's drag is 2 to 2 (1 + 7/8) by its place along the cell, the circle's always 4.
  ScriptedDrag evaluator([](const Outline& o) {
    const double shift = (o.centroid().x - 1) * 128 / 4;
    return o.high().x - o.low().x > 0.13 ? 2 * (1 + shift) : 4;
  });
  EvaluationFile file(files.records, study.file, study.facts(), false);
  ShapeEngine engine(study, file, evaluator);
  ShapeProgress progress;
  search_shape(study, engine, progress, [](const ShapeProgress&) { return true; });
  const NoiseFloor floor = noise_floor(study, engine, progress);
  CHECK(floor.places == 8);
  CHECK(floor.ratio.half_range == Approx(7.0 / 8 / 2 / 2).epsilon(1e-6));
  CHECK(floor.ratio.mean == Approx(0.5 * (1 + 3.5 / 8)).epsilon(1e-6));
  CHECK(floor.gain.half_range == Approx(7.0 / 8).epsilon(1e-6));
  CHECK(floor.gain.mean == Approx(4 - 2 * (1 + 3.5 / 8)).epsilon(1e-6));
}

TEST_CASE("a flow's bits depend neither on the number of workers nor on the other flows", "[shape][flow]") {
  const StudyFile files;
  const ShapeStudy study =
      files.study("outline: superellipse\ngrid: 128x48\nsettings: {max_iterations: 60}\nworkers: 3\n");
  std::vector<Outline> bodies;
  for (const double ln_aspect : {0.0, 0.2, -0.1, 0.3, 0.1})
    bodies.push_back(moved(study.shape->outline({ln_aspect, std::numbers::ln2, 0}, study.area), {1, 0.5}));
  const auto drags = [&](const std::vector<Outline>& outlines, int workers) {
    TunnelFlow flow = study.flow;
    flow.workers = workers;
    std::vector<double> found(outlines.size());
    evaluator_of(flow)->evaluate(outlines, [&](std::size_t n, const FlowAround& f) { found[n] = f.drag; });
    return found;
  };
  const std::vector<double> three = drags(bodies, 3), one = drags(bodies, 1);
  CHECK(three == one);
  CHECK(drags({bodies[3]}, 1).front() == one[3]);
  CHECK(one[0] != one[3]);
}

TEST_CASE("a stack gives the results of single flows", "[shape][flow]") {
  const StudyFile files;
  const ShapeStudy study =
      files.study("outline: superellipse\ngrid: 128x48\nsettings: {tolerance: 1e-2}\nworkers: 1\n");
  std::vector<Outline> bodies;
  for (const double ln_aspect : {0.0, 0.2, -0.1, 0.3, 0.1})
    bodies.push_back(moved(study.shape->outline({ln_aspect, std::numbers::ln2, 0}, study.area), {1, 0.5}));
  bodies.push_back(moved(bodies[0], {7, 0}));
  const auto results = [&](int slots) {
    TunnelFlow flow = study.flow;
    flow.slots = slots;
    std::vector<FlowAround> found(bodies.size());
    evaluator_of(flow)->evaluate(bodies, [&](std::size_t n, const FlowAround& f) { found[n] = f; });
    return found;
  };
  const std::vector<FlowAround> single = results(0), stack = results(2);
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    CHECK(stack[n].status == single[n].status);
    CHECK(stack[n].iterations == single[n].iterations);
    CHECK(stack[n].drag == Approx(single[n].drag).epsilon(1e-6));
    CHECK(stack[n].lift == Approx(single[n].lift).margin(1e-6));
  }
  CHECK(single[0].status == EvaluationStatus::ok);
  CHECK(stack[5].status == EvaluationStatus::failed);
  CHECK_THAT(stack[5].reason, ContainsSubstring("outside the tunnel"));
}

TEST_CASE("a body that the grid cannot hold has failed, with the reason", "[shape][flow]") {
  const StudyFile files;
  const ShapeStudy study = files.study("outline: superellipse\ngrid: 128x48\n");
  const Outline far = moved(study.shape->outline({0, std::numbers::ln2, 0}, study.area), {7, 0.5});
  FlowAround found;
  evaluator_of(study.flow)->evaluate({far}, [&](std::size_t, const FlowAround& flow) { found = flow; });
  CHECK(found.status == EvaluationStatus::failed);
  CHECK_THAT(found.reason, ContainsSubstring("outside the tunnel"));
}

TEST_CASE("several workers on a backend that shares its threads are refused", "[shape][flow]") {
  const StudyFile files;
  ShapeStudy study = files.study("outline: superellipse\ngrid: 128x48\n");
  Row openmp = *study.flow.row;
  openmp.backend = BackendKind::openmp;
  study.flow.row = &openmp, study.flow.workers = 2;
  CHECK_THROWS_WITH(evaluator_of(study.flow), ContainsSubstring("2 workers need the serial backend"));
}

// Shape files: defaults, and errors that name file, line and fix.
#include "bench/shape/shape_study.hpp"

#include <cmath>
#include <fstream>
#include <numbers>

#include "bench/sweep/sweep.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const TemporaryFolder& folder() {
  static const TemporaryFolder once;
  return once;
}

ShapeStudy study_of(const std::string& text) {
  const std::string path = folder() / "s.yaml";
  std::ofstream(path) << text;
  return read_shape_study(path);
}

constexpr const char* least = "question: Which?\noutline: superellipse\ngrid: 128x64\nbackend: serial\n";

// The message for a file of the three required keys and one more line, the fifth.
void check_fails(const std::string& line, const std::string& message,
                 const std::string& position = "s.yaml:5:") {
  INFO(line);
  CHECK_THROWS_AS(study_of(least + line), SweepError);
  CHECK_THROWS_WITH(study_of(least + line), ContainsSubstring(position) && ContainsSubstring(message));
}

}  // namespace

TEST_CASE("three keys make a study: a body of the area of a circle of diameter 1/8, at Re 20",
          "[shape][study]") {
  const ShapeStudy study = study_of(least);
  CHECK(study.area == Approx(std::numbers::pi / 256));
  CHECK(study.flow.reference == Approx(0.125));
  CHECK(study.flow.problem.real("reynolds") == 20);
  CHECK(study.flow.problem.choice("surface") == "distances");
  CHECK(study.flow.row->name == "simple");
  CHECK(study.flow.row->precision == Precision::fp32);
  CHECK(study.flow.config.real("pressure_relaxation") == 0.1);
  CHECK(study.constraints.thickness == Approx(2.0 / 64));
  CHECK(study.constraints.low.y == Approx(0.25));
  CHECK(study.constraints.high.y == Approx(0.75));
  CHECK(*study.finer == Grid{256, 128});
  CHECK(study.optimiser.name == "cmaes");
  // The usual ranges of the superellipse; its angle keeps 0.
  REQUIRE(study.searched.size() == 2);
  CHECK(study.parameters({1.5, 0.5}) == std::vector<double>{1.5, 0.5, 0});
}

TEST_CASE("a study has what its file says", "[shape][study]") {
  std::ofstream(folder() / "frame.txt") << "0.9 0.45\n1.1 0.45\n1.1 0.55\n";
  const ShapeStudy study = study_of(R"(question: Which?
outline: {name: sine, parameters: {ln_length: [0.2, 1.5], b3: -0.05, angle: [0, 10]}}
grid: 200x100
area: 0.02
reynolds: 40
constraints: {thickness: 3 cells, bounds: [0.5, 0.2, 2, 0.8], contains: frame.txt}
objective: {drag: 1, lift: -0.25}
optimiser: {name: de, population: 9, seed: 4}
until: {evaluations: 70, seconds: 9.5, change: 0.5 %}
settings: {velocity_relaxation: 0.6, tolerance: 1e-5}
precision: fp64
backend: serial
workers: 3
confirm: none
)");
  CHECK(study.searched.size() == 2);
  CHECK(study.start[0] == 0.2);  // 0, a circle, is outside the range
  const std::vector<double> all = study.parameters({1, 5});
  CHECK((all.front() == 1 && all[2] == -0.05 && all.back() == 5));
  CHECK(study.flow.reference == Approx(std::sqrt(0.08 / std::numbers::pi)));
  CHECK(study.flow.problem.real("reynolds") == 40);
  CHECK(study.constraints.thickness == Approx(0.03));
  CHECK(study.constraints.high.x == 2);
  REQUIRE(study.constraints.contains);
  CHECK(study.constraints.contains->area() == Approx(0.01));
  FlowAround flow;
  flow.drag = 3, flow.lift = 2;
  CHECK(study.objective.of(flow) == 2.5);
  CHECK((study.optimiser.name == "de" && study.optimiser.population == 9 && study.optimiser.seed == 4));
  CHECK((study.most_evaluations == 70 && study.most_seconds == 9.5 && study.least_gain == 0.005));
  CHECK(study.flow.config.real("velocity_relaxation") == 0.6);
  CHECK((study.flow.tolerance == 1e-5 && study.flow.workers == 3 && !study.finer));
}

TEST_CASE("objectives are drag, negative lift, negative lift over drag, and weighted sums",
          "[shape][study]") {
  FlowAround flow;
  flow.drag = 4, flow.lift = 1;
  CHECK(study_of(least).objective.of(flow) == 4);
  CHECK(study_of(least + std::string("objective: lift\n")).objective.of(flow) == -1);
  const ShapeObjective ratio = study_of(least + std::string("objective: lift_over_drag\n")).objective;
  CHECK(ratio.of(flow) == -0.25);
  flow.drag = 0;
  CHECK(ratio.of(flow) == -1000);  // of a drag of 1e-3
}

TEST_CASE("an error in a shape file names file, line and fix", "[shape][study]") {
  check_fails("grids: 64x64\n", "unknown key 'grids'");
  check_fails("until: {known: yes}\n", "'known' is missing; add it, such as known: {ratio: 0.746",
              "s.yaml:1:");
  check_fails("grids: 64x64\n", "did you mean 'grid'?");
  check_fails("optimiser: cmae\n", "did you mean 'cmaes'?");
  check_fails("optimiser: {name: sade, population: 6}\n", "sade needs a population of at least 7, found 6");
  check_fails("reynolds: fast\n", "found 'fast'; expected a number above 0");
  check_fails("area: 0.5\n", "larger than a quarter");
  check_fails("objective: wind\n", "expected drag, lift, lift_over_drag or pressure_loss");
  check_fails("settings: {velocity_relaxatio: 0.5}\n", "did you mean 'velocity_relaxation'?");
  check_fails("settings: {velocity_relaxation: 7}\n", "a number from 0.01 to 1");
  check_fails("settings: {reynolds: 7}\n", "has no setting 'reynolds'");
  check_fails("until: {evaluations: 0}\n", "found '0'; expected a number from 1 on");
  check_fails("until: {change: little}\n", "found 'little'; expected a share such as 0.1 %");
  check_fails("constraints: {thickness: two cells}\n", "expected a length such as 2 cells");
  check_fails("constraints: {bounds: [0, 1]}\n", "found 2 numbers; expected [least x, least y");
  check_fails("constraints: {contains: no_such.txt}\n", "no_such.txt");
  check_fails("confirm: {places: 1}\n", "found '1'; expected a number from 2 on");
  check_fails("question: Again?\n", "'question' is set twice");
  check_fails("  x: [\n", "invalid YAML", "s.yaml:");
}

TEST_CASE("an error in the outline of a shape file names its parameters", "[shape][study]") {
  const auto check = [](const std::string& outline, const std::string& message) {
    INFO(outline);
    CHECK_THROWS_WITH(study_of("question: Which?\ngrid: 128x64\n" + outline),
                      ContainsSubstring("s.yaml:3:") && ContainsSubstring(message));
  };
  check("outline: sin\n", "did you mean 'sine'?");
  check("outline: {parameters: {b2: [0, 1]}}\n", "'name' is missing");
  check("outline: {name: sine, parameters: {b9: [0, 1]}}\n",
        "sine has no parameter 'b9'; expected ln_length");
  check("outline: {name: sine, parameters: {b2: [1, 0]}}\n", "the range [1, 0] is empty");
  check("outline: {name: sine, parameters: {b2: 0}}\n",
        "no parameter has a range; give one, such as ln_length: [0, 1]");
  check("outline: {name: sine, parameters: {b2: [0, .nan]}}\n",
        "expected a range such as [0, 1.5], or a number");
}

TEST_CASE("a shape file without a question, an outline or a grid says what to add", "[shape][study]") {
  CHECK_THROWS_WITH(study_of("question: Which?\ngrid: 64x64\n"),
                    ContainsSubstring("'outline' is missing; add it"));
  CHECK_THROWS_WITH(study_of("question: Which?\noutline: sine\n"),
                    ContainsSubstring("'grid' is missing; add it"));
  CHECK_THROWS_WITH(study_of("outline: sine\ngrid: 64x64\n"),
                    ContainsSubstring("'question' is missing; add it"));
  CHECK_THROWS_WITH(study_of("question: Which?\noutline: sine\ngrid: 64x64x64\n"),
                    ContainsSubstring("the tunnel is 2-D"));
  CHECK_THROWS_WITH(study_of("question: Which?\noutline: sine\ngrid: 64x48\n"),
                    ContainsSubstring("s.yaml:3:7:") && ContainsSubstring("2 cells long and 6 cells across"));
  CHECK_THROWS_WITH(read_shape_study(folder() / "none.yaml"),
                    ContainsSubstring("cannot read the shape file"));
}

TEST_CASE("facts of a study change with what decides its results, and with nothing else", "[shape][study]") {
  const std::string text = least;
  const Json facts = study_of(text).facts();
  for (const char* line :
       {"reynolds: 21\n", "area: 0.02\n", "objective: lift\n", "optimiser: {name: cmaes, seed: 2}\n",
        "precision: fp64\n", "settings: {tolerance: 1e-5}\n", "constraints: {thickness: 3 cells}\n"}) {
    INFO(line);
    CHECK(study_of(text + line).facts() != facts);
  }
  for (const char* line : {"until: {evaluations: 7}\n", "confirm: none\n", "workers: 1\n"}) {
    INFO(line);
    CHECK(study_of(text + line).facts() == facts);
  }
}

TEST_CASE("a towed body has flows of its own, which a stack refuses for their moving walls",
          "[shape][study]") {
  const ShapeStudy study = study_of(std::string(least) + "problem: tow\n");
  CHECK(study.flow.name == "tow");
  CHECK(study.facts().at("problem") != study_of(least).facts().at("problem"));
  CHECK_THROWS_WITH(evaluator_of(study_of(std::string(least) + "problem: tow\nslots: 2\n").flow),
                    ContainsSubstring("moving walls") && ContainsSubstring("single flows"));
}

TEST_CASE("a map has as many evaluations as points, and a search has 500", "[shape][study]") {
  CHECK(study_of(least).most_evaluations == 500);
  const std::string map = "optimiser: {name: map, points: 12}\n";
  CHECK(study_of(least + map).most_evaluations == 144);
  CHECK(study_of(least + map + "until: {evaluations: 24}\n").most_evaluations == 24);
}

TEST_CASE("maps and hidden bodies that make no sense are refused, with the fix", "[shape][study]") {
  check_fails("optimiser: {name: map, population: 8}", "map has no 'population'; write points: 24");
  check_fails("optimiser: {name: cmaes, points: 8}", "cmaes has no 'points'; write population: 16");
  check_fails("optimiser: {name: map, points: 8, islands: 2}", "a map has no islands");
  check_fails("optimiser: {name: map, points: 2000}", "a map of 2000 points a parameter has 4e+06 flows",
              "s.yaml:1:");
  check_fails("objective: {wake_of: {ln_aspct: 1}}", "superellipse has no parameter 'ln_aspct'");
  check_fails("objective: {wake_of: {ln_aspect: 1}, drag: 1}", "'wake_of' has no weights");
  check_fails("stop: bound\nobjective: {wake_of: {ln_aspect: 1}}", "remove 'stop'", "s.yaml:6:");
  check_fails("stop: bound\nobjective: pressure_loss", "remove 'stop'", "s.yaml:6:");
  check_fails("problem: tow\nobjective: pressure_loss", "use problem: tunnel", "s.yaml:6:");
  check_fails("known: {ratio: 1, within: 0.1}\nobjective: {wake_of: {ln_aspect: 1}}", "leave it out",
              "s.yaml:6:");
  check_fails("confirm: {grid: 256x128}\nobjective: {wake_of: {ln_aspect: 1}}", "write confirm: none");
  check_fails("objective: {wake_of: {}}", "give another value");
  check_fails("objective: {wake_of: {ln_aspect: 7}}", "ln_aspect is 7, outside its range of 0 to 2");
  check_fails("objective: {wake_of: {angle: 5}}", "angle is not searched");
  check_fails("confirm: {places: 4}\nobjective: {wake_of: {ln_aspect: 1}}", "write confirm: none");
  check_fails("optimiser: {name: map, points: 4}\nstop: bound", "a map solves every point", "s.yaml:1:");
  check_fails("optimiser: {name: map, points: 4}\nuntil: {change: 1 %}", "a map solves every point",
              "s.yaml:1:");
  const ShapeStudy hidden = study_of(std::string(least) + "objective: {wake_of: {ln_aspect: 0.5}}\n");
  CHECK(hidden.objective.hidden == std::vector<double>{0.5, std::numbers::ln2, 0});
  CHECK_FALSE(hidden.finer);
}

// cfdmark shape: searches the outline of a body with the least drag, or another objective.
#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/shape/optimiser.hpp"
#include "bench/shape/run_shape.hpp"
#include "solvers/shape/parametrisation.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(a shape file, of which only the first three keys are required:
  question: Which sine outline has the least drag at Re 20?
  outline: {name: sine, parameters: {ln_length: [0, 1.6], b2: [-0.2, 0.2], b3: [-0.2, 0.2]}}
  grid: 256x128                           # of the tunnel, 4 x 1
  problem: tunnel                         # or tow: the body moves through fluid at rest
  reynolds: 20                            # by sqrt(4 area / pi) and the mean speed of the inflow
  area: 0.0123                            # in squares of the tunnel's height
  constraints: {thickness: 2 cells}       # bounds: [x, y, x, y]; contains: FILE of a polygon
  objective: drag                         # or lift, lift_over_drag, pressure_loss, {drag: 1, lift: -0.1}
                                          # or {wake_of: {ln_aspect: 0.8}}: the body that has this wake
  optimiser: {name: cmaes, population: 16, seed: 1}   # and islands; or {name: map, points: 24}
  until: {evaluations: 500, seconds: 600, change: 0.1 %, known: yes}
  settings: {tolerance: 1e-4}             # of the tunnel and the solver: surface, max_iterations, ...
  confirm: {grid: 512x256, places: 8}     # or none
  start: rest                             # of a flow; or coarse: coarser grids first; or the nearest outline
  stop: none                              # or {margin: 1 %, audit: 2 %}: ends flows that are certainly worse
  known: {ratio: 0.746, within: 0.005}    # best drag over the circle's, to which results are compared
  backend: serial                         # and device or devices, precision (fp32), slots or workers

examples:
  cfdmark shape shapes/ellipse.yaml
  cfdmark shape shapes/least_drag.yaml --evaluations 100 --plot out/least_drag
  cfdmark shape shapes/known_optimum.yaml --seeds 20
  cfdmark shape shapes/superellipse_map.yaml --plot out/map      # all shapes of a lattice
  cfdmark shape shapes/hidden.yaml                               # a body from its wake

Every evaluation is a line of the output file as soon as it is known. The same command continues a search that
was stopped or killed: the optimiser proposes the same candidates again, and known ones come from the file. At
the end the best outline and the circle of its area are solved at several places in a cell. Half the range of
their ratio is the noise floor, below which no gain is claimed, and a finer grid in fp64 confirms the gain.

exit status: 0 done; 1 no feasible outline, or another error; 2 an invalid file or option; 3 a file could not
be written; 130 interrupted)";

std::string outlines_help() {
  std::string text = "outlines and their parameters (usual ranges; others keep their start unless given):\n";
  for (const Parametrisation& shape : parametrisation_table()) {
    text += fmt::format("  {:12}  {}\n", shape.name, shape.help);
    std::string names;
    int more = 0;
    for (const ShapeParameter& p : shape.parameters) {
      if (names.size() > 150) {
        ++more;
        continue;
      }
      names += (names.empty() ? "" : ", ") + p.name;
      if (p.low < p.high) names += fmt::format(" [{:.3g}, {:.3g}]", p.low, p.high);
    }
    text += fmt::format("  {:12}  {}{}\n", "", names, more > 0 ? fmt::format(" and {} more", more) : "");
  }
  text += "\noptimisers, of the library pagmo (package libpagmo-dev) but for map:\n";
  for (const OptimiserDescription& o : optimiser_table())
    text += fmt::format("  {:12}  {}\n", o.name, o.help);
  return text;
}

}  // namespace

void add_shape(CLI::App& app, int& status) {
  auto request = std::make_shared<ShapeRequest>();
  CLI::App* command = app.add_subcommand(
      "shape", "search the outline of a body with the least drag, by an optimiser and flow solves");
  command->add_option("FILE", request->file, "shape file (YAML)")->required();
  add_value(*command, "--output", "FILE", request->output,
            "evaluations, as JSON lines; continued if it exists (default: out/NAME.jsonl)");
  command->add_flag("--restart", request->restarts, "start again; earlier evaluations are moved to a copy");
  command
      ->add_option("--evaluations", request->evaluations,
                   "largest number of evaluations (default: of the file)")
      ->check(CLI::PositiveNumber);
  add_time(*command, "--budget", request->seconds,
           "largest time of the search, such as 90s or 10m (default: of the file)");
  command->add_option("--seed", request->seed, "seed of the optimiser (default: of the file)")
      ->check(CLI::NonNegativeNumber);
  add_value(
      *command, "--seeds", "N", request->seeds,
      "searches with this seed and those after it, each to a file NAME-seedN.jsonl, without confirmation")
      ->check(CLI::PositiveNumber);
  add_value(*command, "--plot", "PREFIX", request->plot,
            "draw PREFIX-history.png, the best against evaluations, and PREFIX-outlines.png, the best over "
            "generations, and write PREFIX.html with both and the cost of an evaluation");
  command->add_flag("--dry-run", request->dry_run, "check the file and print the study without solving");
  command->footer([] { return outlines_help() + "\n" + notes; });
  command->callback([request, &status] { status = run_shape(*request); });
}

}  // namespace cfdmark

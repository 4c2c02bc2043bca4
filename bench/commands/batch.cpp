// cfdmark batch: measures flows around many bodies in one stack of tunnels against one flow at a time.
#include "bench/solve/batch.hpp"

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"

namespace cfdmark {

void add_batch(CLI::App& app, int& status) {
  auto request = std::make_shared<BatchRequest>();
  CLI::App* command = app.add_subcommand(
      "batch", "measure flows around many bodies, solved together, against one flow at a time");
  command->add_option("--backend", request->backend, "serial, openmp, kokkos or cuda")->capture_default_str();
  add_device_choice(*command, request->device);
  command->add_option("--precision", request->precision, "fp32, fp64 or mixed")->capture_default_str();
  command->add_option("--grid", request->grid, "cells of one tunnel, NXxNY")->capture_default_str();
  command->add_option("--slots", request->slots, "tunnels in a stack, one or several numbers")
      ->delimiter(',')
      ->capture_default_str();
  add_value(*command, "--bodies", "N", request->bodies, "superellipses of one area");
  add_value(*command, "--rounds", "N", request->rounds, "timed rounds over all bodies; the median is shown");
  add_value(*command, "--reynolds", "RE", request->reynolds, "Reynolds number of the circle of that area");
  add_value(*command, "--tolerance", "X", request->tolerance, "residual that ends a flow");
  add_value(*command, "--max-iterations", "N", request->max_iterations, "largest number of iterations");
  command->add_option("--surface", request->surface, "surface of the bodies: distances or staircase")
      ->capture_default_str();
  command
      ->add_option("--start", request->start,
                   "start of each flow: rest, or coarse: the flow around the same body on coarser grids")
      ->capture_default_str();
  add_value(*command, "--coarsenings", "N", request->coarsenings,
            "coarse grids of pressure_solver=multigrid in a stack; 0: by the rows of the grid");
  add_value(*command, "--single", "N", request->single,
            "bodies that are also solved one at a time, at most all; 0: none")
      ->check(CLI::NonNegativeNumber);
  add_set_option(*command, request->settings);
  command->footer(
      "examples:\n  cfdmark batch --backend cuda --slots 8,32,128 --bodies 256 --set pressure_sweeps=200\n"
      "  cfdmark batch --grid 128x64 --slots 1,4 --bodies 8 --set pressure_sweeps=40\n\nexit status: 0; 1 if "
      "stacks of two heights give a flow different bits; 2 an invalid option");
  command->callback([request, &status] { status = measure_batches(*request); });
}

}  // namespace cfdmark

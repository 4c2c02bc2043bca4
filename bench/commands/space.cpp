// cfdmark tune space: shows recorded tuning spaces, and replays searches on them.
#include "bench/tune/show_space.hpp"

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark tune jacobi --backend cuda --strategy exhaustive --output jacobi.jsonl
  cfdmark tune space jacobi.jsonl                      the best configs, and a score of each strategy
  cfdmark tune space jacobi.jsonl --page jacobi.html   heat maps with registers and occupancy

Strategies are replayed on recorded samples, drawn at random for each seed; nothing is measured.)";

}  // namespace

void add_space(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("space", "show a recorded tuning space, and replay each search strategy on it");
  auto given = std::make_shared<tuning::SpaceRequest>();
  command->add_option("RECORDS", given->file, "record file, such as out/tune-jacobi-cuda-fp64.jsonl")
      ->required();
  add_value(*command, "--replays", "N", given->replays, "searches per strategy; 0: none")
      ->check(CLI::Range(0, 100000));
  add_value(*command, "--rows", "N", given->rows, "configs to show, best first")
      ->check(CLI::Range(0, 100000));
  add_value(*command, "--page", "FILE", given->page,
            "write an HTML page with heat maps, device facts and strategies");
  add_value(*command, "--t1", "FILE", given->t1, "write the space in the T1 format of autotuners; CUDA only");
  add_value(*command, "--t4", "FILE", given->t4, "write the results in the T4 format of autotuners");
  add_value(*command, "--cache", "FILE", given->cache,
            "write the space as a cache file of Kernel Tuner, to replay its strategies");
  command->footer(notes);
  command->callback([given, &status] { status = tuning::show_space(*given); });
}

}  // namespace cfdmark

// cfdmark reproduce: measures published experiments again.
#include "bench/runs/reproduce.hpp"

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/run_choices.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark reproduce --list
  cfdmark reproduce review-laplace
  cfdmark reproduce normore-figure-6.1 --backend cuda --budget 3m
  cfdmark reproduce --all --output out/reproduce

Writes ID.jsonl (the records), ID.html, .md, .tex and a folder of CSV files for each experiment, and an
index.html. Some experiments use the records of others; these are then measured, or moved aside by --fresh,
too. After an interruption the same command without --fresh continues. An experiment whose solver does not
exist yet gets a page with the published values. exit status: that of `cfdmark run`.)";

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("reproduce", "re-measure published experiments and compare the results");
  auto given = std::make_shared<ReproduceRequest>();
  command->add_option("ID", given->ids, "experiments, such as review-laplace");
  command->add_flag("--list", given->list, "list the experiments");
  command->add_flag("--all", given->all, "run all experiments");
  add_value(*command, "--backend", "LIST", given->backends,
            "backends to measure, separated by commas: serial, openmp, kokkos, cuda (default: all)");
  add_value(*command, "--output", "FOLDER", given->folder, "folder for records and pages");
  add_run_choices(*command, given->choices, "all experiments");
  command->footer(notes);
  command->callback([given, &status] { status = reproduce(*given); });
}

}  // namespace cfdmark

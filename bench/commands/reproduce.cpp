// cfdmark reproduce: measures published experiments again.
#include "bench/runs/reproduce.hpp"

#include <sstream>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/run_choices.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark reproduce --list
  cfdmark reproduce review-laplace
  cfdmark reproduce normore --list
  cfdmark reproduce review-laplace --records results/nvidia-h200/reproduce
  cfdmark reproduce normore-figure-6.1 --backend cuda --budget 3m
  cfdmark reproduce --all --output out/reproduce

An ID may be the beginning of several up to a hyphen: normore means all experiments of that work. Writes
ID.jsonl (the records), ID.html, .md, .tex and a folder of CSV files for each experiment, and an index.html.
With --records nothing is measured: the pages are made from kept records. Some experiments use the records
of others; these are then measured, or moved aside by --fresh, too. After an interruption the same command
without --fresh continues. An experiment whose solver does not exist yet gets a page with the published
values. exit status: that of `cfdmark run`.)";

// Returns the error of a list such as svg,pdf; empty if it has none.
std::string is_figure_formats(const std::string& list) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');)
    if (word != "svg" && word != "pdf" && word != "png")
      return fmt::format("unknown format '{}'; choose from svg, pdf, png, separated by commas", word);
  return "";
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("reproduce", "re-measure published experiments and compare the results");
  auto given = std::make_shared<ReproduceRequest>();
  command->add_option("ID", given->ids,
                      "experiments, such as review-laplace, or all of a work, such as normore");
  command->add_flag("--list", given->list, "list the experiments");
  command->add_flag("--all", given->all, "run all experiments");
  add_value(*command, "--backend", "LIST", given->backends,
            "backends to measure, separated by commas: serial, openmp, kokkos, cuda (default: all)");
  add_value(*command, "--output", "FOLDER", given->folder, "folder for records and pages");
  command
      ->add_option("--records", given->records,
                   "file of records, or folder of ID.jsonl, to make the pages from; repeatable")
      ->type_name("PATH")
      ->allow_extra_args(false);
  add_value(*command, "--figures", "FORMATS", given->figures,
            "also write each panel of a figure, and its data as CSV, to ID-figures in the folder: svg, pdf, "
            "png, separated by commas")
      ->check(is_figure_formats);
  add_run_choices(*command, given->choices, "all experiments");
  command->footer(notes);
  command->callback([given, &status] { status = reproduce(*given); });
}

}  // namespace cfdmark

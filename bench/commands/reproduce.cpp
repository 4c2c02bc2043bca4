// cfdmark reproduce: measures again what published experiments measured. The cases of an experiment are a
// sweep, sweeps/reproduce/ID.yaml; what its document says is results/published/ID.yaml. Measuring is `run`'s;
// comparing the records with the document is scripts/reproduce.py's.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "bench/commands/commands.hpp"
#include "bench/commands/data_files.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/commands/run_choices.hpp"
#include "bench/measure/seconds_now.hpp"
#include "bench/run/program.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/sweep/words.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark reproduce --list
  cfdmark reproduce review-laplace
  cfdmark reproduce normore-figure-6.1 --backend cuda --budget 3m
  cfdmark reproduce --all --output out/reproduce

Writes ID.jsonl (the records), ID.html, .md, .tex and a folder of CSV files for each experiment, and an
index.html. Killed or interrupted, the same command goes on where it stopped. An experiment whose solver is
not built yet has a page with what was published. exit status: as that of `cfdmark run`.)";

struct CommandLine {
  std::vector<std::string> ids;
  std::string folder = "out/reproduce", backends;
  bool list = false, all = false;
  RunChoices choices;
};

struct Experiment {
  std::string id;
  bool built = false;  // else it has no case: its solver does not exist yet, or nothing is to be measured
  std::vector<Case> cases;  // that are wanted
};

std::set<std::string> yaml_names(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_path(folder)))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
  return names;
}

std::vector<std::string> known_ids() {
  std::set<std::string> ids = yaml_names("results/published");
  ids.merge(yaml_names("sweeps/reproduce"));
  return {ids.begin(), ids.end()};
}

std::vector<std::string> wanted_ids(const CommandLine& given) {
  const std::vector<std::string> known = known_ids();
  if (given.all) return known;
  if (given.ids.empty()) throw std::invalid_argument("expected experiments, or --all; --list shows them");
  for (const std::string& id : given.ids)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw std::invalid_argument(
          fmt::format("'{}' is no published experiment{}; cfdmark reproduce --list shows them", id,
                      did_you_mean(id, known)));
  return given.ids;
}

// "serial,cuda"
std::set<BackendKind> backends_from(const std::string& list) {
  std::set<BackendKind> backends;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) backends.insert(backend_from(word));
  return backends;
}

// Without the cases that --filter and --backend leave out.
Experiment experiment(const std::string& id, const CommandLine& given) {
  if (!yaml_names("sweeps/reproduce").contains(id)) return {id, false, {}};
  Experiment e{id, true, read_sweep(data_path("sweeps/reproduce/" + id + ".yaml")).cases};
  e.cases = only_matching(std::move(e.cases), given.choices.filter);
  const std::set<BackendKind> backends = backends_from(given.backends);
  if (!backends.empty())
    std::erase_if(e.cases, [&](const Case& c) { return !backends.contains(c.row->backend); });
  return e;
}

std::vector<Experiment> experiments_of(const CommandLine& given) {
  std::vector<Experiment> experiments;
  for (const std::string& id : wanted_ids(given)) experiments.push_back(experiment(id, given));
  const auto emptied = [](const Experiment& e) { return e.built && e.cases.empty(); };
  if (std::all_of(experiments.begin(), experiments.end(), emptied))
    throw std::invalid_argument(
        "--filter and --backend leave no case; --dry-run without them lists the cases");
  return experiments;
}

// What an experiment asks of a budget: its cases that can run, and as much as ten for the start of a worker.
double share(const Experiment& e) {
  const auto runnable =
      std::count_if(e.cases.begin(), e.cases.end(), [](const Case& c) { return c.not_run.empty(); });
  return runnable == 0 ? 0.0 : double(runnable) + 10;
}

// Measures the experiments one after the other and makes the page of each, so that what is done can be looked
// at. The time that is left goes to them by their shares.
class Reproduction {
 public:
  Reproduction(const std::vector<Experiment>& experiments, const CommandLine& given)
      : experiments_(experiments), folder_(given.folder), options_(given.choices.options) {
    for (const Experiment& e : experiments) shares_left_ += share(e);
    if (options_.budget) end_ = seconds_now() + *options_.budget;
  }

  int run() {
    int worst = exit_ok;
    std::vector<std::string> unbuilt;
    for (const Experiment& e : experiments_) {
      if (!e.built) {
        unbuilt.push_back(e.id);
        continue;
      }
      const int status = e.cases.empty() ? exit_ok : measure(e);
      if (status == exit_interrupted) return status;
      worst = std::max({worst, status, make_pages({e.id})});
    }
    return unbuilt.empty() ? worst : std::max(worst, make_pages(unbuilt));
  }

  void list_cases() const {
    for (const Experiment& e : experiments_) {
      fmt::print("{}{}\n", e.id, e.built ? "" : ": no case to measure");
      if (e.built) print_dry(e.cases, options_);
    }
  }

 private:
  int make_pages(std::vector<std::string> ids) const {
    ids.insert(ids.begin(), {"--folder", folder_});
    return run_script("reproduce.py", ids);
  }

  int measure(const Experiment& e) {
    RunOptions options = options_;
    options.output = folder_ + "/" + e.id + ".jsonl";
    // At least a few seconds, even if the earlier ones have taken too long.
    if (options.budget && share(e) > 0)
      options.budget = std::max(5.0, (end_ - seconds_now()) * share(e) / shares_left_);
    shares_left_ -= share(e);
    Progress progress(stderr);
    const RunSummary summary = cfdmark::run(e.cases, options, progress);
    options_.known_roofs = summary.roofs;  // one command, one machine: measured once
    print_summary(summary, options);
    return exit_status(summary);
  }

  const std::vector<Experiment>& experiments_;
  std::string folder_;
  RunOptions options_;
  double shares_left_ = 0, end_ = 0;
};

int reproduce(const CommandLine& given) {
  if (given.list) become_program(script_command("reproduce.py", {"--list"}));
  const std::vector<Experiment> experiments = experiments_of(given);
  Reproduction reproduction(experiments, given);
  if (!given.choices.dry_run) return reproduction.run();
  reproduction.list_cases();
  return exit_ok;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "measures published experiments again and says whether the results agree");
  auto given = std::make_shared<CommandLine>();
  command->add_option("ID", given->ids, "experiments, such as review-laplace");
  command->add_flag("--list", given->list, "list the experiments");
  command->add_flag("--all", given->all, "every experiment");
  add_value(*command, "--backend", "LIST", given->backends,
            "measure only these: serial, openmp, kokkos, cuda");
  add_value(*command, "--output", "FOLDER", given->folder, "folder of the records and pages");
  add_run_choices(*command, given->choices, "all experiments");
  command->footer(notes);
  command->callback([given, &status] { status = reproduce(*given); });
}

}  // namespace cfdmark

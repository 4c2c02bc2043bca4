#include "bench/runs/reproduce.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "bench/sweep/sweep.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/text/words.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {
namespace {

// The selected cases of a sweep.
struct Part {
  std::string id;
  std::vector<Case> cases;
};

struct Experiment {
  std::string id;
  std::vector<Part> parts;  // empty: its solver does not exist yet, or nothing is to be measured
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

std::vector<std::string> wanted_ids(const ReproduceRequest& given) {
  const std::vector<std::string> known = known_ids();
  if (given.all) return known;
  if (given.ids.empty())
    throw std::invalid_argument("expected experiments or --all; --list shows the experiments");
  std::vector<std::string> wanted;
  for (const std::string& id : given.ids) {
    const std::size_t before = wanted.size();
    std::copy_if(known.begin(), known.end(), std::back_inserter(wanted),
                 [&](const std::string& name) { return name == id || name.starts_with(id + "-"); });
    if (wanted.size() == before)
      throw std::invalid_argument(fmt::format(
          "unknown experiment '{}'{}; cfdmark reproduce --list shows them", id, did_you_mean(id, known)));
  }
  std::set<std::string> seen;
  std::erase_if(wanted, [&](const std::string& id) { return !seen.insert(id).second; });
  return wanted;
}

// Returns the words for scripts/cfdmark reproduce, which makes the pages.
std::vector<std::string> page_words(const ReproduceRequest& given, const std::vector<std::string>& ids) {
  std::vector<std::string> words{"--folder", given.folder};
  if (!given.figures.empty()) words.insert(words.end(), {"--figures", given.figures});
  for (const std::string& path : given.records) words.insert(words.end(), {"--records", path});
  words.insert(words.end(), ids.begin(), ids.end());
  return words;
}

// Parses a list such as "serial,cuda".
std::set<BackendKind> backends_from(const std::string& list) {
  std::set<BackendKind> backends;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) backends.insert(backend_from(word));
  return backends;
}

// Returns `measured_with` of an experiment's published file; empty if there is none. Throws
// std::invalid_argument with the file name if it cannot be read.
std::vector<std::string> measured_with(const std::string& id) {
  if (!yaml_names("results/published").contains(id)) return {};
  const std::string file = data_path("results/published/" + id + ".yaml");
  try {
    const YAML::Node document = YAML::LoadFile(file), here = document["here"];
    if (here && here["measured_with"]) return here["measured_with"].as<std::vector<std::string>>();
    return {};
  } catch (const YAML::Exception& problem) {
    throw std::invalid_argument(fmt::format("{}: {}", file, problem.what()));
  }
}

// Returns the sweeps that measure an experiment: those of other experiments, or its own if there is one.
std::vector<std::string> sweeps_of(const std::string& id) {
  if (std::vector<std::string> others = measured_with(id); !others.empty()) return others;
  if (yaml_names("sweeps/reproduce").contains(id)) return {id};
  return {};
}

// Returns the cases of a sweep that --filter and --backend select.
Part part(const std::string& id, const ReproduceRequest& given) {
  Part p{id, read_sweep(data_path("sweeps/reproduce/" + id + ".yaml")).cases};
  p.cases = only_matching(std::move(p.cases), given.choices.filter);
  const std::set<BackendKind> backends = backends_from(given.backends);
  if (!backends.empty())
    std::erase_if(p.cases, [&](const Case& c) { return !backends.contains(c.row->backend); });
  return p;
}

std::vector<Experiment> experiments_of(const ReproduceRequest& given) {
  std::vector<Experiment> experiments;
  for (const std::string& id : wanted_ids(given)) {
    experiments.push_back({id, {}});
    for (const std::string& sweep : sweeps_of(id)) experiments.back().parts.push_back(part(sweep, given));
  }
  const auto emptied = [](const Experiment& e) {
    return !e.parts.empty() &&
           std::all_of(e.parts.begin(), e.parts.end(), [](const Part& p) { return p.cases.empty(); });
  };
  if (std::all_of(experiments.begin(), experiments.end(), emptied))
    throw std::invalid_argument(
        "no case matches --filter and --backend; --dry-run without them lists the cases");
  return experiments;
}

// Returns a part's share of the budget: its runnable cases plus ten for the start of a worker. The first part
// also gets `roofs_share` for measuring the roofs.
constexpr double roofs_share = 30;
double share(const Part& p) {
  const auto runnable =
      std::count_if(p.cases.begin(), p.cases.end(), [](const Case& c) { return c.not_run.empty(); });
  return runnable == 0 ? 0.0 : double(runnable) + 10;
}

// Measures the experiments one by one and writes each page as soon as its records are complete. The remaining
// time is divided by the parts' shares.
class Reproduction {
 public:
  Reproduction(const std::vector<Experiment>& experiments, const ReproduceRequest& given)
      : experiments_(experiments), given_(given), options_(given.choices.options) {
    std::set<std::string> counted;
    for (const Experiment& e : experiments)
      for (const Part& p : e.parts)
        if (counted.insert(p.id).second) shares_left_ += share(p);
    if (options_.measure_roofs) shares_left_ += roofs_share;
    if (options_.budget) end_ = seconds_now() + *options_.budget;
  }

  int run() {
    std::vector<std::string> unbuilt;
    for (const Experiment& e : experiments_) {
      if (e.parts.empty()) {
        unbuilt.push_back(e.id);
        continue;
      }
      for (const Part& p : e.parts) {
        if (!p.cases.empty() && done_.insert(p.id).second) measure(p);
        if (all_.interrupted) return exit_interrupted;
      }
      make_pages({e.id});
    }
    if (!unbuilt.empty()) make_pages(unbuilt);
    return pages_ == exit_ok ? exit_status(all_) : pages_;
  }

  void list_cases() const {
    std::set<std::string> listed;
    for (const Experiment& e : experiments_) {
      fmt::print("{}{}\n", e.id, e.parts.empty() ? ": no case to measure" : "");
      for (const Part& p : e.parts)
        if (listed.insert(p.id).second)
          print_dry(p.cases, options_);
        else
          fmt::print("measured with the cases of {}\n", p.id);
    }
  }

 private:
  void make_pages(const std::vector<std::string>& ids) {
    pages_ = std::max(pages_, run_script("reproduce", page_words(given_, ids)));
  }

  void measure(const Part& p) {
    RunOptions options = options_;
    options.output = given_.folder + "/" + p.id + ".jsonl";
    const bool measures_roofs = options.measure_roofs && options.known_roofs.empty();
    const double wanted = share(p) == 0 ? 0 : share(p) + (measures_roofs ? roofs_share : 0);
    // A part gets at least a few seconds, even if earlier ones overran.
    if (options.budget && wanted > 0)
      options.budget = std::max(5.0, (end_ - seconds_now()) * wanted / shares_left_);
    shares_left_ -= wanted;
    Progress progress(stderr);
    const RunSummary summary = cfdmark::run(p.cases, options, progress);
    options_.known_roofs = summary.roofs;  // measured once per command
    options_.known_limits = summary.limits;
    print_summary(summary, options);
    all_.wrong += summary.wrong;
    all_.left += summary.left;
    all_.interrupted = summary.interrupted;
  }

  const std::vector<Experiment>& experiments_;
  const ReproduceRequest& given_;
  RunOptions options_;
  std::set<std::string> done_;  // parts measured by this command
  RunSummary all_;              // sums over all parts, which decide the exit status
  int pages_ = exit_ok;         // worst exit status of the page writers
  double shares_left_ = 0, end_ = 0;
};

}  // namespace

int reproduce(const ReproduceRequest& given) {
  if (given.list) {
    std::vector<std::string> words = given.ids;
    words.push_back("--list");
    become_program(script_command("reproduce", words));
  }
  if (!given.records.empty())
    become_program(script_command("reproduce", page_words(given, wanted_ids(given))));
  const std::vector<Experiment> experiments = experiments_of(given);
  Reproduction reproduction(experiments, given);
  if (!given.choices.dry_run) return reproduction.run();
  reproduction.list_cases();
  return exit_ok;
}

}  // namespace cfdmark

// cfdmark space: looks at the spaces that tunes have recorded, and searches them again.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/record/records.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/tune/formats.hpp"
#include "bench/tune/recorded_space.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

constexpr const char* notes = R"(examples:
  cfdmark tune jacobi --backend cuda --strategy exhaustive --output jacobi.jsonl
  cfdmark space jacobi.jsonl                      the best configs, and how the strategies do
  cfdmark space jacobi.jsonl --page jacobi.html   heat maps with their reasons

Every strategy is run over the recorded samples, redrawn with each seed; nothing is measured.)";

struct Wishes {
  std::string file, page, t1, t4;
  int replays = 100, rows = 5;
};

void print_best(const RecordedSpace& s, int rows) {
  std::vector<Evaluation> evaluations;
  for (const RecordedEvaluation& r : s.evaluations)
    evaluations.push_back({r.status, r.reason, r.samples, 0, 0});
  const Selection choice = choose(s.space, evaluations).value();
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < s.space.size(); ++n)
    if (!s.evaluations[n].samples.empty()) order.push_back(n);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return recorded_median(s, a) < recorded_median(s, b); });
  const double best = recorded_median(s, order.front());
  fmt::print("  {} of {} configs have a time; {} are as good as the best; to be used: {}\n", order.size(),
             s.space.size(), choice.ties.size(), candidate_text(s.space[choice.winner]));
  for (std::size_t n = 0; n < order.size() && int(n) < rows; ++n)
    fmt::print("  {:>9}  {:.3f} times the best  {}\n", seconds_text(recorded_median(s, order[n])),
               recorded_median(s, order[n]) / best, candidate_text(s.space[order[n]]));
}

void print_strategies(const RecordedSpace& s, int replays) {
  fmt::print("  {:<12} {:>12} {:>20} {:>24}\n", "strategy", "within 2 %", "worst over best",
             "measuring time, at most");
  for (const Strategy& strategy : strategies()) {
    const StrategyScore found = score(s, strategy.name, replays);
    fmt::print("  {:<12} {:>5} of {:>3} {:>20.3f} {:>22.1f} %\n", found.strategy, found.within_2_percent,
               found.replays, found.worst, 100 * found.cost);
  }
}

// space -> strategy -> replays, each a list of [samples, recorded median of the best so far over the best].
Json traces_json(const RecordedSpaces& found, int replays) {
  Json json = Json::object();
  for (const RecordedSpace& s : found.spaces) {
    const double best = recorded_median(s, recorded_best(s));
    for (const Strategy& strategy : strategies())
      for (int seed = 1; seed <= replays; ++seed) {
        SearchOptions options;
        options.seed = std::uint64_t(seed);
        Json points = Json::array();
        for (const TracePoint& p : replay(s, strategy.name, options).trace)
          points.push_back({p.samples, recorded_median(s, p.best) / best});
        json[s.name][strategy.name].push_back(points);
      }
  }
  return json;
}

// Lets tuning_page.py draw. The traces go through a file beside the page, which is taken away again.
int write_page(const Wishes& w, const RecordedSpaces& found) {
  const std::string traces = w.page + ".traces.json";
  std::ofstream out(traces);
  out << traces_json(found, std::min(w.replays, 21));
  if (!out.flush()) throw WriteError(fmt::format("cannot write {}", traces));
  const int status = run_script("tuning_page.py", {w.file, "--traces", traces, "--output", w.page});
  std::remove(traces.c_str());
  if (status == 0) fmt::print("page: {}\n", w.page);
  return status;
}

// A format holds one space; of a file with several each gets its number: space.json, space-2.json.
std::string numbered(const std::string& path, std::size_t n) {
  if (n == 0) return path;
  const std::filesystem::path p = path;
  return (p.parent_path() / fmt::format("{}-{}{}", p.stem().string(), n + 1, p.extension().string()))
      .string();
}

void write_format(const std::string& path, const RecordedSpaces& found,
                  Json (*format)(const RecordedSpace&)) {
  for (std::size_t n = 0; n < found.spaces.size() && !path.empty(); ++n) {
    std::ofstream file(numbered(path, n));
    file << format(found.spaces[n]).dump(1) << "\n";
    if (!file.flush()) throw WriteError(fmt::format("cannot write {}", numbered(path, n)));
    fmt::print("written: {}\n", numbered(path, n));
  }
}

int look_at(const Wishes& w) {
  const RecordedSpaces found = read_spaces(w.file);
  for (const std::string& warning : found.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  for (const RecordedSpace& s : found.spaces) {
    fmt::print("{}\n", s.name);
    print_best(s, w.rows);
    if (w.replays > 0) print_strategies(s, w.replays);
  }
  write_format(w.t1, found, t1_json);
  write_format(w.t4, found, t4_json);
  return w.page.empty() ? exit_ok : write_page(w, found);
}

}  // namespace

void add_space(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "space", "shows a space that tune has recorded, and how each strategy would search it");
  auto wishes = std::make_shared<Wishes>();
  command->add_option("RECORDS", wishes->file, "a file of records, such as out/tune-jacobi-cuda-fp64.jsonl")
      ->required();
  command->add_option("--replays", wishes->replays, "searches by each strategy; 0: none")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_option("--rows", wishes->rows, "configs to show, the best first")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command
      ->add_option("--page", wishes->page, "also write one HTML page: heat maps, their reasons, strategies")
      ->type_name("FILE");
  command->add_option("--t1", wishes->t1, "write the space in the T1 format of other tuners; of CUDA only")
      ->type_name("FILE");
  command->add_option("--t4", wishes->t4, "write the results in the T4 format of other tuners")
      ->type_name("FILE");
  command->footer(notes);
  command->callback([wishes, &status] { status = look_at(*wishes); });
}

}  // namespace cfdmark

#include "bench/tune/show_space.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/device_facts/build_info.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/tune/recorded_space.hpp"
#include "bench/tune/runner.hpp"
#include "bench/worker/python_script.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

void print_best(const RecordedSpace& s, int rows) {
  const Selection choice = choose(s.space, s.evaluations).value();
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < s.space.size(); ++n)
    if (!s.evaluations[n].samples.empty()) order.push_back(n);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return recorded_median(s, a) < recorded_median(s, b); });
  const double best = recorded_median(s, order.front());
  fmt::print("  {} of {} configs have a time; {} tie with the best; winner: {}\n", order.size(),
             s.space.size(), choice.ties.size(), candidate_text(s.space[choice.winner]));
  for (std::size_t n = 0; n < order.size() && int(n) < rows; ++n)
    fmt::print("  {:>9}  {:.3f} times the best  {}\n", seconds_text(recorded_median(s, order[n])),
               recorded_median(s, order[n]) / best, candidate_text(s.space[order[n]]));
}

void print_strategies(const RecordedSpace& s, int replays) {
  fmt::print("  {:<12} {:>12} {:>20} {:>24}\n", "strategy", "within 2 %", "worst over best",
             "largest measuring time");
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

int write_page(const SpaceRequest& given, const RecordedSpaces& found) {
  const int status = run_script("space-page", {given.file, "--traces", "/dev/stdin", "--output", given.page},
                                one_line(traces_json(found, std::min(given.replays, 21))));
  if (status == 0) fmt::print("page: {}\n", printable(given.page));
  return status;
}

// Returns the file that defines a kernel or solver; its name if it no longer exists.
std::string kernel_file(const Json& record) {
  for (const Row& row : catalog())
    if (record.at("name") == row.name && record.at("kind") == to_string(row.kind) && !row.source.empty())
      return row.source.starts_with("kernels/")
                 ? fmt::format("{}/{}.hpp", row.source, row.source.substr(row.source.rfind('/') + 1))
                 : row.source;
  return record.at("name").get<std::string>() + ".cu";
}

// Returns the input of scripts/cfdmark/export/formats.py for a space.
Json space_json(const RecordedSpace& s) {
  Json candidates = Json::array();
  for (std::size_t n = 0; n < s.space.size(); ++n) {
    candidates.push_back(s.records[n]);
    candidates.back()["ended"] = to_string(s.evaluations[n].status);
  }
  return {{"name", s.name},
          {"version", build_info().version},
          {"environment", s.environment},
          {"default", s.space.fallback()},
          {"kernel_file", kernel_file(s.records.front())},
          {"candidates", candidates}};
}

int write_formats(const SpaceRequest& given, const RecordedSpaces& found) {
  Json spaces = Json::array();
  for (const RecordedSpace& s : found.spaces) spaces.push_back(space_json(s));
  return run_script("spaces", with_values({{"--t1", given.t1}, {"--t4", given.t4}, {"--cache", given.cache}}),
                    one_line(spaces));
}

}  // namespace

int show_space(const SpaceRequest& given) {
  const RecordedSpaces found = read_spaces(given.file);
  for (const std::string& warning : found.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  for (const RecordedSpace& s : found.spaces) {
    fmt::print("{}\n", s.name);
    print_best(s, given.rows);
    if (given.replays > 0) print_strategies(s, given.replays);
  }
  if (!given.t1.empty() || !given.t4.empty() || !given.cache.empty())
    if (const int status = write_formats(given, found); status != exit_ok) return status;
  return given.page.empty() ? exit_ok : write_page(given, found);
}

}  // namespace cfdmark::tuning

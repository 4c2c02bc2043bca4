// Several tunes with one budget: skipped, failed and remaining jobs.
#include "bench/tune/jobs.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "bench/catalog/source_hash.hpp"
#include "bench/tune/budget_claims.hpp"
#include "bench/tune/check.hpp"
#include "bench/tuned/tuned_range.hpp"
#include "tests/bench/tune/quiet_tune.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

using End = JobResult::End;

// Rows with a source, so that tuned entries are recognized. No row runs on a grid with a side above
// `largest`.
class Sourced {
 public:
  explicit Sourced(const std::vector<std::string>& methods, int largest = 1 << 20,
                   const std::vector<Setting>& settings = {}) {
    for (const Row* row : faulty_subject(methods).methods) {
      rows_.push_back(*row);
      rows_.back().source = "kernels/copy";
      rows_.back().space.settings = settings;
      rows_.back().unsupported = [largest](const Domain& domain, const Config&) -> std::string {
        return domain.box().nx <= largest ? "" : "too large for this method";
      };
    }
  }
  TuneJob job(const std::vector<int>& sizes) const {
    TuneJob job;
    for (const int n : sizes) {
      TuningTarget target;
      for (const Row& row : rows_) target.methods.push_back(&row);
      target.grid = {n, n, 1};
      job.targets.push_back(target);
    }
    return job;
  }

 private:
  std::vector<Row> rows_;
};

std::vector<JobResult> run_quietly(const std::vector<TuneJob>& jobs, const JobsOptions& options,
                                   const JobListener& listener = {[](const std::vector<std::size_t>&) {},
                                                                  [](std::size_t, const JobResult&) {}}) {
  Quiet quiet;
  TuneSession session(options.tune);
  return run_jobs(jobs, options, session, quiet.progress(), listener);
}

std::vector<End> ends(const std::vector<JobResult>& results) {
  std::vector<End> found;
  for (const JobResult& r : results) found.push_back(r.end);
  return found;
}

}  // namespace

TEST_CASE("a share is the need plus a part of the surplus by weight", "[tune][jobs]") {
  // Of 10 s three jobs need 1, 2 and 3 s; the first gets 3 of 6 parts of the remaining 4 s.
  CHECK(allocate(10, {{3, 1}, {2, 2}, {1, 3}}).value() == Approx(3));
  CHECK(allocate(8, {{2, 2}, {1, 2}}).value() == Approx(2 + 8. / 3));
  CHECK(allocate(6, {{3, 1}, {2, 2}, {1, 3}}).value() == Approx(1));  // no surplus
  CHECK(allocate(10, {{0, 2}, {0, 2}}).value() == Approx(2));
  CHECK_FALSE(allocate(1.9, {{1, 2}}));
}

TEST_CASE("if not all needs fit, the smallest do", "[tune]") {
  using Places = std::vector<std::size_t>;
  CHECK(that_fit({}, 1).empty());
  CHECK(that_fit({3, 1, 2}, 6) == Places{0, 1, 2});
  CHECK(that_fit({3, 1, 2}, 5.9) == Places{1, 2});
  CHECK(that_fit({3, 1, 2}, 2.9) == Places{1});
  CHECK(that_fit({3, 1, 2}, 0.9).empty());
  CHECK(that_fit({2, 2, 2}, 5) == Places{0, 1});
  CHECK(that_fit({3, 1, 2}, std::numeric_limits<double>::infinity()) == Places{0, 1, 2});
}

TEST_CASE("with little time all get the same fraction of their need, but no less than a minimum",
          "[tune][jobs]") {
  CHECK(allocate(6, {{1, 4}, {1, 8}}, 0.5).value() == Approx(2));
  CHECK(allocate(4, {{1, 4}, {1, 8}}, 0.5).value() == Approx(2));  // the second gets nothing
  CHECK_FALSE(allocate(2, {{1, 8}}, 0.5));
  // The last one gets all the remaining time, whatever the rounding.
  for (double seconds = 3; seconds < 5.5; seconds += 0.0037) {
    REQUIRE(allocate(seconds, {{1, 5.55}}, 0.5));
    REQUIRE(allocate(seconds, {{1, 5.55}}, 0.5).value() == Approx(seconds));
  }
}

TEST_CASE("a failed job affects no other, and answered jobs are not tuned again", "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  const Sourced good({"slow", "sound"}), bad({"throws", "wrong"}), single({"sound"});
  const std::vector<TuneJob> jobs = {bad.job({8}), good.job({8, 16}), single.job({8})};
  const auto results = run_quietly(jobs, options);
  CHECK(ends(results) == std::vector<End>{End::went_wrong, End::answered, End::no_choice});
  CHECK_THAT(results[0].reason, ContainsSubstring("8x8"));  // names the grid
  REQUIRE(results[1].result);
  CHECK(results[1].result->answers.size() == 2);

  CHECK(ends(run_quietly({jobs[0], jobs[1]}, options)) == std::vector<End>{End::went_wrong, End::known});
  // Another size, or --retune, is tuned.
  CHECK(ends(run_quietly({good.job({8, 32})}, options)) == std::vector<End>{End::answered});
  options.retune = true;
  CHECK(ends(run_quietly({good.job({8})}, options)) == std::vector<End>{End::answered});
}

TEST_CASE("answered jobs are reported first, and jobs answered in part run last", "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  const Sourced good({"slow", "sound"});
  TuneJob other = good.job({8});
  other.scope = "another";
  REQUIRE(ends(run_quietly({good.job({8})}, options)) == std::vector<End>{End::answered});

  std::vector<std::size_t> told;
  const JobListener listener = {[&](const std::vector<std::size_t>& known) { told = known; },
                                [&](std::size_t n, const JobResult&) { told.push_back(n); }};
  const std::vector<TuneJob> jobs = {good.job({8, 16}), other, good.job({8})};
  CHECK(ends(run_quietly(jobs, options, listener)) ==
        std::vector<End>{End::answered, End::answered, End::known});
  CHECK(told == std::vector<std::size_t>{2, 1, 0});
  // Jobs that are all tuned again keep their order.
  options.retune = true;
  run_quietly(jobs, options, listener);
  CHECK(told == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("a grid without a valid config is skipped, and the table records that", "[tune][jobs]") {
  const TemporaryFolder folder;
  const JobsOptions options{quick_options(folder)};
  const Sourced small({"slow", "sound"}, 16);
  const auto results = run_quietly({small.job({8, 32})}, options);
  REQUIRE(ends(results) == std::vector<End>{End::answered});
  CHECK(results[0].result->answers.size() == 1);
  CHECK(results[0].result->left_out == std::vector<Grid>{{32, 32, 1}});
  CHECK(ends(run_quietly({small.job({8, 32})}, options)) == std::vector<End>{End::known});
}

TEST_CASE("a size without time affects no other size, and the next tune continues with it", "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  options.tune.budget = 6;  // a hanging config is stopped after 1.5 s; each of these sizes has less time
  const Sourced rows({"hangs_if_large", "refuses"});
  const TuneJob job = rows.job({4, 6, 8, 10, 12, 14, 15, 16, 32, 40, 48, 56, 64});
  const auto results = run_quietly({job}, options);
  INFO(results[0].reason);
  REQUIRE(ends(results) == std::vector<End>{End::answered});
  CHECK(results[0].result->answers.size() == 8);
  CHECK(results[0].result->left.size() == 5);
  for (const Grid& grid : results[0].result->left) CHECK(grid.nx > 16);
  const std::vector<Json> kept = read_tuned_tables(options.tune.tuned_folder).tables.at(0).entries;
  CHECK_FALSE(is_answered(job, options.tune, kept));
  CHECK(is_answered(rows.job({4, 6, 8, 10, 12, 14, 15, 16}), options.tune, kept));

  // A single tune saves its answers too.
  options.tune.tuned_folder = folder / "alone";
  const TuneResult alone = tune_quietly(job.targets, options.tune);
  CHECK(alone.answers.size() == 8);
  CHECK(alone.left.size() == 5);
}

TEST_CASE("a config that is slightly late does not restart the process", "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  options.tune.budget = 5;  // the smallest size has less than a second of it
  const Sourced rows({"prepares_slowly"});
  const std::string file = folder / "processes";
  setenv("CFDMARK_TEST_PROCESSES", file.c_str(), 1);
  const TuneResult result = tune_quietly(rows.job({8, 20, 32, 48, 64}).targets, options.tune);
  unsetenv("CFDMARK_TEST_PROCESSES");
  CHECK(result.answers.size() == 5);
  std::ifstream lines(file);
  std::set<std::string> processes;
  for (std::string line; std::getline(lines, line);) processes.insert(line);
  CHECK(processes.size() == 1);
}

TEST_CASE("a size with few configs tried has an answer, and the next tune continues with it",
          "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  Sourced rows({"prepares_slowly"}, 1 << 20, {{"block_x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1, ""}});
  const auto kept = [&] { return read_tuned_tables(options.tune.tuned_folder).tables.at(0).entries; };
  options.tune.budget = 5;  // each of the twelve takes a second on the smaller grid
  const TuneJob job = rows.job({8, 64});
  REQUIRE(ends(run_quietly({job}, options)) == std::vector<End>{End::answered});
  CHECK_FALSE(is_answered(job, options.tune, kept()));
  CHECK(is_answered(rows.job({64}), options.tune, kept()));
}

TEST_CASE("jobs beyond the budget are reported and not started", "[tune][jobs]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  options.tune.budget = 0.01;
  const Sourced good({"slow", "sound"});
  try {
    const auto results = run_quietly({good.job({8}), good.job({16})}, options);
    CHECK(ends(results) == std::vector<End>{End::left, End::left});
    CHECK_FALSE(results[0].reason.empty());
  } catch (const BudgetOver& e) {  // before the device queries ended
    CHECK_THAT(e.what(), ContainsSubstring("--budget"));
  }
  CHECK(read_tuned_tables(options.tune.tuned_folder).tables.empty());
}

TEST_CASE("a lost device ends all jobs", "[tune][jobs]") {
  const TemporaryFolder folder;
  const JobsOptions options{quick_options(folder)};
  const Sourced crashing({"sound", "crashes_preparing"}), good({"slow", "sound"});
  setenv("CFDMARK_TEST_DEVICE_IS_GONE", "1", 1);
  const auto results = run_quietly({crashing.job({8}), good.job({8})}, options);
  unsetenv("CFDMARK_TEST_DEVICE_IS_GONE");
  CHECK(ends(results) == std::vector<End>{End::went_wrong, End::left});
  CHECK_THAT(results[0].reason, ContainsSubstring("crashes_preparing"));  // names the config
  CHECK_FALSE(results[1].reason.empty());
}

TEST_CASE("a layout of another device's table is confirmed together with the answer", "[tune][jobs]") {
  const TemporaryFolder folder;
  const JobsOptions options{quick_options(folder)};
  const Sourced rows({"slow", "sound", "quick_if_large"});
  const TuneJob job = rows.job({8});
  const Json entry = {{"kind", "kernel"},
                      {"name", "tunable"},
                      {"backend", "serial"},
                      {"precision", "fp64"},
                      {"scope", "all"},
                      {"grid", {8, 8}},
                      {"winner", {{"method", "quick_if_large"}, {"config", Json::object()}}},
                      {"source_hash", source_hash(job.row())}};
  update_tuned_table(options.tune.tuned_folder, {"Another machine", "another", "", ""}, {entry});
  const auto results = run_quietly({job}, options);
  REQUIRE(results[0].result);
  const TuneAnswer& answer = results[0].result->answers[0];
  CHECK(answer.beside == std::vector<Candidate>{{"quick_if_large", {}}});
  // So is the previous winner of this device, even if its source has changed.
  Json before = entry;
  before["winner"]["method"] = "sound", before["source_hash"] = "of before";
  for (const TunedTable& table : read_tuned_tables(options.tune.tuned_folder).tables)
    if (table.device.name != "Another machine")
      update_tuned_table(options.tune.tuned_folder, table.device, {before});
  const auto again = run_quietly({job}, options);
  REQUIRE(again[0].result);
  const std::vector<Candidate>& beside = again[0].result->answers[0].beside;
  CHECK(std::find(beside.begin(), beside.end(), Candidate{"sound", {}}) != beside.end());
  const TunedTables tables = read_tuned_tables(options.tune.tuned_folder);
  REQUIRE(tables.tables.size() == 2);
  for (const TunedTable& table : tables.tables)
    if (table.device.name != "Another machine") {
      const Json& size = table.entries.at(0)["range"]["sizes"][0];
      for (const char* method : {"quick_if_large", "sound"})
        CHECK((size["measured"].contains(method) || size["winner"]["method"] == method ||
               size["default"]["method"] == method));
    }
}

TEST_CASE("a check measures the tuned config and the default, and saves nothing", "[tune][jobs][check]") {
  const TemporaryFolder folder;
  JobsOptions options{quick_options(folder)};
  const Sourced rows({"slow", "sound"});
  REQUIRE(ends(run_quietly({rows.job({8})}, options)) == std::vector<End>{End::answered});
  const Json before = read_tuned_tables(options.tune.tuned_folder).tables.at(0).entries;
  const std::string tuned = before.at(0)["winner"]["method"];
  options.tune.each_alone = true;
  const auto results = run_quietly({rows.job({8, 64})}, options);
  REQUIRE(ends(results) == std::vector<End>{End::answered});
  REQUIRE(results[0].result->answers.size() == 2);
  const auto small = checked_size(results[0].result->answers[0]).value(),
             large = checked_size(results[0].result->answers[1]).value();
  CHECK(small.tuned.method == tuned);
  CHECK(large.tuned.method == "slow");  // outside the tuned range: the default
  CHECK(large.behind_default.value == 1);
  CHECK(large.behind_best.value > 1.5);
  CHECK_FALSE(large.holds());
  CHECK(results[0].result->ranges.empty());
  CHECK(Json(read_tuned_tables(options.tune.tuned_folder).tables.at(0).entries) == before);
}

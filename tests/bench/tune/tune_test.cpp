// A tune with configs that fail in every way, and its saved answer.
#include "bench/tune/tune.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include "bench/record/environment.hpp"
#include "bench/record/records.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/confirmation.hpp"
#include "bench/tuned/tuned_range.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "kernels/device/built.hpp"
#include "tests/bench/tune/quiet_tune.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr std::size_t samples_of_a_winner = 23;  // of a race with few candidates

// Repeats the tune up to five times until `is_sure`: on a busy machine confirmation may fail.
template <class IsSure>
TuneResult tune_surely(const std::vector<TuningTarget>& targets, const TuneOptions& options,
                       const IsSure& is_sure) {
  for (int tries = 1;; ++tries) {
    TuneResult result = tune_quietly(targets, options);
    if (is_sure(result) || tries == 5) return result;
  }
}

std::map<std::string, Json> last_records(const std::string& path) {
  std::map<std::string, Json> last;
  for (const Json& line : read_records(path).lines)
    if (line["type"] == "record") last[line["method"]] = line;
  return last;
}

}  // namespace

TEST_CASE("a failing config affects no other, is recorded with its status, and the best of the rest wins",
          "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  options.timeout = 5;  // one config hangs
  const TuneResult result = tune_quietly(
      {faulty_subject({"slow", "wrong", "throws", "refuses", "does_not_compile", "crashes_preparing",
                       "crashes_measured", "hangs", "loses_device", "too_large", "sound"})},
      options);
  const TuneAnswer& answer = result.answers.at(0);
  REQUIRE(answer.space.space[answer.choice.value().winner].method == "sound");
  REQUIRE(answer.choice->gain->value > 1.2);

  const auto records = last_records(options.output);
  const std::map<std::string, std::string> statuses = {{"slow", "ok"},
                                                       {"sound", "ok"},
                                                       {"wrong", "wrong_result"},
                                                       {"throws", "launch_failure"},
                                                       {"refuses", "constraint"},
                                                       {"does_not_compile", "compile_error"},
                                                       {"crashes_preparing", "launch_failure"},
                                                       {"crashes_measured", "launch_failure"},
                                                       {"hangs", "timeout"},
                                                       {"loses_device", "launch_failure"},
                                                       {"too_large", "constraint"}};
  for (const auto& [method, status] : statuses) {
    INFO(method);
    CHECK(records.at(method)["tuning"]["status"] == status);
    CHECK(records.at(method).contains("time") == (status == "ok"));
    CHECK(records.at(method).contains("reason") == (status != "ok"));
  }
  REQUIRE(records.at("does_not_compile")["status"] == "error");
  // Excludes the two confirming processes. A crash of an interleaved config starts a new process too.
  std::vector<std::size_t> processes = records.at("sound")["time"]["processes"];
  processes.resize(processes.size() - 2);
  REQUIRE(std::accumulate(processes.begin(), processes.end(), std::size_t(0)) == samples_of_a_winner);
}

TEST_CASE("if the device stops responding after a crash the tune ends with an error that names the config",
          "[tune]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_TEST_DEVICE_IS_GONE", "1", 1);
  CHECK_THAT(
      error_of<DeviceLost>({faulty_subject({"sound", "crashes_preparing"})}, quick_options(folder)),
      ContainsSubstring("tunable/serial/fp64/crashes_preparing@8x8") && ContainsSubstring("no answer"));
  unsetenv("CFDMARK_TEST_DEVICE_IS_GONE");
}

TEST_CASE("an answer is saved with its evidence, and a second tune replaces it", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  for (int n = 0; n < 2; ++n) tune_quietly({faulty_subject({"slow", "sound"})}, options);
  const TunedTables tables = read_tuned_tables(options.tuned_folder);
  REQUIRE(tables.warnings.empty());
  REQUIRE(tables.tables.size() == 1);
  REQUIRE(tables.tables[0].entries.size() == 1);
  const Json& entry = tables.tables[0].entries[0];
  REQUIRE(entry["winner"]["method"] == "sound");
  REQUIRE(entry["default"]["method"] == "slow");
  REQUIRE(entry["gain"]["low"] <= entry["gain"]["value"]);
  REQUIRE(entry["search"]["configs"]["ok"] == 2);
  for (const char* key : {"rule", "ties", "source_hash", "compiler", "program", "time"})
    CHECK(entry.contains(key));
  for (const char* key : {"fingerprint", "commit", "dirty"}) {
    INFO(key);
    const Json program = describe_program_and_host()["program"];
    CHECK(entry["program"].contains(key) == program.contains(key));
    CHECK(entry["program"].value(key, Json()) == program.value(key, Json()));
  }
}

TEST_CASE("a worker that crashes while compiling ahead costs no answer", "[tune]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_TEST_SEEN", (folder / "seen").c_str(), 1);
  const TuneResult result =
      tune_quietly({faulty_subject({"slow", "crashes_compiled"})}, quick_options(folder));
  unsetenv("CFDMARK_TEST_SEEN");
  CHECK(std::filesystem::exists(folder / "seen") == built_with_cuda);
  for (const Evaluation& e : result.answers.at(0).evaluations) CHECK(e.ok());
}

TEST_CASE("confirming processes do not verify again what the search verified", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  setenv("CFDMARK_TEST_SEEN", (folder / "seen").c_str(), 1);
  const TuneResult result = tune_quietly({faulty_subject({"slow", "wrong_again"})}, options);
  unsetenv("CFDMARK_TEST_SEEN");
  const TuneAnswer& answer = result.answers.at(0);
  CHECK(answer.fresh.at(1).size() == 2);
  const Json record = last_records(options.output).at("wrong_again");
  CHECK(record["time"]["processes"].size() == 3);
  CHECK(record.at("verification").at("check") == "nothing");  // from the first process
}

TEST_CASE("if the confirming processes do not confirm the winner the default stays", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  setenv("CFDMARK_TEST_SEEN", (folder / "seen").c_str(), 1);
  const TuneResult result = tune_quietly({faulty_subject({"slow", "lucky"})}, options);
  unsetenv("CFDMARK_TEST_SEEN");
  const TuneAnswer& answer = result.answers.at(0);
  REQUIRE(answer.space.space[answer.choice.value().winner].method == "slow");
  CHECK_THAT(answer.choice->rule, ContainsSubstring("lucky") && ContainsSubstring(" 0."));  // and its gain
  const Json entry = read_tuned_tables(options.tuned_folder).tables.at(0).entries.at(0);
  CHECK(entry["winner"]["method"] == "slow");
  CHECK(entry["confirmation"]["processes"] == 2);
  CHECK(entry["confirmation"]["fastest"]["median"] > entry["confirmation"]["default"]["median"]);
}

TEST_CASE("without time for confirmation only a much faster winner stays", "[tune]") {
  const TemporaryFolder folder;
  const TuneResult result = tune_quietly({faulty_subject({"slow", "sound"})}, quick_options(folder));
  TuneAnswer answer = result.answers.at(0);
  const std::size_t slow = place_of(answer, {"slow", {}}), sound = place_of(answer, {"sound", {}});
  REQUIRE(answer.space.space.fallback() == slow);
  const auto confirmed = [&](double times_as_fast, bool told) {
    TuneAnswer a = answer;
    a.evaluations[sound].samples = std::vector<double>(10, 1e-3);
    a.evaluations[slow].samples = std::vector<double>(10, times_as_fast * 1e-3);
    a.fresh.assign(a.fresh.size(), {});
    if (told) a.fresh[slow] = {a.evaluations[slow].samples};  // the winner failed there
    a.choice->winner = sound;
    a.choice->gain = gain_of({a.evaluations[slow].samples}, {a.evaluations[sound].samples});
    const bool is_told = confirm(a);
    CHECK(is_told == (a.choice->winner == sound));
    return a;
  };
  const TuneAnswer clear = confirmed(3, false);
  CHECK(clear.choice->winner == sound);
  CHECK(clear.choice->gain->value == Approx(3));
  CHECK_THAT(clear.choice->rule, ContainsSubstring("3.00 times"));
  CHECK(clear.confirmation->winner.empty());
  CHECK(gain_there(clear, {"slow", {}}, {"sound", {}})->value == Approx(3));
  const std::vector<TuneAnswer> alone{clear};
  const AcrossSizes across(alone);
  const SizeTimes size = across.confirmed().at(0);
  CHECK(size.seconds[across.of(0, sound)] == 1e-3);
  CHECK(size.seconds[across.of(0, slow)] == 3e-3);
  CHECK(size.surely_faster[across.of(0, sound)]);
  CHECK(confirmed(1.2, false).choice->winner == slow);
  CHECK(confirmed(3, true).choice->winner == slow);

  TuneAnswer refuted = clear;  // an answer so far
  const std::vector<double> alike(10, 1e-3);
  refuted.fresh[slow] = refuted.fresh[sound] = {alike, alike};
  CHECK(confirm(refuted));
  CHECK(refuted.choice->winner == slow);
}

TEST_CASE("device queries have a longer timeout than configs under a short budget", "[tune]") {
  TuneOptions options;
  options.worker = {"/bin/sleep", "60"};
  options.budget = 4;  // a config gets one second
  TuneSession session(options);
  const double end = seconds_now() + 1.5;
  CHECK(session.description([&](const std::string&) { return seconds_now() < end; }).is_null());
}

TEST_CASE("a confirming process that ends before the winner counts for nothing", "[tune]") {
  const TemporaryFolder folder;
  const TuneResult result = tune_quietly({faulty_subject({"slow", "sound"})}, quick_options(folder));
  TuneAnswer answer = result.answers.at(0);
  const std::size_t slow = place_of(answer, {"slow", {}}), sound = place_of(answer, {"sound", {}});
  REQUIRE(answer.space.space.fallback() == slow);
  answer.choice->winner = sound;
  const Evaluation timed{TrialStatus::ok, "", {1e-3, 1e-3}, 0, 0}, late{TrialStatus::not_tried, "", {}, 0, 0},
      failed{TrialStatus::launch_failure, "it did not run", {}, 0, 0};
  CHECK(timed_winner(answer, {slow, sound}, {timed, timed}));
  CHECK(timed_winner(answer, {slow, sound}, {timed, failed}));
  CHECK_FALSE(timed_winner(answer, {slow, sound}, {timed, late}));
  CHECK_FALSE(timed_winner(answer, {sound, slow}, {timed, late}));
  CHECK_FALSE(timed_winner(answer, {sound}, {timed}));
  CHECK(timed_winner(answer, {slow}, {timed}));  // the winner was not requested
}

TEST_CASE("the gain of a confirmed winner comes from the confirming processes", "[tune]") {
  for (int tries = 1;; ++tries) {  // on a busy machine confirmation may fail
    const TemporaryFolder folder;
    const TuneOptions options = quick_options(folder);
    const TuneResult result = tune_quietly({faulty_subject({"slow", "sound"})}, options);
    const TuneAnswer& answer = result.answers.at(0);
    if (answer.space.space[answer.choice.value().winner].method != "sound" && tries < 5) continue;
    const Confirmation& fresh = answer.confirmation.value();
    REQUIRE(fresh.winner.size() == 2);
    CHECK(answer.choice->gain->value == gain_of(fresh.fallback, fresh.winner).value);
    const Json time = last_records(options.output).at("sound")["time"];
    CHECK(time["processes"].size() == 3);  // one searching and two confirming
    return;
  }
}

TEST_CASE("grids far apart have separate answers", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  const TuneResult result =
      tune_quietly({faulty_subject({"slow", "sound"}, 64), faulty_subject({"slow", "sound"}, 8)}, options);
  REQUIRE(result.answers.size() == 2);
  CHECK(result.answers[0].space.cases.front().domain.box().nx == 8);  // smaller first
  const std::vector<Json> entries = read_tuned_tables(options.tuned_folder).tables.at(0).entries;
  REQUIRE(entries.size() == 2);
  CHECK(range_of(entries[0]).most == Approx(64 * 1.25));
  CHECK(range_of(entries[1]).least == Approx(4096 / 1.25));
}

TEST_CASE("small and large sizes of a ladder have separate answers, with regret, gain and sizes", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  std::vector<TuningTarget> targets;
  for (const int n : {8, 16, 32, 64})
    targets.push_back(faulty_subject({"slow", "quick_if_small", "quick_if_large"}, n));
  const TuneResult result = tune_surely(targets, options, [](const TuneResult& r) {
    return r.ranges.size() == 2 && r.ranges[0].winner.method == "quick_if_small" &&
           r.ranges[1].winner.method == "quick_if_large";
  });
  REQUIRE(result.ranges.size() == 2);
  CHECK(result.ranges[0].winner.method == "quick_if_small");
  CHECK(result.ranges[1].winner.method == "quick_if_large");
  const std::vector<Json> entries = read_tuned_tables(options.tuned_folder).tables.at(0).entries;
  REQUIRE(entries.size() == 2);
  CHECK(range_of(entries[0]).least == Approx(64 / 1.25));
  // Between 16 and 32, which have different winners, 23 is measured: the geometric mean. Its winner differs
  // from that of 16, so 19 is measured, then 17. 17 and 16 are too close to go on.
  CHECK(range_of(entries[0]).most == Approx(16 * 17));
  CHECK(range_of(entries[1]).least == Approx(16 * 17));
  CHECK(range_of(entries[1]).most == Approx(64 * 64 * 1.25));
  for (const Json& e : entries) {
    const bool small = e["winner"]["method"] == "quick_if_small";
    CHECK(e["range"]["regret"] == 1);
    CHECK(e["default"]["method"] == "slow");
    CHECK(sizes_of(e) == (small ? std::vector<Grid>{{8, 8}, {16, 16}}
                                : std::vector<Grid>{{17, 17}, {19, 19}, {23, 23}, {32, 32}, {64, 64}}));
    CHECK(asked_sizes_of(e) ==
          (small ? std::vector<Grid>{{8, 8}, {16, 16}} : std::vector<Grid>{{32, 32}, {64, 64}}));
    CHECK(e["grid"] == Json(small ? std::vector{16, 16} : std::vector{64, 64}));
    for (const Json& size : e["range"]["sizes"]) {
      CHECK(size["winner"]["method"] == e["winner"]["method"]);
      CHECK(size["regret"] == 1);
      CHECK_FALSE(size["measured"].contains("slow"));  // the default has its own time
      CHECK(size["gain"]["value"] > 1.2);
      CHECK(size["gain"]["low"] <= size["gain"]["value"]);
      CHECK(size["winner"]["median"] < size["default"]["median"]);
    }
  }
  // The winner of a range is confirmed at each of its sizes.
  for (const TuneAnswer& a : result.answers)
    for (const char* method : {"slow", "quick_if_small", "quick_if_large"})
      CHECK(a.fresh[place_of(a, {method, {}})].size() == 2);
}

TEST_CASE("one answer for all sizes depends on their weights", "[tune]") {
  for (const bool small_weighs : {true, false}) {
    const TemporaryFolder folder;
    TuneOptions options = quick_options(folder);
    options.one_answer = true;
    std::vector<TuningTarget> targets;
    for (const int n : {8, 128}) {
      targets.push_back(faulty_subject({"slow", "quick_if_small", "quick_if_large"}, n));
      targets.back().weight = (n == 8) == small_weighs ? 5 : 1;
    }
    const TuneResult result = tune_surely(targets, options, [](const TuneResult& r) {
      return r.ranges.size() == 1 && r.ranges[0].winner.method != "slow";
    });
    REQUIRE(result.ranges.size() == 1);
    CHECK(result.ranges[0].winner.method == (small_weighs ? "quick_if_small" : "quick_if_large"));
    const std::vector<Json> entries = read_tuned_tables(options.tuned_folder).tables.at(0).entries;
    REQUIRE(entries.size() == 1);
    const Json& range = entries[0]["range"];
    CHECK(range["regret"] > 1.5);  // at the size with the small weight
    CHECK(range["mean_regret"].get<double>() ==
          Approx(std::pow(range["regret"].get<double>(), 1. / 6)).epsilon(1e-5));
    CHECK(covers(entries[0], {32, 32}));
  }
}

TEST_CASE("an answer is compared with a fixed layout in the same processes, with an interval", "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  options.against = Candidate{"slow", {}};
  const TuneResult result =
      tune_quietly({faulty_subject({"sound", "slow"}, 8), faulty_subject({"sound", "slow"}, 16)}, options);
  REQUIRE(result.ranges.size() == 1);
  REQUIRE(result.ranges[0].winner.method == "sound");  // the default here, without confirmation
  for (const TuneAnswer& a : result.answers) {
    const auto gain = gain_there(a, *options.against, result.ranges[0].winner);
    REQUIRE(gain.has_value());
    CHECK(gain->value > 1.2);
    CHECK(gain->low.value() <= gain->value);
    CHECK(gain->high.value() >= gain->value);
  }
  const Json entry = read_tuned_tables(options.tuned_folder).tables.at(0).entries.at(0);
  for (const Json& size : entry["range"]["sizes"]) CHECK(size["against"]["gain"]["value"] > 1.2);
}

TEST_CASE("an invalid layout to compare with is an error before anything is measured", "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  options.against = Candidate{"too_large", {}};
  CHECK_THAT(
      error_of<std::invalid_argument>({faulty_subject({"sound", "too_large"})}, options),
      ContainsSubstring("--against too_large") && ContainsSubstring("8x8") && ContainsSubstring("memory"));
  CHECK_FALSE(std::filesystem::exists(options.output));
}

TEST_CASE("a tune of 2-D and 3-D grids together is an error", "[tune]") {
  const TemporaryFolder folder;
  TuningTarget cube = faulty_subject({"sound"});
  cube.grid = {8, 8, 8};
  CHECK_THAT(error_of<std::invalid_argument>({faulty_subject({"sound"}), cube}, quick_options(folder)),
             ContainsSubstring("8x8 and 8x8x8"));
}

TEST_CASE("an unusable table is an error before anything is measured", "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  options.tuned_folder = folder / "tune.jsonl/tuned";  // its parent is the record file
  CHECK_THROWS_AS(tune_quietly({faulty_subject({"slow", "sound"})}, options), WriteError);
  CHECK(last_records(options.output).empty());
}

TEST_CASE("a table that cannot be written at the end costs no answer", "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  setenv("CFDMARK_TEST_SPOILS", (folder / "tuned").c_str(), 1);
  const TuneResult result = tune_quietly({faulty_subject({"slow", "sound"})}, options);
  unsetenv("CFDMARK_TEST_SPOILS");
  CHECK(result.answers.at(0).choice.has_value());
  CHECK(result.table.empty());
  CHECK_THAT(result.unkept, ContainsSubstring(folder / "tuned"));
}

TEST_CASE("a budget is respected, and one too small for one config is an error", "[tune]") {
  const TemporaryFolder folder;
  TuneOptions options = quick_options(folder);
  options.budget = 4;
  // One of the two hangs and costs a quarter of the budget.
  const TuneResult result = tune_quietly({faulty_subject({"sound", "hangs"})}, options);
  REQUIRE(result.answers.at(0).seconds < 4);
  REQUIRE(result.answers[0].evaluations[1].status == TrialStatus::timeout);
  REQUIRE(result.answers[0].evaluations[0].samples.size() == samples_of_a_winner);
  options.budget = 0.4;  // device queries on a busy machine may take longer
  REQUIRE_THAT(error_of<BudgetOver>({faulty_subject({"hangs"})}, options),
               ContainsSubstring("400 ms") && ContainsSubstring("--budget"));
}

TEST_CASE("a space without a valid config is an error that names the most frequent constraint", "[tune]") {
  const TemporaryFolder folder;
  Row row = *faulty_subject({"sound"}).methods.front();
  row.space = {{{"block_x", {16, 32}, 32}, {"block_z", {2, 4}, 2}}, nullptr};
  TuningTarget target{{&row}, {8, 8, 1}, {}};
  REQUIRE_THAT(error_of<std::invalid_argument>({target}, quick_options(folder)),
               ContainsSubstring("8x8") && ContainsSubstring("4 of them") && ContainsSubstring("block_z="));
}

TEST_CASE("if no config works that is an error with the last reason", "[tune]") {
  const TemporaryFolder folder;
  const TuneOptions options = quick_options(folder);
  const std::string error = error_of<std::runtime_error>({faulty_subject({"wrong", "throws"})}, options);
  const std::string last_reason = last_records(options.output).at("throws")["reason"];
  REQUIRE_THAT(error, ContainsSubstring("8x8") && ContainsSubstring(last_reason));
}

#include "bench/gbench/gbench.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "bench/catalog/kernel_fields.hpp"
#include "bench/catalog/memory_check.hpp"
#include "bench/measure/prepared_case.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

// Flags for suggestions; Google Benchmark has others.
const std::vector<std::string> usual_flags = {
    "--benchmark_list_tests",       "--benchmark_filter",
    "--benchmark_min_time",         "--benchmark_repetitions",
    "--benchmark_format",           "--benchmark_out",
    "--benchmark_out_format",       "--benchmark_time_unit",
    "--benchmark_context",          "--benchmark_report_aggregates_only",
    "--benchmark_counters_tabular", "--benchmark_enable_random_interleaving"};

// Facts of the environment that the context contains, by key and place.
constexpr std::pair<const char*, const char*> facts[] = {{"cfdmark", "/program/version"},
                                                         {"build_type", "/program/build_type"},
                                                         {"compiler", "/program/compiler"},
                                                         {"compiler_flags", "/program/flags"},
                                                         {"instruction_set", "/program/instruction_set"},
                                                         {"cpu", "/host/cpu"},
                                                         {"threads", "/openmp/max_threads"},
                                                         {"omp_proc_bind", "/openmp/proc_bind"},
                                                         {"omp_places", "/openmp/places"},
                                                         {"cpu_quota", "/host/cpu_quota"},
                                                         {"gpu", "/gpu/name"},
                                                         {"gpu_driver", "/gpu/driver"},
                                                         {"cuda", "/gpu/cuda"}};

// Google Benchmark before 1.8 knows errors only.
template <class State>
void skip(State& state, const std::string& reason) {
  if constexpr (requires { state.SkipWithMessage(reason); })
    state.SkipWithMessage(reason);
  else
    state.SkipWithError(("not run: " + reason).c_str());
}

// The functions of the benchmarks. Google Benchmark calls one several times, to find its number of iterations
// and for each repetition, so the latest case stays prepared.
class Benchmarks {
 public:
  explicit Benchmarks(bool with_counters) : with_counters_(with_counters) {}

  bool all_correct() const { return all_correct_; }

  void run(benchmark::State& state, const Case& c) {
    if (!c.not_run.empty()) return skip(state, c.not_run);
    if (!lost_.empty()) return fail(state, lost_);
    try {
      const PreparedCase& ready = prepared(c);
      if (!ready.passed()) return fail(state, ready.verification().reason);
      measure(state, ready);
    } catch (const DeviceLost& e) {
      lost_ = message_of(e);
      static_cast<void>(ready_.release());  // memory of a lost device cannot be freed
      fail(state, lost_);
    } catch (const std::invalid_argument& e) {  // the method cannot run this case
      skip(state, message_of(e));
    } catch (const std::exception& e) {
      fail(state, message_of(e));
    }
  }

 private:
  const PreparedCase& prepared(const Case& c) {
    if (ready_ && latest_ == &c) return *ready_;
    ready_.reset();
    iterations_.clear();
    if (!leaves_room(c)) release_kept_kernel_fields();
    if (const std::string reason = memory_refusal(c); !reason.empty()) throw std::invalid_argument(reason);
    ready_ = std::make_unique<PreparedCase>(c, !verified_.contains(&c), [](Stage) {});
    latest_ = &c;
    if (ready_->passed()) verified_.insert(&c);
    return *ready_;
  }

  // An iteration is a step. Steps run without a pause, except that a solver starts each from its initial
  // state, outside the clock.
  void measure(benchmark::State& state, const PreparedCase& ready) {
    const TimedStep& timed = ready.timed();
    const benchmark::IterationCount calls =
        timed.reset ? 1 : (state.max_iterations + timed.steps - 1) / timed.steps;
    double seconds = 0;
    while (state.KeepRunningBatch(calls * timed.steps)) {
      if (timed.reset) timed.reset();
      const double sample = timed.backend->seconds([&] {
        for (benchmark::IterationCount n = 0; n < calls; ++n) timed.step();
      });
      state.SetIterationTime(sample);
      seconds += sample;
      if (timed.iterations) iterations_.insert(timed.iterations());
    }
    if (iterations_.size() > 1)
      return fail(state, fmt::format("a solve took {} iterations and another one {}", *iterations_.begin(),
                                     *iterations_.rbegin()));
    const Cost cost = double(state.iterations()) * ready.workload().cost();
    state.SetBytesProcessed(std::int64_t(cost.bytes));
    state.SetItemsProcessed(std::int64_t(cost.cells));
    if (!with_counters_) return;
    state.counters["GB/s"] = cost.bytes / 1e9 / seconds;
    // A variation relative to 0 would be NaN, which is not JSON.
    if (cost.flops > 0) state.counters["GFLOP/s"] = cost.flops / 1e9 / seconds;
    state.counters["working_set_bytes"] = double(ready.workload().field_bytes());
    if (!iterations_.empty()) state.counters["solver_iterations"] = *iterations_.begin();
  }

  void fail(benchmark::State& state, const std::string& reason) {
    all_correct_ = false;
    state.SkipWithError(reason.c_str());
  }

  bool with_counters_;
  std::unique_ptr<PreparedCase> ready_;
  std::set<int> iterations_;        // of a solver, of all samples of ready_
  const Case* latest_ = nullptr;    // the case of ready_
  std::set<const Case*> verified_;  // cases with a correct result
  std::string lost_;                // why the device no longer responds; nothing runs after that
  bool all_correct_ = true;
};

// Refuses what Google Benchmark would answer with an exit status of its own: 0 for an unknown format, 1 for a
// file that cannot be written.
void check_value(const std::string& flag) {
  const std::string name = flag.substr(0, flag.find('='));
  const std::string value = flag.substr(std::min(flag.size(), name.size() + 1));
  const std::vector<std::string> formats = {"console", "json", "csv"};
  if ((name == "--benchmark_format" || name == "--benchmark_out_format") &&
      std::find(formats.begin(), formats.end(), value) == formats.end())
    throw std::invalid_argument(fmt::format("gbench: unknown format '{}' in {}; expected {}{}", value, flag,
                                            one_of(formats), did_you_mean(value, formats)));
  if (name == "--benchmark_out" && !value.empty() && !std::ofstream(value, std::ios::app))
    throw WriteError(fmt::format("cannot write {}: {}", value, std::strerror(errno)));
}

// Passes the flags to Google Benchmark.
void set_flags(std::vector<std::string> flags) {
  std::string program = "cfdmark";
  std::vector<char*> words = {program.data()};
  for (std::string& flag : flags) {
    check_value(flag);
    words.push_back(flag.data());
  }
  int count = int(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (count < 2) return;
  const std::string flag = words[1], name = flag.substr(0, flag.find('='));
  const bool known = std::find(usual_flags.begin(), usual_flags.end(), name) != usual_flags.end();
  throw std::invalid_argument(
      known ? fmt::format("gbench: invalid value in '{}'", flag)
            : fmt::format("gbench: unknown option '{}'{}", flag, did_you_mean(name, usual_flags)));
}

// Adds a fact to the context, unless the flags have one of this name.
void add_context(const std::string& key, const Json& value, const std::vector<std::string>& flags) {
  const std::string option = "--benchmark_context=";
  for (const std::string& flag : flags)
    if (flag.starts_with(option) &&
        ("," + flag.substr(option.size())).find("," + key + "=") != std::string::npos)
      return;
  if (!value.is_null())
    benchmark::AddCustomContext(key, value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

bool run_google_benchmark(const std::vector<Case>& cases, const Json& environment,
                          const std::vector<std::string>& flags) {
  set_flags(flags);
  for (const auto& [key, place] : facts)
    add_context(key, environment.value(Json::json_pointer(place), Json()), flags);
  // Readers take `commit` as the code that was measured, which it is not if files were changed since.
  const bool dirty = environment.value("/program/dirty"_json_pointer, false);
  add_context(dirty ? "commit_before_changes" : "commit",
              environment.value("/program/commit"_json_pointer, Json()), flags);

  // In CSV Google Benchmark aborts if a benchmark has a counter that the first one has not.
  Benchmarks benchmarks(std::none_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag == "--benchmark_format=csv" || flag == "--benchmark_out_format=csv";
  }));
  for (const Case& c : cases)
    benchmark::RegisterBenchmark(case_name(c).c_str(), [&](benchmark::State& state) {
      benchmarks.run(state, c);
    })->UseManualTime();
  // Google Benchmark makes one reporter per process, and would delete it after the first run.
  const std::size_t selected = benchmark::RunSpecifiedBenchmarks(benchmark::CreateDefaultDisplayReporter());
  benchmark::ClearRegisteredBenchmarks();
  if (selected == 0)
    throw std::invalid_argument(
        "gbench: no benchmark matches --benchmark_filter; --benchmark_list_tests lists the names");
  return benchmarks.all_correct();
}

}  // namespace cfdmark

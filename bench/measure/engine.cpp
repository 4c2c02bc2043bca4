#include "bench/measure/engine.hpp"

#include <benchmark/benchmark.h>

#include <map>

namespace cfdmark {
namespace {

class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration)
        seconds_[run.run_name.function_name].push_back(run.real_accumulated_time);
  }
  std::vector<double> seconds(const std::string& name) const {
    const auto found = seconds_.find(name);
    return found == seconds_.end() ? std::vector<double>() : found->second;
  }

 private:
  std::map<std::string, std::vector<double>> seconds_;
};

// Random interleaving can be asked for on the engine's command line only.
void initialize_once() {
  static const bool done = [] {
    char program[] = "cfdmark", interleave[] = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program, interleave, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

std::vector<std::vector<double>> run_round(const std::vector<EngineCase>& cases) {
  initialize_once();
  for (const EngineCase& c : cases)
    benchmark::RegisterBenchmark(c.name.c_str(),
                                 [&c](benchmark::State& state) {
                                   for (auto _ : state) state.SetIterationTime(c.sample());
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(c.repetitions);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  std::vector<std::vector<double>> seconds;
  for (const EngineCase& c : cases) seconds.push_back(collector.seconds(c.name));
  return seconds;
}

}  // namespace cfdmark

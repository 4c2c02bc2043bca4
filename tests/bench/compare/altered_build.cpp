// A build of cfdmark with degraded kernels or solvers, to measure what `cfdmark compare` finds. $ALTERED is a
// comma-separated list of "NAME=1.05" (steps take 5 % longer) or "NAME=wrong" (results fail verification).
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/worker/worker.hpp"
#include "test_paths.hpp"

using namespace cfdmark;

namespace {

class Altered final : public Workload {
 public:
  // `launched`: a step only queues work on the device.
  Altered(std::unique_ptr<Workload> sound, const std::string& how, bool launched)
      : sound_(std::move(sound)),
        wrong_(how == "wrong"),
        more_(wrong_ ? 0 : std::stod(how) - 1),
        launched_(launched) {}

  void reset() override { sound_->reset(); }
  bool needs_reset() const override { return sound_->needs_reset(); }
  void run() override {
    if (launched_)
      run_and_repeat();
    else
      run_and_spin();
  }
  int iterations() const override { return sound_->iterations(); }
  Verification verify() override {
    Verification v = sound_->verify();
    if (wrong_) v.passed = false, v.reason = "made wrong for a test";
    return v;
  }
  Cost cost() const override { return sound_->cost(); }
  Resources resources() const override { return sound_->resources(); }
  std::size_t field_bytes() const override { return sound_->field_bytes(); }
  nlohmann::json solver_facts() override { return sound_->solver_facts(); }

 private:
  void run_and_spin() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    sound_->run();
    const auto until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>((Clock::now() - start) * more_);
    while (more_ > 0 && Clock::now() < until) {
    }
  }
  // Repeats, for example, one step in twenty if steps are to take 5 % longer.
  void run_and_repeat() {
    sound_->run();
    due_ += more_;
    if (due_ < 1) return;
    due_ -= 1;
    sound_->run();
  }

  std::unique_ptr<Workload> sound_;
  bool wrong_;
  double more_;
  bool launched_;
  double due_ = 0;  // steps still to repeat
};

// Parses the alteration of each name.
std::map<std::string, std::string> alterations(const std::string& text) {
  std::map<std::string, std::string> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    if (const std::size_t equals = word.find('='); equals != std::string::npos)
      found[word.substr(0, equals)] = word.substr(equals + 1);
  return found;
}

std::vector<Row> altered_catalog(const std::map<std::string, std::string>& altered) {
  std::vector<Row> rows = catalog();
  for (Row& row : rows)
    if (const auto found = altered.find(row.name); found != altered.end() && row.prepare)
      row.prepare = [sound = row.prepare, how = found->second, launched = row.backend == BackendKind::cuda](
                        Backend& on, const Domain& domain, const Config& config, const Config& workload) {
        return std::make_unique<Altered>(sound(on, domain, config, workload), how, launched);
      };
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("ALTERED");
  const std::string what = set ? set : "", command = argc > 1 ? argv[1] : "";
  if (command != "worker") {
    execv(CFDMARK_PROGRAM, argv);
    return 127;
  }
  return worker_main(altered_catalog(alterations(what)));
}

#include "bench/compare/round.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "bench/measure/make_record.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/messages.hpp"

namespace cfdmark::compare {
namespace {

// Long compared with a switch between processes, short compared with disturbances of a machine.
constexpr double turn_seconds = 8e-3;
constexpr int most_samples = 4;  // per turn
// Threads that wait for each other on a busy machine can take a hundred times as long as in the first sample.
// A case's sampling stops at this multiple of its planned time.
constexpr double most_overrun = 3;

struct Turns {
  int count, samples;
};

Turns turns_for(double sample_seconds, double seconds) {
  const int samples = std::clamp(int(turn_seconds / sample_seconds), 1, most_samples);
  const double wanted = std::ceil(seconds / (samples * sample_seconds));
  return {2 * std::max(1, int(std::min(wanted, 1000.0) + 1) / 2),
          samples};  // even: as many turns forwards as backwards
}

void set_turns(Record& record, std::vector<double> samples, int in_turn) {
  CaseResult& result = record.result;
  result.samples = {std::move(samples)};
  result.stopped_by = "turns";
  result.samples_in_turn = in_turn;
  result.sample_iterations.clear();  // of the first, discarded sample
  record.derive();
}

class Round {
 public:
  explicit Round(const RoundPlan& plan) : plan_(plan), records_(plan.sides.size()) {
    for (const RoundSide& side : plan.sides)
      workers_.emplace_back(side.worker, plan.timeout, std::vector<std::string>(), side.rows);
  }

  std::vector<std::vector<Record>> run() {
    for (const Case& c : plan_.cases)
      if (!measure(c)) return {};
    return records_;
  }

 private:
  // Adds a record of the case for every side. False if it was stopped.
  bool measure(const Case& c) {
    std::vector<Record> records;
    // The first sample of each side estimates the duration. It is cold and is discarded.
    for (std::size_t side = 0; side < plan_.sides.size(); ++side) {
      std::optional<Record> first = sample(side, c, 1);
      if (!first) return false;
      records.push_back(*std::move(first));
    }
    if (all_ok(records) && !take_turns(c, records)) return false;
    for (std::size_t side = 0; side < records.size(); ++side) {
      forget(side);
      records_[side].push_back(std::move(records[side]));
    }
    return true;
  }

  bool take_turns(const Case& c, std::vector<Record>& records) {
    double longest = 0;
    for (const Record& record : records) longest = std::max(longest, record.result.sampled_seconds());
    const Turns turns = turns_for(std::max(longest, 1e-9), plan_.seconds);
    std::vector<std::vector<double>> samples(records.size());
    const double end = seconds_now() + most_overrun * plan_.seconds * double(records.size());
    for (int turn = 0; turn < turns.count && (turn % 2 || turn == 0 || seconds_now() < end); ++turn)
      for (std::size_t n = 0; n < records.size(); ++n) {
        const std::size_t side = turn % 2 ? records.size() - 1 - n : n;
        std::optional<Record> record = sample(side, c, turns.samples);
        if (!record) return false;
        if (!record->is_ok()) {
          records[side] = *std::move(record);
          return true;
        }
        const std::vector<double>& came = record->result.samples.front();
        samples[side].insert(samples[side].end(), came.begin(), came.end());
      }
    for (std::size_t side = 0; side < records.size(); ++side)
      set_turns(records[side], std::move(samples[side]), turns.samples);
    return true;
  }

  static bool all_ok(const std::vector<Record>& records) {
    return std::all_of(records.begin(), records.end(), [](const Record& r) { return r.is_ok(); });
  }

  // Returns a record with that many samples, or one that says what went wrong. None if it was stopped.
  std::optional<Record> sample(std::size_t side, const Case& c, int samples) {
    std::optional<Record> record;
    CaseListener listener;
    listener.result = [&](std::size_t, CaseResult result) {
      record = make_record(c, std::move(result), plan_.sides[side].environment);
    };
    listener.keep_going = plan_.keep_going;
    const Answer answer = ask_for_cases(
        workers_[side], {{"request", "sample"}, {"samples", samples}, {"instructions", true}}, {c}, listener);
    return answer.end == Answer::End::stopped ? std::nullopt : record;
  }

  // Releases the memory of the case, since the processes hold theirs at the same time. A run request without
  // cases does that.
  void forget(std::size_t side) {
    Supervisor::Listener quietly;
    Json request = {{"request", "run"}, {"seconds", 0}, {"interval", 0}};
    set_cases(request, {}, workers_[side].rows());
    workers_[side].ask(request, quietly);
  }

  const RoundPlan& plan_;
  std::deque<Supervisor> workers_;
  std::vector<std::vector<Record>> records_;  // by side
};

}  // namespace

std::vector<std::vector<Record>> measure_round(const RoundPlan& plan) { return Round(plan).run(); }

}  // namespace cfdmark::compare

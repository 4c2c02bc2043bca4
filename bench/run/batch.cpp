#include "bench/run/batch.hpp"

#include "bench/measure/instruction_count.hpp"
#include "bench/record/record.hpp"
#include "bench/run/memory_check.hpp"

namespace cfdmark {
namespace {

// More cases side by side make the interleaving no fairer, but more is to be done again after a crash.
constexpr std::size_t most_in_a_batch = 24;

class Batch {
 public:
  Batch(const std::vector<Case>& cases, const BatchOptions& options, const BatchEvents& events)
      : cases_(cases), options_(options), events_(events) {}

  // Takes cases from `first` on, until memory or the batch is full; returns the first that was left.
  std::size_t fill(std::size_t first) {
    std::size_t next = first;
    while (next < cases_.size() && prepared_.size() < most_in_a_batch && fits(cases_[next])) prepare(next++);
    return next;
  }

  void measure_all() {
    std::vector<Timed> timed;
    for (const Prepared& p : prepared_) timed.push_back(p.ready->timed());
    MeasureOptions options;
    options.seconds = options_.seconds;
    options.interval = options_.interval;
    options.entering = [&](std::size_t n) { events_.entering(prepared_[n].index, Stage::measure); };
    measure(timed, options, [&](std::size_t n, const Measurement& m) { finish(prepared_[n], timed[n], m); });
  }

 private:
  struct Prepared {
    std::size_t index;  // among all cases
    std::unique_ptr<PreparedCase> ready;
  };

  bool fits(const Case& next) const { return prepared_.empty() || leaves_room(next); }

  void prepare(std::size_t index) {
    const Case& c = cases_[index];
    try {
      if (prepared_.empty())
        if (const std::string reason = memory_refusal(c); !reason.empty())
          return end(index, std::invalid_argument(reason));
      auto ready = std::make_unique<PreparedCase>(c, [&](Stage stage) { events_.entering(index, stage); });
      if (ready->passed())
        prepared_.push_back({index, std::move(ready)});
      else
        events_.record(index, ready->failed_record(options_.environment));
    } catch (const DeviceLost& e) {
      end(index, e);
      throw;
    } catch (const std::exception& e) {
      end(index, e);
    }
  }

  void finish(const Prepared& p, const Timed& timed, const Measurement& m) {
    if (!m.error.empty()) return end(p.index, std::runtime_error(m.error));
    try {
      Json record = p.ready->ok_record(m, options_.environment);
      record["energy"] = p.ready->energy(timed, m.interval.median);
      record["instructions"] =
          count_instructions({timed.backend, timed.step, timed.reset, m.interval.median});
      events_.record(p.index, record);
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& e) {
      end(p.index, std::runtime_error(e.what()));
    }
  }

  void end(std::size_t index, const std::exception& why) {
    events_.record(index, record_of_failure(cases_[index], options_.environment, why));
  }

  const std::vector<Case>& cases_;
  const BatchOptions& options_;
  const BatchEvents& events_;
  std::vector<Prepared> prepared_;
};

}  // namespace

void run_cases(const std::vector<Case>& cases, const BatchOptions& options, const BatchEvents& events) {
  for (std::size_t next = 0; next < cases.size();) {
    Batch batch(cases, options, events);
    next = batch.fill(next);
    batch.measure_all();
  }
}

}  // namespace cfdmark

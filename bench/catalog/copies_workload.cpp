#include "bench/catalog/copies_workload.hpp"

#include <fmt/format.h>

#include <chrono>

#include "bench/case/rank_copies.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/linear/device_parts.hpp"

namespace cfdmark {
namespace {

// A copy of a case, and where it runs: in a queue of its own, on CUDA on a device of its own.
struct CaseCopy {
  RankBackend on;
  std::unique_ptr<Workload> workload;
  double busy = 0;  // seconds since the last reset
};

class CopiesWorkload final : public Workload {
 public:
  CopiesWorkload(const Row& row, const Backend& home, const RankSetup& setup, const Domain& domain,
                 const Config& config, const Config& workload)
      : setup_(setup), cells_(double(domain.box().cells())), team_(setup.count) {
    require_rank_devices(home, setup.count);
    for (int n = 0; n < setup.count; ++n) {
      RankBackend on(home, n);
      auto prepared = row.prepare(*on, domain, config, workload);
      copies_.push_back({std::move(on), std::move(prepared)});
    }
  }

  void reset() override {
    for (CaseCopy& copy : copies_) copy.workload->reset(), copy.busy = 0;
    runs_ = 0;
  }
  bool needs_reset() const override { return first().needs_reset(); }
  void run() override {
    team_.run(run_);
    ++runs_;
  }
  int steps() const override { return first().steps(); }
  int iterations() const override { return first().iterations(); }
  Verification verify() override {
    Verification v;
    for (std::size_t n = 0; n < copies_.size(); ++n) {
      v = copies_[n].workload->verify();
      if (!v.passed) v.reason = fmt::format("copy {} of {}: {}", n + 1, copies_.size(), v.reason);
      if (!v.passed) break;
    }
    return v;
  }
  void time_routines() override { first().time_routines(); }

  Cost cost() const override { return double(setup_.count) * first().cost(); }
  Resources resources() const override {
    Resources resources = first().resources();
    resources.threads = setup_.count;
    return resources;
  }
  std::size_t field_bytes() const override { return copies_.size() * first().field_bytes(); }
  nlohmann::json solver_facts() override { return first().solver_facts(); }
  nlohmann::json rank_facts() const override {
    RankFacts facts;
    facts.setup = setup_;
    facts.joined_by = "threads";
    facts.parts = {1, 1, 1};
    for (const CaseCopy& copy : copies_) {
      facts.cells.push_back(cells_);
      facts.of_a_solve.push_back({.busy = copy.busy / std::max(runs_, 1)});
    }
    return ranks_json(facts, {facts.of_a_solve});
  }

 private:
  Workload& first() const { return *copies_.front().workload; }

  void run_copy(CaseCopy& copy) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    copy.workload->run();
    copy.busy += std::chrono::duration<double>(Clock::now() - start).count();
  }

  RankSetup setup_;
  double cells_;
  std::vector<CaseCopy> copies_;
  RankTeam team_;  // ends before the copies
  std::function<void(Ranks&)> run_ = [this](Ranks& ranks) { run_copy(copies_[std::size_t(ranks.rank())]); };
  int runs_ = 0;  // since the last reset
};

Row row_of_copies(Row row, const RankSetup& setup) {
  const auto times = [count = setup.count](const auto& bytes_of) {
    return [=](const Domain& domain, const Config& workload) { return count * bytes_of(domain, workload); };
  };
  row.field_bytes = times(row.field_bytes);
  row.prepare = [one = row, setup](const Backend& on, const Domain& domain, const Config& config,
                                   const Config& workload) {
    return std::make_unique<CopiesWorkload>(one, on, setup, domain, config, workload);
  };
  row.prepare_solve = nullptr;
  row.on_ranks = nullptr;
  return row;
}

}  // namespace

std::function<Row(const RankSetup&)> with_copies(const Row& row) {
  return [row](const RankSetup& setup) {
    return setup.partition == partition_copies ? row_of_copies(row, setup) : row.on_ranks(setup);
  };
}

}  // namespace cfdmark

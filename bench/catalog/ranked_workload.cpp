#include "bench/catalog/ranked_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/catalog/ranks_json.hpp"
#include "kernels/ranks/timed_ranks.hpp"

namespace cfdmark {

struct RankedKernelWorkload::TimedPart {
  explicit TimedPart(Ranks& of_all) : ranks(of_all) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    part->run();
    busy += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  TimedRanks ranks;
  std::unique_ptr<KernelPart> part;
  double busy = 0;  // seconds of all runs
};

RankedKernelWorkload::RankedKernelWorkload(Backend& on, RankFacts facts, const Cost& cost,
                                           std::shared_ptr<KernelFields> fields, const MakePart& make,
                                           Check check)
    : FieldsWorkload(on, std::move(fields)),
      facts_(std::move(facts)),
      cost_(cost),
      check_(std::move(check)),
      parts_(static_cast<std::size_t>(facts_.setup.count)),
      team_(facts_.setup.count),
      run_([this](Ranks& ranks) { part(ranks).run(); }) {
  facts_.joined_by = "threads";
  team_.run([&](Ranks& ranks) {
    auto& timed = parts_[std::size_t(ranks.rank())];
    timed = std::make_unique<TimedPart>(ranks);
    timed->part = make(timed->ranks);
    timed->part->load(fields_->views());
    timed->ranks.reset();
  });
  step_.resources.threads = facts_.setup.count;
  step_.run = [this] { team_.run(run_); };
}

RankedKernelWorkload::~RankedKernelWorkload() = default;

void RankedKernelWorkload::reset() {
  FieldsWorkload::reset();
  team_.run([this](Ranks& ranks) { part(ranks).part->load(fields_->views()); });
}

void RankedKernelWorkload::run() {
  FieldsWorkload::run();
  ++runs_;
}

nlohmann::json RankedKernelWorkload::rank_facts() const {
  RankFacts facts = facts_;
  std::vector<RankSeconds> seconds;
  const double runs = std::max(runs_, 1);
  for (const auto& part : parts_) {
    const Communicated& sent = part->ranks.communicated();
    facts.messages += sent.messages / runs;
    facts.exchange_bytes += sent.exchange_bytes / runs;
    facts.largest_message = std::max(facts.largest_message, sent.largest_message);
    facts.sums = sent.sums / runs;
    facts.sum_bytes += sent.sum_bytes / runs;
    seconds.push_back({part->busy / runs, sent.exchange_seconds / runs, sent.sum_seconds / runs});
  }
  return ranks_json(facts, {seconds});
}

Verification RankedKernelWorkload::check() {
  for (const auto& part : parts_) part->part->store(fields_->views());
  *fields_->result() = parts_.front()->part->result();
  return check_(*fields_, fmt::format("{} ranks, {}", facts_.setup.count, facts_.setup.partition));
}

}  // namespace cfdmark

#include "bench/catalog/ranked_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/catalog/rank_details_json.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/linear/ranked_iteration.hpp"

namespace cfdmark {

struct RankedFieldsWorkload::TimedPart {
  explicit TimedPart(Ranks& of_all) : ranks(of_all) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    part->run();
    busy += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  TimedRanks ranks;
  std::unique_ptr<FieldsPart> part;
  double busy = 0;  // seconds of all runs
};

RankedFieldsWorkload::RankedFieldsWorkload(Backend& on, RankFacts facts, const Cost& cost,
                                           std::shared_ptr<KernelFields> fields, const MakePart& make,
                                           Check check)
    : FieldsWorkload(on, std::move(fields)),
      on_(on),
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
  step_.resources = parts_.front()->part->resources();
  step_.resources.threads = facts_.setup.count;
  step_.run = [this] { team_.run(run_); };
}

RankedFieldsWorkload::~RankedFieldsWorkload() = default;

void RankedFieldsWorkload::reset() {
  FieldsWorkload::reset();
  team_.run([this](Ranks& ranks) { part(ranks).part->load(fields_->views()); });
}

void RankedFieldsWorkload::run() {
  FieldsWorkload::run();
  ++runs_;
}

nlohmann::json RankedFieldsWorkload::rank_facts() const {
  RankFacts facts = facts_;
  facts.cells.clear();
  std::vector<RankDetail> details;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const Communicated& sent = parts_[r]->ranks.communicated();
    add_rank(facts, facts_.cells[r], parts_[r]->busy, sent, std::max(runs_, 1));
    details.push_back(rank_detail(sent, std::max(runs_, 1)));
  }
  nlohmann::json json = ranks_json(facts, {facts.of_a_solve});
  add_details(json, {details});
  return json;
}

Verification RankedFieldsWorkload::check() {
  for (const auto& part : parts_) part->part->store(fields_->views());
  const double result = parts_.front()->part->result();
  on_.upload(fields_->result(), &result, sizeof result);
  return check_(*fields_, fmt::format("{} ranks, {}", facts_.setup.count, facts_.setup.partition));
}

}  // namespace cfdmark

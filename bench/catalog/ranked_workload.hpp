// A kernel on ranks that are threads, as a workload: each rank has a part of the fields.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/catalog/fields_workload.hpp"
#include "kernels/core/rank_setup.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/base/rank_facts.hpp"

namespace cfdmark {

// A rank's part of the fields of a kernel.
class FieldsPart {
 public:
  virtual ~FieldsPart() = default;
  // Copies what the rank reads from fields of the whole domain, and its results to them.
  virtual void load(const std::vector<AnyView>& whole) = 0;
  virtual void store(const std::vector<AnyView>& whole) const = 0;
  // Performs a step, with its exchanges and sums.
  virtual void run() = 0;
  // Returns the result of a reduction, which is the same on all ranks.
  virtual double result() const { return 0; }
  // Returns the resources of a step, of a part on a device.
  virtual Resources resources() const { return {}; }
};

class RankedFieldsWorkload : public FieldsWorkload {
 public:
  // Makes the part of a rank. The Ranks live as long as the part.
  using MakePart = std::function<std::unique_ptr<FieldsPart>(Ranks&)>;
  // Compares what a step leaves in the fields of the whole domain, by the name of the method.
  using Check = std::function<Verification(KernelFields&, const std::string& method)>;

  // facts: those of the partition.
  RankedFieldsWorkload(Backend&, RankFacts facts, const Cost&, std::shared_ptr<KernelFields>, const MakePart&,
                       Check);
  ~RankedFieldsWorkload() override;

  void reset() override;
  void run() override;
  Cost cost() const override { return cost_; }
  nlohmann::json rank_facts() const override;

 private:
  struct TimedPart;

  TimedPart& part(const Ranks& ranks) { return *parts_[std::size_t(ranks.rank())]; }
  Verification check() override;

  Backend& on_;
  RankFacts facts_;
  Cost cost_;
  Check check_;
  std::vector<std::unique_ptr<TimedPart>> parts_;
  RankTeam team_;  // ends before the parts
  std::function<void(Ranks&)> run_;
  int runs_ = 0;
};

}  // namespace cfdmark

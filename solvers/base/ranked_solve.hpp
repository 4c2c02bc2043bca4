// A prepared solve on several ranks, of any family.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "solvers/base/prepared_solve.hpp"

namespace cfdmark {

// Parts of the seconds of one rank in a solve (RankSeconds): of its work, its exchanges and its sums.
struct RankDetail {
  double redundant = 0;                           // work that every rank repeats: coarse levels of multigrid
  double exchange_waiting = 0, sums_waiting = 0;  // for other ranks
};

// Functions of an iteration on ranks, which sets them when it is prepared. They live as long as it does.
struct RankAccess {
  // True: load() and store() copy between the whole problem and the parts, so that a solve need not.
  bool copies_outside = false;
  std::function<void()> load, store;
  std::function<void(Outcome&)> complete;  // adds what only the family knows; null: nothing
  std::function<RankFacts()> facts;
  std::function<std::vector<RankDetail>()> details;  // by rank, of the last solve
};

// Copies the problem to the parts in reset() and the answer back in verify() and error(), if the access
// allows it: the time of a solve is then that of its iterations.
class RankedSolve final : public PreparedSolve {
 public:
  // `whole`: a solve whose iteration runs on ranks and has set the access.
  RankedSolve(std::unique_ptr<PreparedSolve> whole, std::shared_ptr<RankAccess> access, RankSetup setup)
      : setup_(std::move(setup)), access_(std::move(access)), whole_(std::move(whole)) {}

  void load(std::shared_ptr<const Problem> next) override { whole_->load(std::move(next)); }
  void reset() override {
    whole_->reset();
    if (access_->copies_outside) access_->load();
  }
  Judgement verify(Outcome& outcome, double tolerance) override {
    if (access_->copies_outside) access_->store();
    return whole_->verify(outcome, tolerance);
  }
  std::function<double()> error() const override {
    auto of_whole = whole_->error();
    if (!of_whole || !access_->copies_outside) return of_whole;
    return [access = access_, of_whole = std::move(of_whole)] {
      access->store();
      return of_whole();
    };
  }
  Solver& solver() const override { return whole_->solver(); }
  // Sum over the parts: about the memory of one rank.
  std::size_t field_bytes() const override { return whole_->field_bytes(); }
  std::optional<RankFacts> rank_facts() const override {
    RankFacts facts = access_->facts();
    facts.setup = setup_;
    return facts;
  }
  // Collective between processes. Returns the solve of the whole problem, with the answer as it is now.
  PreparedSolve& whole() const {
    if (access_->copies_outside) access_->store();
    return *whole_;
  }
  // Returns the details of the last solve, by rank of this process.
  std::vector<RankDetail> details() const { return access_->details(); }

 private:
  void complete(Outcome& outcome) override {
    if (access_->complete) access_->complete(outcome);
  }

  RankSetup setup_;
  std::shared_ptr<RankAccess> access_;
  std::unique_ptr<PreparedSolve> whole_;
};

// Returns the solve of the whole problem (RankedSolve::whole); on one rank the solve itself.
inline PreparedSolve& whole_solve(PreparedSolve& prepared) {
  const auto* ranked = dynamic_cast<const RankedSolve*>(&prepared);
  return ranked ? ranked->whole() : prepared;
}

}  // namespace cfdmark

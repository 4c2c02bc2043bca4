#include "solvers/linear/system/rank_communicator.hpp"

#include <stdexcept>

#include "kernels/ranks/domain_reduction.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

Step step_of(std::function<void()> run) {
  Step step;
  step.run = std::move(run);
  return step;
}

void require_host(const Operations& op) {
  if (!op.backend().host_accessible()) throw std::logic_error("ranks exchange values of hosts only");
}

}  // namespace

std::vector<Operation> RankCommunicator::exchange(const Operations& op, const AnyView& field) const {
  require_host(op);
  const std::shared_ptr<GhostExchange> exchange = ranks_->exchange(*partition_, field);
  Cost cost;
  cost.bytes = 2 * exchange->traffic().bytes;  // read and written
  return {{"ghosts", &op.backend(), nullptr, step_of([exchange] { exchange->run(); }), cost}};
}

std::optional<Step> RankCommunicator::reduce_rows(const Operations& op, const std::function<RowParts()>& rows,
                                                  double* result) const {
  require_host(op);
  const auto reduction = std::make_shared<DomainReduction>(*ranks_, *partition_, rows(), result);
  return step_of([reduction] { reduction->run(); });
}

std::vector<Operation> RankCommunicator::sum(const Operations& op, double* share) const {
  require_host(op);
  return {{"ranks",
           &op.backend(),
           nullptr,
           step_of([ranks = ranks_, share] {
             std::vector<double> shares(static_cast<std::size_t>(ranks->count()));
             ranks->gather("sum", share, sizeof *share, shares.data());
             *share = 0;
             for (const double of_rank : shares) *share += of_rank;
           }),
           {}}};
}

}  // namespace cfdmark

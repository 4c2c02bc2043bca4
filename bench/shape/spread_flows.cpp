#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "bench/shape/flow_solver.hpp"

namespace cfdmark {
namespace {

// Deals the flows of a batch to solvers on several devices, which work at once.
class SpreadFlows final : public FlowSolver {
 public:
  explicit SpreadFlows(std::vector<std::unique_ptr<FlowSolver>> solvers) : solvers_(std::move(solvers)) {}

  void solve(std::size_t flows, const Make& make, const Calls& calls) override {
    std::mutex one_at_a_time;
    std::exception_ptr thrown;
    struct Ended {};
    const std::size_t count = solvers_.size();
    const auto work = [&](std::size_t part) {
      const auto of = [=](std::size_t n) { return n * count + part; };
      Calls own = calls;
      own.ended = [&](std::size_t n, const FlowAround& found, const FlowFields* flow) {
        const std::lock_guard lock(one_at_a_time);
        if (thrown) throw Ended();
        calls.ended(of(n), found, flow);
      };
      if (calls.stops)
        own.stops = [&](std::size_t n, const std::vector<ForceLook>& looks) {
          return calls.stops(of(n), looks);
        };
      try {
        solvers_[part]->solve((flows + count - 1 - part) / count, [&](std::size_t n) { return make(of(n)); },
                              own);
      } catch (const Ended&) {
      } catch (...) {
        const std::lock_guard lock(one_at_a_time);
        if (!thrown) thrown = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t part = 1; part < count; ++part) threads.emplace_back(work, part);
    work(0);
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  std::vector<std::unique_ptr<FlowSolver>> solvers_;
};

std::unique_ptr<FlowSolver> on_one_device(const TunnelFlow& flow) {
  return flow.slots > 0 ? stacked_flows(flow) : single_flows(flow);
}

}  // namespace

std::unique_ptr<FlowSolver> flow_solver_of(const TunnelFlow& flow) {
  if (flow.devices.size() < 2) return on_one_device(flow);
  std::vector<std::unique_ptr<FlowSolver>> solvers;
  for (const int device : flow.devices) {
    TunnelFlow own = flow;
    own.device = device;
    solvers.push_back(on_one_device(own));
  }
  return std::make_unique<SpreadFlows>(std::move(solvers));
}

}  // namespace cfdmark

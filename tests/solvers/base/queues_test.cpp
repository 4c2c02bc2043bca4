// Two solves at once, in two threads, each on a queue of its own (new_queue).
#include <chrono>
#include <cmath>
#include <cstring>
#include <future>

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

namespace {

struct Task {
  std::string solver, method;
  std::string problem;
  Grid grid;
  Config config = {};
};

// A solve prepared on its own queue, and run often enough to be timed.
class OnQueue {
 public:
  OnQueue(BackendKind kind, const Task& task)
      : queue_(new_queue(kind)), prepared_(prepared_on(*queue_, task)) {
    for (int n = 0; n < 2; ++n) solve();  // the second run records graphs
  }

  Outcome solve() {
    prepared_->reset();
    return prepared_->solve(1e-9, 5000);
  }
  // Returns the seconds of `times` solves.
  double solve_repeatedly(int times) {
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < times; ++n) last_ = solve();
    queue_->fence();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const Outcome& last() const { return last_; }
  HostField answer() const { return prepared_->solution(); }

  static std::unique_ptr<PreparedSolver> prepared_on(Backend& backend, const Task& task) {
    const SolverDescription& solver = solver_named(task.solver);
    const SolverMethod method = method_named(solver, backend.kind(), task.method);
    return std::make_unique<PreparedSolver>(solver, method, backend, Precision::fp64,
                                            method.space.complete(task.config),
                                            posed(task.problem, task.grid));
  }

 private:
  std::unique_ptr<Backend> queue_;
  std::unique_ptr<PreparedSolver> prepared_;  // after its queue, which it uses to the end
  Outcome last_;
};

struct Answer {
  Outcome outcome;
  HostField u;
};
Answer answer_of(const OnQueue& solve) { return {solve.last(), solve.answer()}; }

// Solves alone on the process-wide backend.
Answer alone(BackendKind kind, const Task& task) {
  const auto prepared = OnQueue::prepared_on(backend(kind), task);
  prepared->reset();
  Outcome outcome = prepared->solve(1e-9, 5000);
  return {std::move(outcome), prepared->solution()};
}

void check_same(const Answer& a, const Answer& b) {
  CHECK(a.outcome.converged);
  CHECK(a.outcome.iterations == b.outcome.iterations);
  CHECK(a.outcome.history == b.outcome.history);
  CHECK(std::memcmp(a.u.data(), b.u.data(), a.u.bytes()) == 0);
}

template <class Work>
auto in_thread(const Work& work) {
  return std::async(std::launch::async, work);
}

struct Pair {
  std::unique_ptr<OnQueue> first, second;
};
// Prepares both at once.
Pair prepared_at_once(BackendKind kind, const Task& first, const Task& second) {
  auto one = in_thread([&] { return std::make_unique<OnQueue>(kind, first); });
  auto other = in_thread([&] { return std::make_unique<OnQueue>(kind, second); });
  return {one.get(), other.get()};
}
// Returns the seconds that both take at once.
double solve_at_once(const Pair& pair, int first_times, int second_times) {
  const auto start = std::chrono::steady_clock::now();
  auto one = in_thread([&] { pair.first->solve_repeatedly(first_times); });
  auto other = in_thread([&] { pair.second->solve_repeatedly(second_times); });
  one.get(), other.get();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Config graphs_of_ten() {
  Config config;
  config.set("graph_iterations", 10);
  config.set("check_interval", 10);
  return config;
}

}  // namespace

TEST_CASE("two solves in two threads on queues of their own leave the same bits as alone", "[queue]") {
  for (const BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    if (!unavailable_reason(kind).empty()) continue;
    INFO(to_string(kind));
    const Task first{"cg", "textbook", "jump", {63, 40}}, second{"cg", "fused", "manufactured", {17, 13, 11}};
    const Pair pair = prepared_at_once(kind, first, second);
    solve_at_once(pair, 5, 5);
    check_same(answer_of(*pair.first), alone(kind, first));
    check_same(answer_of(*pair.second), alone(kind, second));
  }
}

TEST_CASE("a device that cannot have another queue is an error with the reason", "[queue]") {
  CHECK_THROWS_WITH(new_queue({BackendKind::serial, 1}), ContainsSubstring("the only device is 0"));
  if (unavailable_reason(BackendKind::kokkos).empty())
    CHECK_THROWS_WITH(new_queue(BackendKind::kokkos), ContainsSubstring("one queue per process"));
  if (!unavailable_reason(BackendKind::cuda).empty())
    CHECK_THROWS_WITH(new_queue(BackendKind::cuda), ContainsSubstring(unavailable_reason(BackendKind::cuda)));
}

TEST_CASE("a queue is another object on the same device", "[queue]") {
  const auto queue = new_queue(BackendKind::serial);
  CHECK(queue.get() != &backend(BackendKind::serial));
  CHECK(queue->id() == backend(BackendKind::serial).id());
}

TEST_CASE("two solves on queues of one GPU leave the same bits as alone and overlap on small grids",
          "[queue][cuda][gpu]") {
  if (skipped_without_device()) return;
  constexpr BackendKind kind = BackendKind::cuda;
  const Task cg{"cg", "textbook", "heated_plate", {63, 63}, graphs_of_ten()},
      multigrid{"multigrid", "plain", "heated_plate", {127, 127}};
  const Pair pair = prepared_at_once(kind, cg, multigrid);

  // As many solves of each as take 0.2 s, so that neither runs alone for long.
  const auto times = [](OnQueue& solve) { return int(std::ceil(0.2 / (solve.solve_repeatedly(20) / 20))); };
  const int first_times = times(*pair.first), second_times = times(*pair.second);
  const double first = pair.first->solve_repeatedly(first_times),
               second = pair.second->solve_repeatedly(second_times);
  const Answer first_alone = answer_of(*pair.first), second_alone = answer_of(*pair.second);
  const double both = solve_at_once(pair, first_times, second_times);

  check_same(answer_of(*pair.first), first_alone);
  check_same(answer_of(*pair.second), second_alone);
  check_same(first_alone, alone(kind, cg));
  check_same(second_alone, alone(kind, multigrid));
  INFO("alone " << first << " s and " << second << " s, at once " << both << " s");
  CHECK(both < 0.8 * (first + second));
}

TEST_CASE("preparing, freeing and capturing at once on queues of one GPU leave the bits of a solve unchanged",
          "[queue][cuda][gpu]") {
  if (skipped_without_device()) return;
  const Task cg{"cg", "textbook", "heated_plate", {63, 63}, graphs_of_ten()};
  const Answer expected = alone(BackendKind::cuda, cg);
  const auto prepare_and_free = [&] {
    bool same = true;
    for (int n = 0; n < 10; ++n) {
      OnQueue solve(BackendKind::cuda, cg);
      solve.solve_repeatedly(3);
      same = same && std::memcmp(solve.answer().data(), expected.u.data(), expected.u.bytes()) == 0;
    }
    return same;
  };
  auto one = in_thread(prepare_and_free), other = in_thread(prepare_and_free);
  CHECK(one.get());
  CHECK(other.get());
}

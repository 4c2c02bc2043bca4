#include "bench/solve/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "bench/solve/outline_flows.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/core/domain.hpp"
#include "solvers/flow/table.hpp"
#include "solvers/shape/parametrisation.hpp"

namespace cfdmark {
namespace {

constexpr double diameter = 0.125;  // of the circle of the bodies' area, in tunnel heights

// Returns superellipses of one area at (1, 1/2), 1.35 to 3 times as long as high and from nearly a diamond to
// nearly a rectangle: additive recurrences fill the plane of both parameters evenly.
std::vector<Outline> bodies_of(int number) {
  const Parametrisation& superellipse = find_parametrisation("superellipse");
  const auto share = [](int n, double step) { return std::fmod(0.5 + n * step, 1.0); };
  std::vector<Outline> all;
  for (int n = 0; n < number; ++n) {
    const double ln_aspect = 0.3 + 0.8 * share(n, 0.7548776662), ln_n = 0.4 + share(n, 0.5698402910);
    all.push_back(moved(
        superellipse.outline({ln_aspect, ln_n, 0}, std::numbers::pi * diameter * diameter / 4), {1, 0.5}));
  }
  return all;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Compares the rows of the table: with the first one for people, and the stacks among each other bit by bit.
class Table {
 public:
  explicit Table(int rounds) : rounds_(rounds) {
    fmt::print("{:<14} {:>9} {:>17} {:>13} {:>9} {:>10} {:>5} {:>6} {:>7} {:>11} {:>11}\n", "method",
               "seconds", "range", "evaluations/s", "ms each", "iterations", "ok", "idle", "times",
               "drag within", "other ends");
  }

  // Runs `evaluate` once to warm up and then in rounds. idle(): share of slot-iterations without a flow.
  void add(const std::string& name, bool is_stack, const std::function<std::vector<OutlineFlow>()>& evaluate,
           const std::function<double()>& idle) {
    std::vector<OutlineFlow> found = evaluate();
    std::vector<double> seconds;
    for (int n = 0; n < rounds_; ++n) seconds.push_back(seconds_of([&] { found = evaluate(); }));
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2], number = double(found.size());
    if (first_.empty()) first_ = found, first_each_ = median / number;
    double iterations = 0, coarse = 0, difference = 0;
    int converged = 0, others = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      const OutlineFlow &a = found[n], &b = first_[std::min(n, first_.size() - 1)];
      const bool is_compared = n < first_.size();
      iterations += a.iterations / number, coarse += a.coarse_iterations / number;
      converged += a.status == FlowStatus::ok;
      if (is_compared && a.status == FlowStatus::ok)
        difference = std::max(difference, std::abs(a.drag - b.drag) / std::abs(b.drag));
      others += is_compared && (a.status != b.status || a.iterations != b.iterations);
      if (is_stack && !first_stack_.empty() && !same_bits(a, first_stack_[n])) ++wrong_;
    }
    if (is_stack && first_stack_.empty()) first_stack_ = found;
    fmt::print("{:<14} {:>9.4g} {:>17} {:>13.4g} {:>9.4g} {:>10} {:>5} {:>5.1f}% {:>7.3g} {:>11} {:>10}\n",
               name, median, fmt::format("{:.4g} to {:.4g}", seconds.front(), seconds.back()),
               number / median, 1e3 * median / number,
               fmt::format("{:.0f}", iterations) + (coarse > 0 ? fmt::format("+{:.0f}", coarse) : ""),
               converged, 100 * idle(), first_each_ / (median / number),
               converged > 0 ? fmt::format("{:.2g}", difference) : "-", others);
    std::fflush(stdout);
  }

  // Returns true if every stack gives the bits of the first one.
  bool stacks_agree() const {
    if (wrong_ > 0) fmt::print("{} evaluations differ between stacks\n", wrong_);
    return wrong_ == 0;
  }

 private:
  static bool same_bits(const OutlineFlow& a, const OutlineFlow& b) {
    return a.status == b.status && a.iterations == b.iterations && a.drag == b.drag && a.lift == b.lift &&
           a.coarse_iterations == b.coarse_iterations;
  }

  int rounds_, wrong_ = 0;
  std::vector<OutlineFlow> first_, first_stack_;
  double first_each_ = 0;  // seconds
};

}  // namespace

int measure_batches(const BatchRequest& request) {
  if (request.bodies < 1 || request.rounds < 1)
    throw std::invalid_argument("use at least 1 body and 1 round");
  if (request.start != "rest" && request.start != "coarse")
    throw std::invalid_argument(
        fmt::format("unknown start '{}'; flows of a batch start from rest or coarse", request.start));
  const bool is_coarse = request.start == "coarse";
  const BackendKind kind = backend_from(request.backend);
  Backend& on = backend(DeviceId(kind, request.device.value_or(0)));
  FlowBatchSettings settings;
  settings.grid = grid_from(request.grid);
  settings.tunnel = {{"reynolds", request.reynolds}, {"surface", request.surface}};
  settings.reference = diameter, settings.coarsenings = request.coarsenings;
  settings.precision = precision_from(request.precision);
  settings.tolerance = request.tolerance, settings.max_iterations = request.max_iterations;
  for (const FlowMethod& method : simple_solver().methods(kind))
    if (method.name == settings.method)
      settings.solver = request.settings.values(method.space.settings, "simple");
  const std::vector<Outline> outlines = bodies_of(request.bodies);
  fmt::print("{} bodies of one area, {}, {}, {}, Re {:g}, tolerance {:g}\n", request.bodies, request.grid,
             request.backend, request.precision, request.reynolds, request.tolerance);
  if (is_coarse) fmt::print("starts from coarser grids: their iterations follow the +, by cells updated\n");
  Table table(request.rounds);
  const std::vector<Outline> singly(outlines.begin(),
                                    outlines.begin() + std::min(request.single, request.bodies));
  const auto add = [&](const std::string& name, FlowsAtOnce at_once, const std::vector<Outline>& of) {
    OutlineFlows flows(on, settings, at_once, is_coarse);
    table.add(
        name, at_once == FlowsAtOnce::stack, [&] { return flows.evaluate(of); },
        [&] { return flows.idle(); });
  };
  if (!singly.empty()) add("one at a time", FlowsAtOnce::one, singly);
  for (const int slots : request.slots) {
    settings.slots = slots;
    add(fmt::format("{} slot{}", slots, slots == 1 ? "" : "s"), FlowsAtOnce::stack, outlines);
  }
  return table.stacks_agree() ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark

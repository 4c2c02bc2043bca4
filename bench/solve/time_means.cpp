#include "bench/solve/flow_series.hpp"

namespace cfdmark {
namespace {

// The fields that have means.
std::vector<HostField FlowFields::*> averaged(const FlowProblem& problem) {
  std::vector<HostField FlowFields::*> all = {&FlowFields::u, &FlowFields::v, &FlowFields::p};
  if (problem.grid.is_3d()) all.push_back(&FlowFields::w);
  if (problem.heat) all.push_back(&FlowFields::temperature);
  return all;
}

}  // namespace

void TimeMeans::add(const FlowProblem& problem, FlowFields flow, const std::vector<NamedValue>& results) {
  if (flow.time < from_ - 1e-9 * from_) return;
  if (!has_one_) {
    has_one_ = true, first_ = flow.time;
    for (const auto field : averaged(problem)) sums_.*field = HostField(problem.grid, Precision::fp64);
    for (const NamedValue& result : results) result_sums_.push_back({result.name, 0});
  } else {
    const double half = 0.5 * (flow.time - until_);
    for (const auto field : averaged(problem)) {
      HostField& sum = sums_.*field;
      const HostField &before = last_.*field, &now = flow.*field;
      for_each_cell_in_parallel(problem.grid, false, [&](int i, int j, int k) {
        sum.set(i, j, k, sum.get(i, j, k) + half * (before.get(i, j, k) + now.get(i, j, k)));
      });
    }
    for (std::size_t n = 0; n < result_sums_.size() && n < results.size(); ++n)
      result_sums_[n].value += half * (last_results_[n].value + results[n].value);
  }
  until_ = flow.time;
  last_ = std::move(flow), last_results_ = results;
}

FlowFields TimeMeans::fields(const FlowProblem& problem) const {
  FlowFields means = sums_;
  for (const auto field : averaged(problem))
    for_each_cell(problem.grid, false, [&](int i, int j, int k) {
      (means.*field).set(i, j, k, (sums_.*field).get(i, j, k) / (until_ - first_));
    });
  return means;
}

std::vector<NamedValue> TimeMeans::results() const {
  std::vector<NamedValue> means = result_sums_;
  for (NamedValue& mean : means) mean.value /= until_ - first_;
  return means;
}

}  // namespace cfdmark

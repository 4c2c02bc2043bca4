#include "tuning/simulation.hpp"

namespace cfdmark::tuning {

Simulation::Simulation(const std::vector<Evaluation>& recorded, std::uint64_t seed, Draw draw)
    : recorded_(recorded),
      random_(seed),
      draw_(draw),
      used_(recorded.size(), 0),
      set_up_(recorded.size(), false) {}

std::vector<Evaluation> Simulation::operator()(const std::vector<std::size_t>& candidates, int samples,
                                               double seconds) {
  std::vector<Evaluation> trials;
  for (const std::size_t c : candidates) {
    Evaluation next = seconds > 0 ? trial(c, samples) : Evaluation{TrialStatus::not_tried, "", {}, 0, 0};
    const double cost = next.setup_seconds + next.measuring_seconds;
    // A measurement cut off by the end of the budget costs the remaining seconds and yields nothing.
    if (cost > seconds) next = {TrialStatus::not_tried, "", {}, 0, std::max(seconds, 0.0)};
    seconds -= cost;
    trials.push_back(std::move(next));
  }
  return trials;
}

Evaluation Simulation::trial(std::size_t candidate, int samples) {
  const Evaluation& r = recorded_.at(candidate);
  Evaluation trial{r.status, r.reason, {}, set_up_[candidate] ? 0 : r.setup_seconds, 0};
  set_up_[candidate] = true;
  if (r.status != TrialStatus::ok) return trial;
  for (int n = 0; n < samples; ++n) {
    const std::size_t at =
        draw_ == Draw::bootstrap ? random_.below(r.samples.size()) : used_[candidate] % r.samples.size();
    ++used_[candidate];
    trial.samples.push_back(r.samples[at]);
  }
  trial.measuring_seconds = samples * r.measuring_seconds / double(r.samples.size());
  return trial;
}

}  // namespace cfdmark::tuning

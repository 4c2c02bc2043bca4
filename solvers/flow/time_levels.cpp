#include "solvers/flow/time_levels.hpp"

namespace cfdmark {
namespace {

constexpr const char* routine = "time levels";
constexpr std::array names = {"older u", "older v", "older mass_x", "older mass_y"};

}  // namespace

// Differences come first, so that a value that does not change keeps all its bits.
TimeLevels::TimeLevels(FlowSystem& flow, double inertia, const Config& threads)
    : now_{&flow.u, &flow.v, &flow.mass_x, &flow.mass_y}, flow_(flow) {
  const std::array places = {FieldPlace::cell, FieldPlace::cell, FieldPlace::face_x, FieldPlace::face_y};
  for (int n = 0; n < count; ++n)
    for (auto* levels : {&older_, &extrapolated_}) (*levels)[n] = flow.field(places[n]);
  const Operations op(flow.u_system(), threads);
  const auto add = [&](Part& part, double a, const AnyView& x, double b, const AnyView& y) {
    part.operations.push_back(op.update({a}, x, {b}, y, routine));
  };
  const std::array old = {&flow.old_u, &flow.old_v};
  const std::array right_sides = {&flow.bu, &flow.bv};
  for (int n = 0; n < count; ++n) {
    const AnyView now = now_[n]->view(), older = older_[n].view(), ahead = extrapolated_[n].view();
    extrapolate_.operations.push_back(op.scale({1}, older, ahead, routine));
    add(extrapolate_, 2, now, -1, ahead);
    add(differences_, -1, now, 1, ahead);  // now - older
    const bool is_velocity = n < 2;
    add(advance_, 1.0 / 3, ahead, 1, is_velocity ? old[n]->view() : now);
    if (is_velocity) add(advance_, 1, ahead, 1, now);
    // u + (u - u_older) / 3 less the extrapolated velocity, times 3 / 2.
    if (is_velocity) add(correct_inertia_, -inertia, ahead, 1, right_sides[n]->view());
    if (is_velocity) add(correct_inertia_, inertia, now, 1, right_sides[n]->view());
    add(changes_, -1, older, 1, now);
    add(earlier_, -1.5, now, 1, older);
  }
  const auto ghosts = [&](const std::vector<AnyView>& fields) {
    return PeriodicGhosts(flow.u_system(), flow.domain, fields, threads);
  };
  extrapolate_.ghosts = ghosts({u(), v()});
  advance_.ghosts = ghosts({flow.u.view(), flow.v.view(), flow.old_u.view(), flow.old_v.view()});
}

void TimeLevels::begin_step(const std::function<void(const Part&)>& run) {
  run(differences_);
  for (int n = 0; n < count; ++n) older_[n].copy_from(*now_[n]);
  flow_.old_u.copy_from(flow_.u), flow_.old_v.copy_from(flow_.v);
  run(advance_);
}

void TimeLevels::start() {
  for (int n = 0; n < count; ++n) older_[n].copy_from(*now_[n]), extrapolated_[n].copy_from(*now_[n]);
}

void TimeLevels::rewind(const std::function<void(const Part&)>& run) {
  for (int n = 0; n < count; ++n) extrapolated_[n].copy_from(older_[n]);
  run(changes_);
  run(earlier_);
  for (int n = 0; n < count; ++n) now_[n]->copy_from(extrapolated_[n]);
}

void TimeLevels::save(SavedFlow& saved) const {
  for (int n = 0; n < count; ++n) saved.add(names[n], older_[n]);
}

void TimeLevels::restore(const SavedFlow& saved) {
  for (int n = 0; n < count; ++n) saved.restore(names[n], older_[n]);
}

}  // namespace cfdmark

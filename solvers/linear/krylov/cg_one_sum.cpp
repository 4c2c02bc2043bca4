#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/precision.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/system/overlapped_sweep.hpp"

namespace cfdmark {
namespace {

// Returns the setting of the replacement of the residual. Defaults are measured (decision 060). With one sum
// the textbook's iterations are needed without regular replacement, in every precision. Pipelined, intervals
// of 5 to 50 need 0 to 8 % more iterations on a jump of coefficients and none more elsewhere.
Setting replace_setting(int default_value) {
  return {"replace",
          {},  // not tuned: it changes the residual that can be reached
          default_value,
          "iterations between two replacements of the residual by b - A u, rounded up to a multiple of "
          "check_interval; 0: never",
          "",
          integer_from(0)};
}

enum class Variant { one_sum, pipelined };

// CG whose two products of an iteration, r.r and r.w with w = A r, are next to each other, so that ranks join
// them in one message. The third product follows from them: with beta = rho / rho_before,
// p.q = r.w - beta^2 (p.q)_before.
// s = A p follows by recurrence. So do w = A r and z = A s in the pipelined variant, which applies A to w:
// that product does not depend on the sums. It does not overlap them yet, since a backend runs steps in
// order.
class OneSumCg final : public AlternatingIteration {
 public:
  OneSumCg(const System& system, Variant variant, const Config& config)
      : r_(system.new_field()),
        w_(system.new_field()),
        p_(system.new_field()),
        s_(system.new_field()),
        pq_{number(system), number(system)},
        beta_pq_(number(system)),
        centre_r_(system, config, r_.view()),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)},
        infinity_(*system.backend),
        backend_(*system.backend),
        is_pipelined_(variant == Variant::pipelined),
        unknowns_(system.unknowns()),
        replaces_after_fall_(is_pipelined_ ? config.integer("replace") > 0
                                           : system.precision == Precision::fp32),
        largest_fall_(roundoff(system.precision)),
        interval_(std::min(config.integer(cg_interval.name), longest_interval())),
        checks_between_((config.integer("replace") + interval_ - 1) / interval_) {
    infinity_.set(std::numeric_limits<double>::infinity());
    if (is_pipelined_) q_ = system.new_field(), z_ = system.new_field();
    const Operations op(system, config);
    const AnyView r = r_.view(), w = w_.view(), p = p_.view(), s = s_.view();
    residual_ = op.residual(system.u, system.b, r);
    w_of_r_ = apply_by_config(system, config, r, w);
    s_of_p_ = op.apply(p, s);
    if (is_pipelined_) z_of_s_ = op.apply(s, z_.view());
    for (int now : {0, 1}) {
      dots_[now] = op.dots({{r, r, rho_[now].data()}, {r, w, address(pq_[now])}});
      if (is_pipelined_)
        directions_[now].push_back(apply_by_config(system, config, w, q_.view()));  // q = A w
      prepare_iteration(op, system.u, now);
    }
  }

  void start() override {
    now_ = 0, checks_ = 0;
    compute_residual();
    forget_direction();
  }

  // Soon after the answer is exact, p.q is the difference of two rounding errors, and the next iterations may
  // take u anywhere. The answer is exact after as many iterations as there are unknowns, if not before.
  int longest_interval() const override { return int(std::clamp<Index>(unknowns_ / 10, 1, 1 << 30)); }

  // On entry rho[now] = r.r and pq[now] = r.w, and the others are those of the previous iteration; on return
  // rho[1 - now] and pq[1 - now] are the new ones.
  void iterate(int now) override {
    for (const Operation& op : directions_[now]) op();
    centre_r_();
    if (!is_pipelined_) w_of_r_();
    dots_[1 - now]();
  }

  // Replaces only here: a graph of iterations repeats the same calls, and the host knows their number only at
  // a check.
  std::vector<NamedValue> residuals() override {
    double square = rho_[now_].get();
    const bool is_due = checks_between_ > 0 && checks_ % checks_between_ == 0;
    const bool has_fallen = replaces_after_fall_ && !(square >= largest_fall_ * computed_square_);
    if (checks_ == 0)
      computed_square_ = square;
    else if (is_due || has_fallen)
      square = computed_square_ = replaced(square, has_fallen);
    ++checks_;
    return linear_residual(std::sqrt(square));
  }

  Cost cost(int iterations) const override {
    Cost one = dots_[0].cost + centre_r_.cost();
    for (const Operation& op : directions_[0]) one = one + op.cost;
    if (!is_pipelined_) one = one + w_of_r_.cost;
    const int checks = (iterations + interval_ - 1) / interval_;
    const int replacements = checks_between_ > 0 ? checks / checks_between_ : 0;
    return double(iterations) * one + double(replacements) * replacement_cost();
  }
  Resources resources() const override {
    Resources all;
    for (const Operation& op : directions_[0]) add_resources(all, op.step);
    add_resources(all, dots_[0].step);
    if (!is_pipelined_) add_resources(all, w_of_r_.step);
    centre_r_.add_to(all);
    return all;
  }

 private:
  // Returns a number in the backend's memory that vector operations can combine.
  static Field number(const System& system) { return Field(*system.backend, Grid{1, 1}, Precision::fp64); }
  static double* address(const Field& number) { return static_cast<double*>(number.view().origin); }

  // Prepares an iteration up to the new r, behind the product of the pipelined variant.
  void prepare_iteration(const Operations& op, const AnyView& u, int now) {
    const AnyView r = r_.view(), w = w_.view(), p = p_.view(), s = s_.view();
    const AnyView pq = pq_[now].view(), pq_before = pq_[1 - now].view(), beta_pq = beta_pq_.view();
    const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data(), *divisor = address(pq_[now]);
    const Scalar beta{1, rho, rho_before}, alpha{1, rho, divisor}, minus_alpha{-1, rho, divisor};
    std::vector<Operation>& list = directions_[now];
    list.push_back(op.scale(beta, pq_before, beta_pq));  // p.q = r.w - beta^2 (p.q)_before
    list.push_back(op.update({-1, rho, rho_before}, beta_pq, {1}, pq));
    list.push_back(op.update({1}, r, beta, p));                                     // p = r + beta p
    list.push_back(op.update({1}, w, beta, s));                                     // s = w + beta s
    if (is_pipelined_) list.push_back(op.update({1}, q_.view(), beta, z_.view()));  // z = q + beta z
    list.push_back(op.update(alpha, p, {1}, u));                                    // u = u + alpha p
    list.push_back(op.update(minus_alpha, s, {1}, r));                              // r = r - alpha s
    if (is_pipelined_) list.push_back(op.update(minus_alpha, z_.view(), {1}, w));   // w = w - alpha z
  }

  // Computes r, w and the two products from u.
  void compute_residual() {
    residual_();
    centre_r_();
    w_of_r_();
    dots_[now_]();
  }

  // Makes the next direction one without a predecessor: p is zero, and beta = rho / infinity is zero too.
  void forget_direction() {
    for (const Field* field : {&p_, &s_, &z_, &pq_[1 - now_]})
      if (field->data()) backend_.set_zero(field->data(), field->bytes());
    backend_.copy(rho_[1 - now_].data(), infinity_.data(), sizeof(double));
  }

  // Replaces the residual and what follows from it, and returns r.r. `claimed`: r.r so far. The direction is
  // forgotten if the residual was mostly error, or has fallen to where the recurrence of p.q is error.
  double replaced(double claimed, bool has_fallen) {
    compute_residual();
    const double square = rho_[now_].get();
    if (has_fallen || !(square <= 4 * claimed)) {  // a NaN too
      forget_direction();
    } else {
      s_of_p_();
      if (is_pipelined_) z_of_s_();
    }
    return square;
  }
  Cost replacement_cost() const {
    return residual_.cost + centre_r_.cost() + w_of_r_.cost + s_of_p_.cost + z_of_s_.cost + dots_[0].cost;
  }

  Field r_, w_, p_, s_, q_, z_;
  Field pq_[2], beta_pq_;
  MeanRemoval centre_r_;
  DeviceScalar rho_[2], infinity_;
  Backend& backend_;
  bool is_pipelined_;
  Index unknowns_;                 // of all ranks
  bool replaces_after_fall_;       // when r.r has fallen further than largest_fall_ by recurrence
  double largest_fall_;            // the unit roundoff, so that of r its root
  int interval_, checks_between_;  // checks_between_: between two replacements; 0: never
  int checks_ = 0;                 // since the start
  double computed_square_ = 0;     // r.r when r was last computed from u
  Operation residual_, w_of_r_, s_of_p_, z_of_s_, dots_[2];
  std::vector<Operation> directions_[2];
};

std::vector<SolverMethod> method(BackendKind kind, const char* name, Variant variant, int replace) {
  std::vector<SolverMethod> methods = preconditioned_method(
      kind, name, PreconditionerKind::none, [=](const System& system, const Config& config) {
        return std::make_unique<OneSumCg>(system, variant, config);
      });
  for (SolverMethod& made : methods) {
    made.space.settings.push_back(replace_setting(replace));
    if (kind == BackendKind::cuda) add_overlap(made, {"inner_first"});
  }
  return methods;
}

}  // namespace

std::vector<SolverMethod> one_sum_cg(BackendKind kind) {
  return method(kind, "one_sum", Variant::one_sum, 0);
}
// In 32 bits the recurrences lose the residual within some iterations: with a jump of coefficients no
// interval of replacement lets every small grid converge.
std::vector<SolverMethod> pipelined_cg(BackendKind kind) {
  std::vector<SolverMethod> methods = method(kind, "pipelined", Variant::pipelined, 20);
  for (SolverMethod& made : methods)
    made.unsupported = [](const SystemShape& shape) {
      return shape.precision == Precision::fp64 ? "" : "its recurrences need fp64; use cg/one_sum";
    };
  return methods;
}

}  // namespace cfdmark

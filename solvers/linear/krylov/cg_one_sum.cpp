#include <cmath>
#include <limits>

#include "solvers/linear/krylov/cg.hpp"

namespace cfdmark {
namespace {

// Returns the setting of the replacement of the residual. Defaults are measured. Of 10, 20 and 50 only 20
// lets pipelined CG converge in 32 bits to 1e-4 (manufactured, 511x511), and it also converges refined on a
// jump of coefficients, unlike 50. With one sum replacement is needed in 32 bits only, where 20 delayed
// convergence.
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

// CG with r.r and r.w, w = A r, as neighbours in each iteration. With beta = rho / rho_before the third
// product follows from p.q = r.w - beta^2 (p.q)_before, so nothing waits between them. s = A p and,
// pipelined, w = A r and z = A s follow by recurrence: A is then applied to w, which does not depend on the
// sums. The two products are two reductions, one after the other, because ranks join each sum by itself.
// Steps of a backend run in order, so that A w does not overlap the sums either.
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
        interval_(config.integer(cg_interval.name)),
        checks_between_((config.integer("replace") + interval_ - 1) / interval_) {
    infinity_.set(std::numeric_limits<double>::infinity());
    if (is_pipelined_) q_ = system.new_field(), z_ = system.new_field();
    const Operations op(system, config);
    const AnyView r = r_.view(), w = w_.view(), p = p_.view(), s = s_.view();
    residual_ = op.residual(system.u, system.b, r);
    w_of_r_ = op.apply(r, w);
    s_of_p_ = op.apply(p, s);
    if (is_pipelined_) z_of_s_ = op.apply(s, z_.view());
    for (int now : {0, 1}) {
      dots_[now] = {op.dot(r, r, rho_[now]), product_into(op, system, pq_[now])};
      prepare_iteration(op, system.u, now);
    }
  }

  // The first direction has no predecessor: p is zero, and beta = rho / infinity is zero too.
  void start() override {
    now_ = 0, checks_ = 0;
    residual_();
    centre_r_();
    w_of_r_();
    for (const Operation& dot : dots_[0]) dot();
    for (const Field* field : {&p_, &s_, &z_, &pq_[1]})
      if (field->data()) backend_.set_zero(field->data(), field->bytes());
    backend_.copy(rho_[1].data(), infinity_.data(), sizeof(double));
  }

  // On entry rho[now] = r.r and pq[now] = r.w, and the others are those of the previous iteration; on return
  // rho[1 - now] and pq[1 - now] are the new ones.
  void iterate(int now) override {
    for (const Operation& op : directions_[now]) op();
    centre_r_();
    if (!is_pipelined_) w_of_r_();
    for (const Operation& dot : dots_[1 - now]) dot();
  }

  // Replaces only here: a graph of iterations repeats the same calls, and the host knows their number only at
  // a check.
  std::vector<NamedValue> residuals() override {
    if (checks_between_ > 0 && checks_ > 0 && checks_ % checks_between_ == 0) replace();
    ++checks_;
    return linear_residual(std::sqrt(rho_[now_].get()));
  }

  Cost cost(int iterations) const override {
    Cost one = sum(directions_[0]) + sum(dots_[0]) + centre_r_.cost();
    if (!is_pipelined_) one = one + w_of_r_.cost;
    const int checks = (iterations + interval_ - 1) / interval_;
    const int replacements = checks_between_ > 0 ? checks / checks_between_ : 0;
    return double(iterations) * one + double(replacements) * replacement_cost();
  }
  Resources resources() const override {
    Resources all;
    for (const auto* list : {&directions_[0], &dots_[0]})
      for (const Operation& op : *list) add_resources(all, op.step);
    if (!is_pipelined_) add_resources(all, w_of_r_.step);
    centre_r_.add_to(all);
    return all;
  }

 private:
  // Returns a number in the backend's memory that vector operations can combine.
  static Field number(const System& system) { return Field(*system.backend, Grid{1, 1}, Precision::fp64); }
  static double* address(const Field& number) { return static_cast<double*>(number.view().origin); }
  // Returns the operation r.w with its result in a number.
  Operation product_into(const Operations& op, const System& system, const Field& number) const {
    return op.sweep<Dot>("dot", {system.precision, {}, {r_.view(), w_.view()}, address(number)});
  }

  // Prepares an iteration up to the new r.
  void prepare_iteration(const Operations& op, const AnyView& u, int now) {
    const AnyView r = r_.view(), w = w_.view(), p = p_.view(), s = s_.view();
    const AnyView pq = pq_[now].view(), pq_before = pq_[1 - now].view(), beta_pq = beta_pq_.view();
    const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data(), *divisor = address(pq_[now]);
    const Scalar beta{1, rho, rho_before}, alpha{1, rho, divisor}, minus_alpha{-1, rho, divisor};
    std::vector<Operation>& list = directions_[now];
    if (is_pipelined_) list.push_back(op.apply(w, q_.view()));  // q = A w
    list.push_back(op.scale(beta, pq_before, beta_pq));         // p.q = r.w - beta^2 (p.q)_before
    list.push_back(op.update({-1, rho, rho_before}, beta_pq, {1}, pq));
    list.push_back(op.update({1}, r, beta, p));                                     // p = r + beta p
    list.push_back(op.update({1}, w, beta, s));                                     // s = w + beta s
    if (is_pipelined_) list.push_back(op.update({1}, q_.view(), beta, z_.view()));  // z = q + beta z
    list.push_back(op.update(alpha, p, {1}, u));                                    // u = u + alpha p
    list.push_back(op.update(minus_alpha, s, {1}, r));                              // r = r - alpha s
    if (is_pipelined_) list.push_back(op.update(minus_alpha, z_.view(), {1}, w));   // w = w - alpha z
  }

  void replace() {
    residual_();
    centre_r_();
    w_of_r_();
    s_of_p_();
    if (is_pipelined_) z_of_s_();
    for (const Operation& dot : dots_[now_]) dot();
  }
  Cost replacement_cost() const {
    return residual_.cost + centre_r_.cost() + w_of_r_.cost + s_of_p_.cost + z_of_s_.cost + sum(dots_[0]);
  }
  static Cost sum(const std::vector<Operation>& list) {
    Cost all;
    for (const Operation& op : list) all = all + op.cost;
    return all;
  }

  Field r_, w_, p_, s_, q_, z_;
  Field pq_[2], beta_pq_;
  MeanRemoval centre_r_;
  DeviceScalar rho_[2], infinity_;
  Backend& backend_;
  bool is_pipelined_;
  int interval_, checks_between_;  // checks_between_: between two replacements; 0: never
  int checks_ = 0;                 // since the start
  Operation residual_, w_of_r_, s_of_p_, z_of_s_;
  std::vector<Operation> directions_[2], dots_[2];
};

std::vector<SolverMethod> method(BackendKind kind, const char* name, Variant variant, int replace) {
  std::vector<SolverMethod> methods = preconditioned_method(
      kind, name, PreconditionerKind::none, [=](const System& system, const Config& config) {
        return std::make_unique<OneSumCg>(system, variant, config);
      });
  for (SolverMethod& made : methods) made.space.settings.push_back(replace_setting(replace));
  return methods;
}

}  // namespace

std::vector<SolverMethod> one_sum_cg(BackendKind kind) {
  return method(kind, "one_sum", Variant::one_sum, 50);
}
std::vector<SolverMethod> pipelined_cg(BackendKind kind) {
  return method(kind, "pipelined", Variant::pipelined, 20);
}

}  // namespace cfdmark

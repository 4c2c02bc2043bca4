// BiCGStab (van der Vorst), right-preconditioned, for unsymmetric operators.
#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/bicgstab_iteration/bicgstab_iteration.hpp"
#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/krylov/preconditioner.hpp"
#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {
namespace {

// Over-relaxed smoothing amplifies convective errors; without over-relaxation a cycle is twice as good there.
Config without_over_relaxation(Config config) {
  if (config.is("omega", "optimal")) config.set("omega", 1.0);
  return config;
}

// On fewer cells the recurrence ends at the exact answer within some iterations. It is then restarted.
constexpr Index few_cells = 20;

// textbook: one kernel per textbook operation. fused: neighbouring operations share one pass over memory
// (without a preconditioner only).
enum class Passes { textbook, fused };

class BiCgStab final : public Iteration {
 public:
  BiCgStab(const System& system, PreconditionerKind preconditioner, Passes passes, const Config& config)
      : preconditioned_(preconditioner != PreconditionerKind::none),
        r_(system.new_field()),
        shadow_(system.new_field()),
        p_(system.new_field()),
        v_(system.new_field()),
        t_(system.new_field()),
        z_(preconditioned_ ? system.new_field() : Field()),
        rho_(*system.backend),
        shadow_v_(*system.backend),
        ts_(*system.backend),
        tt_(*system.backend),
        rr_(*system.backend),
        centre_r_(system, config, r_.view()),
        cells_(system.unknowns()),
        rounding_(system.precision == Precision::fp64 ? 1e-8 : 3e-4),
        // t is free whenever a cycle starts, so it holds the input of the preconditioner.
        precondition_(preconditioner, preconditioned_ ? system.on(t_, z_) : system,
                      without_over_relaxation(config), false) {
    const Operations op(system, config);
    const AnyView r = r_.view(), shadow = shadow_.view(), p = p_.view();
    start_ = look_ = {op.residual(system.u, system.b, r)};
    add(start_, centre_r_.operations());
    restart_ = {shadow_of_r(op, system), op.scale({1}, r, p), op.dot(shadow, r, rho_)};
    add(start_, restart_);
    add(look_, centre_r_.operations());
    add(look_, {op.dots({{shadow, r, rho_.data()}, {r, r, rr_.data()}})});
    if (passes == Passes::fused)
      prepare_fused(op, system);
    else
      prepare_textbook(op, system.u);
  }

  void start() override {
    precondition_.start();
    for (const Operation& op : start_) op();
    since_restart_ = 0, norm_at_restart_ = 0;
  }
  int advance(int most, double) override {
    for (int n = 0; n < most; ++n) {
      precondition(copy_p_);
      for (const Operation& op : first_half_) op();
      precondition(copy_r_);
      for (const Operation& op : second_half_) op();
    }
    since_restart_ += most;
    return most;
  }
  // After a large intermediate residual the recurrence no longer matches u, so the residual is recomputed.
  std::vector<NamedValue> residuals() override {
    check_residual();
    const double norm = std::sqrt(rr_.get());
    if (cells_ < few_cells) restart_if_exhausted(norm);
    return linear_residual(norm);
  }
  // With strong convection the residual may rise to 1e5 times its first value and recover.
  double highest_residual() const override { return 1e8; }
  // Apart from rounding the answer is exact after as many iterations as unknowns, and after half of them if
  // the problem is symmetric or its cells have two colours. Checks of few cells are frequent enough to notice
  // that (restart_if_exhausted).
  int longest_interval() const override { return int(std::clamp<Index>(cells_ / 2, 1, 1 << 30)); }
  const double* residual_square() const override { return rr_.data(); }
  void check_residual() override {
    for (const Operation& op : look_) op();
  }

  Cost cost(int iterations) const override {
    Cost one = 2.0 * precondition_.cost();
    if (preconditioned_) one = one + copy_p_.cost + copy_r_.cost;
    for (const auto* half : {&first_half_, &second_half_})
      for (const Operation& op : *half) one = one + op.cost;
    return precondition_.start_cost() + double(iterations) * one;
  }
  Cost check_cost() const override {
    Cost sum;
    for (const Operation& op : look_) sum = sum + op.cost;
    return sum;
  }
  Resources resources() const override {
    Resources sum;
    for (const auto* half : {&first_half_, &second_half_}) {
      if (preconditioned_) add_resources(sum, copy_p_.step);
      add_resources(sum, precondition_.resources());
      for (const Operation& op : *half) add_resources(sum, op.step);
    }
    return sum;
  }

 private:
  void prepare_textbook(const Operations& op, const AnyView& u) {
    const AnyView r = r_.view(), shadow = shadow_.view(), p = p_.view(), v = v_.view(), t = t_.view();
    const AnyView z_of_p = preconditioned_ ? z_.view() : p, z_of_r = preconditioned_ ? z_.view() : r;
    const double *rho = rho_.data(), *shadow_v = shadow_v_.data(), *ts = ts_.data(), *tt = tt_.data();
    copy_p_ = op.scale({1}, p, t), copy_r_ = op.scale({1}, r, t);
    first_half_ = {op.apply(z_of_p, v),                                 // v = A p / M
                   op.dot(shadow, v, shadow_v_),                        // alpha = rho / (r0 . v)
                   op.update({1, rho, shadow_v}, z_of_p, {1}, u),       // u = u + alpha p / M
                   op.update({-1, rho, shadow_v}, v, {1}, r)};          // s = r - alpha v, in r
    second_half_ = {op.apply(z_of_r, t),                                // t = A s / M
                    op.dots({{t, r, ts_.data()}, {t, t, tt_.data()}}),  // omega = t . s / t . t
                    op.update({1, ts, tt}, z_of_r, {1}, u),             // u = u + omega s / M
                    op.update({-1, ts, tt}, t, {1}, r)};                // r = s - omega t
    add(second_half_, centre_r_.operations());
    add(second_half_, {op.dot(shadow, r, rho_),                     // rho'
                       op.update({-1}, v, {1, tt, ts}, p),          // p = r + beta (p - omega v),
                       op.update({1}, r, {1, rho, shadow_v}, p)});  // beta omega = rho' / (r0 . v)
  }
  // Moves 20 values per cell; the textbook operations move 29.
  void prepare_fused(const Operations& op, const System& system) {
    const AnyView r = r_.view(), shadow = shadow_.view(), p = p_.view(), v = v_.view(), t = t_.view();
    const double *rho = rho_.data(), *shadow_v = shadow_v_.data(), *ts = ts_.data(), *tt = tt_.data();
    const auto product = [&](const AnyView& x, const AnyView& w, const AnyView& out, DeviceScalar& result) {
      Operation made =
          op.sweep<BiCgStabProduct>("apply", {.precision = system.precision,
                                              .fields = {.a = system.stencil(), .u = x, .w = w, .out = out},
                                              .result = result.data()});
      // The declared cost counts x and w as two fields; if they are one, it is read once.
      if (w.origin == x.origin) made.cost.bytes -= double(x.grid.cells() * stored_bytes(x.storage));
      return op.around(x, std::move(made));
    };
    first_half_ = {product(p, shadow, v, shadow_v_),            // v = A p, alpha = rho / (r0 . v)
                   op.update({-1, rho, shadow_v}, v, {1}, r)};  // s = r - alpha v, in r
    second_half_ = {product(r, r, t, ts_), op.dot(t, t, tt_),   // t = A s, omega = t . s / t . t
                    op.sweep<BiCgStabUpdate>(                   // u = u + alpha p + omega s, r, rho'
                        "update", {.precision = system.precision,
                                   .kernel = {.alpha = {1, rho, shadow_v}, .omega = {1, ts, tt}},
                                   .fields = {.p = p, .t = t, .shadow = shadow, .u = system.u, .r = r},
                                   .result = rho_.data()})};
    if (centre_r_) {
      add(second_half_, centre_r_.operations());
      add(second_half_, {op.dot(shadow, r, rho_)});
    }
    add(second_half_,
        // p = r + beta (p - omega v), beta omega = rho' / (r0 . v)
        {op.sweep<BiCgStabDirection>(
            "direction", {.precision = system.precision,
                          .kernel = {.inverse_omega = {1, tt, ts}, .beta_omega = {1, rho, shadow_v}},
                          .fields = {.r = r, .v = v, .p = p}})});
  }

  // Restarts the recurrence after as many iterations as unknowns, or if the residual is nearly orthogonal to
  // its shadow or small enough to be rounding. `norm`: of the residual, next to rho_ of the same.
  void restart_if_exhausted(double norm) {
    const bool is_first = norm_at_restart_ == 0;
    const bool is_exhausted = since_restart_ >= cells_ || norm < rounding_ * norm_at_restart_ ||
                              !(std::abs(rho_.get()) > rounding_ * norm * norm_at_restart_);
    if (!is_first && is_exhausted)
      for (const Operation& op : restart_) op();
    if (is_first || is_exhausted) norm_at_restart_ = norm, since_restart_ = 0;
  }

  // Returns the operation that sets the shadow residual, which must not be orthogonal to r. The usual choice
  // is the first r. For a singular system that r is as smooth as the source, while the later r is mostly
  // rough and orthogonal to it. Random weights make the shadow rough.
  Operation shadow_of_r(const Operations& op, const System& system) {
    if (!centre_r_) return op.scale({1}, r_.view(), shadow_.view());
    weights_ = system.new_field();
    if (!only_counts(*system.backend)) {
      HostField weights(system.grid(), system.precision);
      std::mt19937 random;  // the numbers of the whole domain, on any ranks
      const CellBox own = system.own();
      for_each_cell(system.domain(), false, [&](int i, int j, int k) {
        const double weight = double(random()) / 0xffffffffu;
        if (own.has(i, j, k)) weights.set(i - own.i, j - own.j, k - own.k, weight);
      });
      weights_.upload(weights);
    }
    return op.sweep<Multiply>("update",
                              {.precision = system.precision,
                               .fields = {.x = r_.view(), .y = weights_.view(), .product = shadow_.view()}});
  }

  // Stores M^-1 of the copied field in z.
  void precondition(const Operation& copy) {
    if (!preconditioned_) return;
    copy();
    precondition_();
  }

  static void add(std::vector<Operation>& list, const std::vector<Operation>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  bool preconditioned_;
  Field r_, shadow_, p_, v_, t_, z_;
  Field weights_;  // random weights of the shadow residual of a singular system
  DeviceScalar rho_, shadow_v_, ts_, tt_, rr_;
  MeanRemoval centre_r_;
  Index cells_, since_restart_ = 0;  // iterations since the last restart
  double rounding_;                  // share of a norm that may be rounding
  double norm_at_restart_ = 0;       // of the residual; 0: not checked since the start
  Preconditioner precondition_;
  std::vector<Operation> start_, restart_, first_half_, second_half_, look_;
  Operation copy_p_, copy_r_;
};

std::vector<SolverMethod> methods(BackendKind kind) {
  std::vector<SolverMethod> all;
  struct Named {
    const char* name;
    PreconditionerKind preconditioner;
    Passes passes = Passes::textbook;
  };
  for (const Named& of : {Named{"textbook", PreconditionerKind::none},
                          {"fused", PreconditionerKind::none, Passes::fused},
                          {"red_black", PreconditionerKind::red_black},
                          {"multigrid", PreconditionerKind::multigrid}})
    for (SolverMethod method : preconditioned_method(
             kind, of.name, of.preconditioner, [of](const System&system, const Config&config) {
               return std::make_unique<BiCgStab>(system, of.preconditioner, of.passes, config);
             })) {
      // Measured on two cores: faster than the textbook method in and out of cache.
      if (of.passes == Passes::fused && kind != BackendKind::kokkos)
        method.preferred = [](const SystemShape&) { return true; };
      if (of.passes == Passes::fused) method.needs = OperatorForm::stencil;
      all.push_back(method);
    }
  return all;
}

}  // namespace

SolverDescription bicgstab_solver() {
  return {.name = "bicgstab", .methods = methods, .boundaries = all_boundaries};
}

}  // namespace cfdmark

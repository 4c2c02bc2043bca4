#include "solvers/linear/cg.hpp"

#include <cmath>

#include "kernels/red_black_sor/red_black_sor.hpp"

namespace cfdmark {
namespace {

enum class Preconditioner {
  none,
  red_black  // a symmetric red-black Gauss-Seidel sweep (red, black, red) from zero
};

class Cg final : public AlternatingIteration {
 public:
  Cg(const System& system, Preconditioner preconditioner, const Config& config)
      : system_(system),
        r_(system.new_field()),
        p_(system.new_field()),
        q_(system.new_field()),
        z_(preconditioner == Preconditioner::none ? r_ : system.new_field()),
        preconditioned_(preconditioner != Preconditioner::none),
        pq_(*system.backend),
        rr_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)} {
    const Operations op(system, config);
    const AnyView r = r_.view(), p = p_.view(), q = q_.view(), z = z_.view();
    start_residual_ = op.residual(system.u, system.b, r);
    start_direction_ = op.scale({1}, z, p);
    apply_ = op.apply(p, q);
    dot_pq_ = op.dot(p, q, pq_);
    dot_rr_ = op.dot(r, r, rr_);
    for (int now : {0, 1}) {
      const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
      dot_rho_[now] = op.dot(r, z, rho_[now]);
      update_u_[now] = op.update({1, rho, pq_.data()}, p, {1}, system.u);
      update_r_[now] = op.update({-1, rho, pq_.data()}, q, {1}, r);
      update_p_[now] = op.update({1}, z, {1, rho, rho_before}, p);
    }
    if (preconditioned_) precondition_ = red_black_sweep(config);
  }

  Resources resources() const override {
    Resources sum;
    for (const Operation* op : {&apply_, &dot_pq_, &update_u_[0], &update_r_[0], &dot_rho_[0], &update_p_[0]})
      add_resources(sum, op->step);
    if (preconditioned_) add_resources(sum, precondition_.step);
    return sum;
  }

  void start() override {
    now_ = 0;
    start_residual_();
    apply_preconditioner();
    start_direction_();
    dot_rho_[0]();
  }

  // rho[now] = r.z on entry; rho[1 - now] is the new one on return.
  void iterate(int now) override {
    apply_();                // q = A p
    dot_pq_();               // alpha = rho / p.q
    update_u_[now]();        // u = u + alpha p
    update_r_[now]();        // r = r - alpha q
    apply_preconditioner();  // z = r / M
    dot_rho_[1 - now]();     // beta = rho' / rho
    update_p_[1 - now]();    // p = z + beta p
  }

  // Without a preconditioner rho is already r.r.
  std::vector<NamedValue> residuals() override {
    if (!preconditioned_) return linear_residual(std::sqrt(rho_[now_].get()));
    dot_rr_();
    return linear_residual(std::sqrt(rr_.get()));
  }

  Cost cost(int iterations) const override {
    Cost cost = apply_.cost + dot_pq_.cost + update_u_[0].cost + update_r_[0].cost + dot_rho_[0].cost +
                update_p_[0].cost;
    if (preconditioned_) cost = cost + precondition_.cost;
    return double(iterations) * cost;
  }
  Cost check_cost() const override { return preconditioned_ ? dot_rr_.cost : Cost{}; }

 private:
  void apply_preconditioner() {
    if (!preconditioned_) return;
    system_.backend->set_zero(z_.data(), z_.bytes());
    precondition_.load();
    precondition_();
    precondition_.store();
  }

  // By the first method, the textbook's.
  Operation red_black_sweep(const Config& config) const {
    const CellArgs<RedBlackSor> args{system_.precision,
                                     {.omega = 1, .order = ColourOrder::red_black_red},
                                     {system_.a, z_.view(), r_.view()}};
    const auto methods = CellKernel<RedBlackSor>::methods(system_.backend->kind());
    return prepare(system_, "precondition", methods.front(), args, config);
  }

  System system_;
  Field r_, p_, q_, z_;  // z_ is r_ without a preconditioner
  bool preconditioned_;
  DeviceScalar pq_, rr_, rho_[2];
  Operation start_residual_, start_direction_, apply_, dot_pq_, dot_rr_, precondition_;
  Operation dot_rho_[2], update_u_[2], update_r_[2], update_p_[2];
};

// The kernels keep their defaults; the number of threads is one for all of them.
std::vector<SolverMethod> textbook(BackendKind kind, Preconditioner preconditioner) {
  const auto operator_methods = CellKernel<Apply>::methods(kind);
  if (operator_methods.empty()) return {};
  SolverMethod method{"textbook", {{cg_interval}}, [=](const System& system, const Config& config) {
                        return std::make_unique<Cg>(system, preconditioner, config);
                      }};
  if (const Setting* threads = find_setting(operator_methods.front().space.settings, "threads"))
    method.space.settings.insert(method.space.settings.begin(), *threads);
  allow_graphs(kind, method);
  return {method};
}

std::vector<SolverMethod> cg_methods(BackendKind kind) {
  std::vector<SolverMethod> all;
  for (const auto& methods : {textbook_cg(kind), fused_cg(kind), cusparse_cg(kind)})
    all.insert(all.end(), methods.begin(), methods.end());
  return all;
}
std::vector<SolverMethod> pcg_methods(BackendKind kind) { return textbook(kind, Preconditioner::red_black); }

}  // namespace

std::vector<SolverMethod> textbook_cg(BackendKind kind) { return textbook(kind, Preconditioner::none); }

SolverDescription cg_solver() { return {"cg", cg_methods}; }
SolverDescription pcg_solver() { return {"pcg", pcg_methods}; }

}  // namespace cfdmark

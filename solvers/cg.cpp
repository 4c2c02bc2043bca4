#include "solvers/cg.hpp"

#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/krylov.hpp"
#include "solvers/operations.hpp"

namespace cfdmark {
namespace {

class Cg final : public KrylovIteration {
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
    start_residual_ = op.residual(system.u, system.b, r_);
    start_direction_ = op.scale({1}, z_, p_);
    apply_ = op.apply(p_, q_);
    dot_pq_ = op.dot(p_, q_, pq_);
    dot_rr_ = op.dot(r_, r_, rr_);
    for (int now : {0, 1}) {
      const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
      dot_rho_[now] = op.dot(r_, z_, rho_[now]);
      update_u_[now] = op.axpby({1, rho, pq_.data()}, p_, {1}, system.u);
      update_r_[now] = op.axpby({-1, rho, pq_.data()}, q_, {1}, r_);
      update_p_[now] = op.axpby({1}, z_, {1, rho, rho_before}, p_);
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
  double squared_residual(int now) override {
    if (!preconditioned_) return rho_[now].get();
    dot_rr_();
    return rr_.get();
  }

  Cost cost() const override {
    Cost cost = apply_.cost + dot_pq_.cost + update_u_[0].cost + update_r_[0].cost + dot_rho_[0].cost +
                update_p_[0].cost;
    return preconditioned_ ? cost + precondition_.cost : cost;
  }

 private:
  void apply_preconditioner() {
    if (!preconditioned_) return;
    system_.backend->set_zero(z_.data(), z_.bytes());
    if (precondition_.step.load) precondition_.step.load();
    precondition_();
    if (precondition_.step.store) precondition_.step.store();
  }

  Operation red_black_sweep(const Config& config) const {
    const CellArgs<RedBlackSor> args{system_.precision,
                                     {.omega = 1, .order = ColourOrder::red_black_red},
                                     {system_.a, z_.view(), r_.view()}};
    return prepare("plain", *system_.backend, args, config);
  }

  const System& system_;
  Field r_, p_, q_, z_;  // z_ is r_ without a preconditioner
  bool preconditioned_;
  DeviceScalar pq_, rr_, rho_[2];
  Operation start_residual_, start_direction_, apply_, dot_pq_, dot_rr_, precondition_;
  Operation dot_rho_[2], update_u_[2], update_r_[2], update_p_[2];
};

}  // namespace

std::unique_ptr<Solver> cg_solver(const System& system, Preconditioner preconditioner, const Config& config) {
  return krylov_solver(*system.backend, std::make_unique<Cg>(system, preconditioner, config), config);
}

}  // namespace cfdmark

#include <limits>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "solvers/cg.hpp"
#include "solvers/krylov.hpp"
#include "solvers/operations.hpp"

namespace cfdmark {
namespace {

class FusedCg final : public KrylovIteration {
 public:
  FusedCg(const System& system, const Config& config)
      : r_(system.new_field()),
        p_{system.new_field(), system.new_field()},
        pq_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)},
        backend_(*system.backend) {
    const Operations op(system, config);
    start_residual_ = op.residual(system.u, system.b, r_);
    start_rho_ = op.dot(r_, r_, rho_[0]);
    // Reading the arrays twice would move more than A p does.
    if (!system.a.constant) q_ = system.new_field();
    for (int now : {0, 1}) {
      direction_[now] = prepare_pass(system, config, CgPass::direction, now);
      update_[now] = prepare_pass(system, config, CgPass::update, now);
    }
  }

  Resources resources() const override {
    Resources sum;
    add_resources(sum, direction_[0].step);
    add_resources(sum, update_[0].step);
    return sum;
  }

  // There is no direction before the first: it is zero, and beta = rho / infinity too.
  void start() override {
    start_residual_();
    start_rho_();
    backend_.set_zero(p_[1].data(), p_[1].bytes());
    rho_[1].set(std::numeric_limits<double>::infinity());
  }

  // rho[now] = r.r and rho[1 - now] the one before on entry; rho[1 - now] is the new one on return.
  void iterate(int now) override {
    direction_[now]();  // p = r + beta p, beta = rho / rho_before; p.q, q = A p
    update_[now]();     // u = u + alpha p, r = r - alpha q, alpha = rho / p.q; rho' = r.r
  }

  double squared_residual(int now) override { return rho_[now].get(); }
  Cost cost() const override { return direction_[0].cost + update_[0].cost; }

 private:
  Operation prepare_pass(const System& system, const Config& config, CgPass pass, int now) const {
    CgIterationArgs args;
    args.precision = system.precision, args.grid = system.grid;
    args.pass = pass;
    args.a = system.a;
    args.r = r_.view(), args.u = system.u.view();
    args.p = p_[now].view(), args.p_before = p_[1 - now].view();
    if (!system.a.constant) args.q = q_.view();
    const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
    const bool direction = pass == CgPass::direction;
    args.factor = direction ? Scalar{1, rho, rho_before} : Scalar{1, rho, pq_.data()};
    args.result = direction ? pq_.data() : rho_[1 - now].data();
    Config of_pass = config;
    if (direction && system.a.constant && config.has(direction_cells_setting.name))
      of_pass.set("cells", config.whole(direction_cells_setting.name));
    return prepare_default(cg_iteration_methods(system.backend->kind(), pass, system.a.constant),
                           cg_iteration_cost, *system.backend, args, of_pass);
  }

  Field r_, p_[2], q_;
  DeviceScalar pq_, rho_[2];
  Backend& backend_;
  Operation start_residual_, start_rho_, direction_[2], update_[2];
};

}  // namespace

std::unique_ptr<Solver> fused_cg_solver(const System& system, const Config& config) {
  return krylov_solver(*system.backend, std::make_unique<FusedCg>(system, config), config);
}

}  // namespace cfdmark

#include <cmath>

#include "kernels/cg_vectors/cg_vectors.hpp"
#include "solvers/linear/krylov/cg.hpp"

namespace cfdmark {
namespace {

// The textbook's iteration in three passes over memory.
class PassesCg final : public AlternatingIteration {
 public:
  PassesCg(const System& system, const Config& config)
      : r_(system.new_field()),
        p_(system.new_field()),
        q_(system.new_field()),
        pq_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)} {
    const Operations op(system, config);
    const AnyView r = r_.view(), p = p_.view(), q = q_.view();
    start_residual_ = op.residual(system.u, system.b, r);
    start_direction_ = op.scale({1}, r, p);
    start_rho_ = op.dot(r, r, rho_[0]);
    apply_ = op.apply_and_dot(p, q, pq_);
    for (int now : {0, 1}) {
      const double *rho = rho_[now].data(), *next = rho_[1 - now].data();
      update_r_[now] = op.sweep<CgResidual>("update", {.precision = system.precision,
                                                       .kernel = {.alpha = {1, rho, pq_.data()}},
                                                       .fields = {.q = q, .r = r},
                                                       .result = rho_[1 - now].data()});
      update_u_[now] =
          op.sweep<CgSolution>("update", {.precision = system.precision,
                                          .kernel = {.alpha = {1, rho, pq_.data()}, .beta = {1, next, rho}},
                                          .fields = {.r = r, .p = p, .u = system.u}});
    }
  }

  void start() override {
    now_ = 0;
    start_residual_();
    start_direction_();
    start_rho_();
  }
  // On entry rho[now] = r.r; on return rho[1 - now] is the new one.
  void iterate(int now) override {
    apply_();          // q = A p, p.q; alpha = rho / p.q
    update_r_[now]();  // r = r - alpha q, rho' = r.r
    update_u_[now]();  // u = u + alpha p, p = r + rho' / rho p
  }

  std::vector<NamedValue> residuals() override { return linear_residual(std::sqrt(rho_[now_].get())); }
  const double* residual_square() const override { return rho_[0].data(); }
  Cost cost(int iterations) const override {
    return double(iterations) * (apply_.cost + update_r_[0].cost + update_u_[0].cost);
  }
  Resources resources() const override {
    Resources sum;
    for (const Operation* op : {&apply_, &update_r_[0], &update_u_[0]}) add_resources(sum, op->step);
    return sum;
  }

 private:
  Field r_, p_, q_;
  DeviceScalar pq_, rho_[2];
  Operation start_residual_, start_direction_, start_rho_, apply_, update_r_[2], update_u_[2];
};

}  // namespace

std::vector<SolverMethod> passes_cg(BackendKind kind) {
  return preconditioned_method(
      kind, "passes", PreconditionerKind::none,
      [](const System& system, const Config& config) { return std::make_unique<PassesCg>(system, config); });
}

}  // namespace cfdmark

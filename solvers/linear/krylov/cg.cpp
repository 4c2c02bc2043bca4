#include "solvers/linear/krylov/cg.hpp"

#include <cmath>

#include "solvers/linear/system/overlapped_sweep.hpp"

namespace cfdmark {
namespace {

class Cg final : public AlternatingIteration {
 public:
  Cg(const System& system, PreconditionerKind preconditioner, const Config& config)
      : r_(system.new_field()),
        p_(system.new_field()),
        q_(system.new_field()),
        preconditioned_(preconditioner != PreconditionerKind::none),
        z_(preconditioned_ ? system.new_field() : r_),
        precondition_(preconditioner, system.on(r_, z_), config, true),
        centre_r_(system, config, r_.view()),
        pq_(*system.backend),
        rr_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)} {
    const Operations op(system, config);
    const AnyView r = r_.view(), p = p_.view(), q = q_.view(), z = z_.view();
    start_residual_ = op.residual(system.u, system.b, r);
    start_direction_ = op.scale({1}, z, p);
    apply_ = apply_by_config(system, config, p, q);
    dot_pq_ = op.dot(p, q, pq_);
    dot_rr_ = op.dot(r, r, rr_);
    for (int now : {0, 1}) {
      const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
      dot_rho_[now] = op.dot(r, z, rho_[now]);
      update_u_[now] = op.update({1, rho, pq_.data()}, p, {1}, system.u);
      update_r_[now] = op.update({-1, rho, pq_.data()}, q, {1}, r);
      update_p_[now] = op.update({1}, z, {1, rho, rho_before}, p);
    }
  }

  Resources resources() const override {
    Resources sum;
    for (const Operation* op : {&apply_, &dot_pq_, &update_u_[0], &update_r_[0], &dot_rho_[0], &update_p_[0]})
      add_resources(sum, op->step);
    centre_r_.add_to(sum);
    add_resources(sum, precondition_.resources());
    return sum;
  }

  void start() override {
    now_ = 0;
    precondition_.start();
    start_residual_();
    centre_r_();
    precondition_();
    start_direction_();
    dot_rho_[0]();
  }

  // On entry rho[now] = r.z; on return rho[1 - now] is the new r.z.
  void iterate(int now) override {
    apply_();          // q = A p
    dot_pq_();         // alpha = rho / p.q
    update_u_[now]();  // u = u + alpha p
    update_r_[now]();  // r = r - alpha q
    centre_r_();
    precondition_();       // z = r / M
    dot_rho_[1 - now]();   // beta = rho' / rho
    update_p_[1 - now]();  // p = z + beta p
  }

  // Without a preconditioner rho equals r.r.
  std::vector<NamedValue> residuals() override {
    check_residual();
    return linear_residual(std::sqrt((preconditioned_ ? rr_ : rho_[now_]).get()));
  }
  const double* residual_square() const override { return (preconditioned_ ? rr_ : rho_[0]).data(); }
  void check_residual() override {
    if (preconditioned_) dot_rr_();
  }

  Cost cost(int iterations) const override {
    Cost cost = apply_.cost + dot_pq_.cost + update_u_[0].cost + update_r_[0].cost + dot_rho_[0].cost +
                update_p_[0].cost + centre_r_.cost();
    return precondition_.start_cost() + double(iterations) * (cost + precondition_.cost());
  }
  Cost check_cost() const override { return preconditioned_ ? dot_rr_.cost : Cost{}; }

 private:
  Field r_, p_, q_;
  bool preconditioned_;
  Field z_;  // shares r_ without a preconditioner
  Preconditioner precondition_;
  MeanRemoval centre_r_;
  DeviceScalar pq_, rr_, rho_[2];
  Operation start_residual_, start_direction_, apply_, dot_pq_, dot_rr_;
  Operation dot_rho_[2], update_u_[2], update_r_[2], update_p_[2];
};

std::vector<SolverMethod> textbook(BackendKind kind, const char* name, PreconditionerKind preconditioner) {
  std::vector<SolverMethod> methods =
      preconditioned_method(kind, name, preconditioner, [=](const System& system, const Config& config) {
        return std::make_unique<Cg>(system, preconditioner, config);
      });
  if (kind == BackendKind::cuda && preconditioner != PreconditionerKind::multigrid)
    for (SolverMethod& method : methods) add_overlap(method, {"inner_first"});
  return methods;
}

std::vector<SolverMethod> cg_methods(BackendKind kind) {
  std::vector<SolverMethod> all;
  for (const auto& methods : {textbook_cg(kind), persistent_cg(kind), fused_cg(kind), cusparse_cg(kind),
                              one_sum_cg(kind), pipelined_cg(kind)})
    all.insert(all.end(), methods.begin(), methods.end());
  return all;
}
// The first entry is the preconditioned CG of Normore 2010. The default is a multigrid cycle: to 1e-12 it
// takes 9 iterations on every grid, where a red-black pass takes more than 100 and often loses to CG alone
// (results/nvidia-h200/krylov.jsonl).
std::vector<SolverMethod> pcg_methods(BackendKind kind) {
  using enum PreconditionerKind;
  std::vector<SolverMethod> by_cycle = textbook(kind, "multigrid", multigrid);
  for (SolverMethod& method : by_cycle) method.preferred = [](const SystemShape&) { return true; };
  std::vector<SolverMethod> all;
  for (const auto& methods :
       {textbook(kind, "textbook", red_black), fused_pcg(kind, "fused_multigrid", multigrid), by_cycle,
        fused_pcg(kind, "fused", red_black)})
    all.insert(all.end(), methods.begin(), methods.end());
  return all;
}

}  // namespace

std::vector<SolverMethod> textbook_cg(BackendKind kind) {
  return textbook(kind, "textbook", PreconditionerKind::none);
}

std::vector<SolverMethod> diagonal_pcg(BackendKind kind) {
  return textbook(kind, "diagonal", PreconditionerKind::diagonal);
}

SolverDescription cg_solver() {
  return {.name = "cg", .methods = cg_methods, .boundaries = all_boundaries, .needs_symmetry = true};
}
SolverDescription pcg_solver() {
  return {.name = "pcg", .methods = pcg_methods, .boundaries = all_boundaries, .needs_symmetry = true};
}

}  // namespace cfdmark

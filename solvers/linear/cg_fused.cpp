#include <cmath>
#include <limits>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "solvers/linear/cg.hpp"

namespace cfdmark {
namespace {

// Of the method on CUDA. Where the pass that makes the direction computes it anew at every neighbour
// (constant coefficients) it wants longer columns than the update.
const Setting direction_cells_setting{
    "direction_cells", {2, 4, 8}, 8, "cells of a column that a thread of the direction pass takes"};

class FusedCg final : public AlternatingIteration {
 public:
  FusedCg(const System& system, const Config& config)
      : r_(system.new_field()),
        p_{system.new_field(), system.new_field()},
        pq_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)},
        infinity_(*system.backend),
        backend_(*system.backend) {
    infinity_.set(std::numeric_limits<double>::infinity());
    const Operations op(system, config);
    start_residual_ = op.residual(system.u, system.b, r_.view());
    start_rho_ = op.dot(r_.view(), r_.view(), rho_[0]);
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
    now_ = 0;
    start_residual_();
    start_rho_();
    backend_.set_zero(p_[1].data(), p_[1].bytes());
    backend_.copy(rho_[1].data(), infinity_.data(), sizeof(double));
  }

  // rho[now] = r.r and rho[1 - now] the one before on entry; rho[1 - now] is the new one on return.
  void iterate(int now) override {
    direction_[now]();  // p = r + beta p, beta = rho / rho_before; p.q, q = A p
    update_[now]();     // u = u + alpha p, r = r - alpha q, alpha = rho / p.q; rho' = r.r
  }

  std::vector<NamedValue> residuals() override { return linear_residual(std::sqrt(rho_[now_].get())); }
  const double* residual_square() const override { return rho_[0].data(); }
  Cost cost(int iterations) const override {
    return double(iterations) * (direction_[0].cost + update_[0].cost);
  }

 private:
  Operation prepare_pass(const System& system, const Config& config, CgPass pass, int now) const {
    CgIterationArgs args;
    args.precision = system.precision, args.grid = system.grid();
    args.pass = pass;
    args.a = system.a;
    args.r = r_.view(), args.u = system.u;
    args.p = p_[now].view(), args.p_before = p_[1 - now].view();
    if (!system.a.constant) args.q = q_.view();
    const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
    const bool direction = pass == CgPass::direction;
    args.factor = direction ? Scalar{1, rho, rho_before} : Scalar{1, rho, pq_.data()};
    args.result = direction ? pq_.data() : rho_[1 - now].data();
    Config of_pass = config;
    if (direction && system.a.constant && config.has(direction_cells_setting.name))
      of_pass.set("cells", config.at(direction_cells_setting.name));
    const auto methods = cg_iteration_methods(system.backend->kind(), pass, system.a.constant);
    return prepare(system, direction ? "direction" : "update", default_method(methods, args),
                   cg_iteration_cost, args, of_pass);
  }

  Field r_, p_[2], q_;
  DeviceScalar pq_, rho_[2], infinity_;
  Backend& backend_;
  Operation start_residual_, start_rho_, direction_[2], update_[2];
};

// On an H200 two passes take 0.45 to 0.97 of the textbook's time at every size of 64x64 to 8192x8192, with
// and without arrays (results/nvidia-h200). On two cores with constant coefficients they take 0.5 to 0.8 of
// it where memory limits them, and up to 1.3 where the fields stay in cache (results/lab_book.md).
std::function<bool(const SystemShape&)> prefers_two_passes(BackendKind kind) {
  constexpr double beyond_caches = 2e6;  // cells
  switch (kind) {
    case BackendKind::cuda: return [](const SystemShape&) { return true; };
    case BackendKind::serial:
    case BackendKind::openmp:
      return
          [](const SystemShape& s) { return s.constant_operator && double(s.grid.cells()) > beyond_caches; };
    case BackendKind::kokkos: break;
  }
  return nullptr;
}

}  // namespace

std::vector<SolverMethod> fused_cg(BackendKind kind) {
  const auto passes = cg_iteration_methods(kind, CgPass::update, true);
  if (passes.empty()) return {};
  SolverMethod method{"fused", passes.front().space, [](const System& system, const Config& config) {
                        return std::make_unique<FusedCg>(system, config);
                      }};
  if (kind == BackendKind::cuda) method.space.settings.push_back(direction_cells_setting);
  method.space.settings.push_back(cg_interval);
  method.preferred = prefers_two_passes(kind);
  allow_graphs(kind, method);
  return {method};
}

}  // namespace cfdmark

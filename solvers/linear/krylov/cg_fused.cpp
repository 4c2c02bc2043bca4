#include <cmath>
#include <limits>

#include "kernels/cg_iteration/cg_iteration_bricks.hpp"
#include "solvers/linear/krylov/cg.hpp"

namespace cfdmark {
namespace {

using CgMethod = Method<CgIterationArgs>;

// Setting on CUDA. With constant coefficients the direction pass recomputes the direction at every neighbour
// and needs longer columns than the update pass.
const Setting direction_cells_setting{
    "direction_cells", {2, 4, 8}, 8, "cells per thread, as a column, in the direction pass"};

// With a preconditioner the direction is made from z = M^-1 r. r.z is then a separate pass, because the
// preconditioner runs between the update and that dot product.
class FusedCg final : public AlternatingIteration {
 public:
  FusedCg(const System& system, PreconditionerKind preconditioner, const Config& config)
      : r_(system.new_field()),
        p_{system.new_field(), system.new_field()},
        preconditioned_(preconditioner != PreconditionerKind::none),
        z_(preconditioned_ ? system.new_field() : r_),
        precondition_(preconditioner, system.on(r_, z_), config, true),
        centre_r_(system, config, r_.view()),
        pq_(*system.backend),
        rho_{DeviceScalar(*system.backend), DeviceScalar(*system.backend)},
        infinity_(*system.backend),
        backend_(*system.backend) {
    if (preconditioned_) rr_ = DeviceScalar(*system.backend);
    infinity_.set(std::numeric_limits<double>::infinity());
    const Operations op(system, config);
    start_residual_ = op.residual(system.u, system.b, r_.view());
    if (preconditioned_) dot_rr_ = op.dot(r_.view(), r_.view(), rr_);
    // Arrays need a stored q = A p: reading the coefficients twice would move more memory.
    if (!system.stencil().constant) q_ = system.new_field();
    for (int now : {0, 1}) {
      if (now == 0 || preconditioned_ || centre_r_) dot_rho_[now] = op.dot(r_.view(), z_.view(), rho_[now]);
      direction_[now] = prepare_pass(system, config, CgPass::direction, now);
      update_[now] = prepare_pass(system, config, CgPass::update, now);
    }
  }

  Resources resources() const override {
    Resources sum = precondition_.resources();
    add_resources(sum, direction_[0].step);
    add_resources(sum, update_[0].step);
    if (preconditioned_) add_resources(sum, dot_rho_[0].step);
    if (centre_r_) {
      centre_r_.add_to(sum);
      add_resources(sum, of_centred_r().step);
    }
    return sum;
  }

  // The first direction has no predecessor: p is zero, and beta = rho / infinity is zero too.
  void start() override {
    now_ = 0;
    precondition_.start();
    start_residual_();
    centre_r_();
    if (preconditioned_) {
      dot_rr_();
      precondition_();
    }
    dot_rho_[0]();
    backend_.set_zero(p_[1].data(), p_[1].bytes());
    backend_.copy(rho_[1].data(), infinity_.data(), sizeof(double));
  }

  // On entry rho[now] = r.z and rho[1 - now] is the previous one; on return rho[1 - now] is the new one.
  void iterate(int now) override {
    direction_[now]();  // p = z + beta p, beta = rho / rho_before; p.q, q = A p
    update_[now]();  // u = u + alpha p, r = r - alpha q, alpha = rho / p.q; r.r, which is rho' where z is r
    if (centre_r_) {
      centre_r_();
      (preconditioned_ ? dot_rr_ : dot_rho_[1 - now])();
    }
    if (!preconditioned_) return;
    precondition_();      // z = r / M
    dot_rho_[1 - now]();  // rho'
  }

  std::vector<NamedValue> residuals() override {
    return linear_residual(std::sqrt((preconditioned_ ? rr_ : rho_[now_]).get()));
  }
  const double* residual_square() const override { return (preconditioned_ ? rr_ : rho_[0]).data(); }
  Cost cost(int iterations) const override {
    Cost one = direction_[0].cost + update_[0].cost;
    if (preconditioned_) one = one + precondition_.cost() + dot_rho_[0].cost;
    if (centre_r_) one = one + centre_r_.cost() + of_centred_r().cost;
    return precondition_.start_cost() + double(iterations) * one;
  }

 private:
  // Removing the mean of r invalidates the update's r.r; returns the dot product that replaces it.
  const Operation& of_centred_r() const { return preconditioned_ ? dot_rr_ : dot_rho_[0]; }

  Operation prepare_pass(const System& system, const Config& config, CgPass pass, int now) const {
    CgIterationArgs args;
    args.precision = system.precision, args.grid = system.grid();
    args.pass = pass;
    args.a = system.stencil();
    args.r = (pass == CgPass::direction ? z_ : r_).view(), args.u = system.u;
    args.p = p_[now].view(), args.p_before = p_[1 - now].view();
    if (!system.stencil().constant) args.q = q_.view();
    const double *rho = rho_[now].data(), *rho_before = rho_[1 - now].data();
    const bool direction = pass == CgPass::direction;
    args.factor = direction ? Scalar{1, rho, rho_before} : Scalar{1, rho, pq_.data()};
    args.result = (direction ? pq_ : preconditioned_ ? rr_ : rho_[1 - now]).data();
    Config of_pass = config;
    if (direction && system.stencil().constant && config.has(direction_cells_setting.name))
      of_pass.set("cells", config.at(direction_cells_setting.name));
    const auto methods = cg_iteration_methods(system.backend->kind(), pass, system.stencil().constant);
    const CgMethod& method = default_method(methods, args);
    const char* const routine = direction ? "direction" : "update";
    if (!system.ranks) return prepare(system, routine, method, cg_iteration_cost, args, of_pass);
    return on_ranks(system, routine, args, config_for(method.space, of_pass));
  }

  // Returns the pass on the devices of ranks: p around a cell is made of r around it, and read by the update.
  static Operation on_ranks(const System& system, const char* routine, const CgIterationArgs& args,
                            const Config& config) {
    const Operations op(system, config);
    const Operation pass = op.over_ranks(
        {routine, system.backend, system.clock, {}, cg_iteration_cost(args)},
        [&] {
          RowParts parts;
          parts.grid = args.grid;
          parts.complete = RowsOrBricks{nullptr, [&] { return cg_iteration_bricks(args, config); }};
          return std::vector<RowReduction>{{parts, args.result}};
        },
        {args.result}, true);
    return op.around(args.pass == CgPass::direction ? args.r : args.p, pass);
  }

  Field r_, p_[2], q_;
  bool preconditioned_;
  Field z_;  // shares r_ without a preconditioner
  Preconditioner precondition_;
  MeanRemoval centre_r_;
  DeviceScalar pq_, rho_[2], infinity_, rr_;
  Backend& backend_;
  Operation start_residual_, dot_rr_, dot_rho_[2], direction_[2], update_[2];
};

// Measured: on CUDA two passes are faster than the textbook's kernels at every size. On CPUs they are faster
// only with constant coefficients and fields larger than the caches.
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
                        return std::make_unique<FusedCg>(system, PreconditionerKind::none, config);
                      }};
  if (kind == BackendKind::cuda) method.space.settings.push_back(direction_cells_setting);
  method.space.settings.push_back(cg_interval);
  method.preferred = prefers_two_passes(kind);
  method.does_ranks = kind == BackendKind::cuda;
  method.unsupported = [](const SystemShape& shape) -> std::string {
    return shape.over_ranks && shape.grid.is_3d() ? "ranks are supported in 2-D only; use cg/textbook" : "";
  };
  allow_graphs(kind, method);
  return {method};
}

std::vector<SolverMethod> fused_pcg(BackendKind kind, const char* name, PreconditionerKind preconditioner) {
  if (cg_iteration_methods(kind, CgPass::update, true).empty()) return {};
  std::vector<SolverMethod> methods =
      preconditioned_method(kind, name, preconditioner, [=](const System& system, const Config& config) {
        return std::make_unique<FusedCg>(system, preconditioner, config);
      });
  for (SolverMethod& method : methods) {
    method.does_periodic = method.does_ranks = false;
    method.preferred = prefers_two_passes(kind);
  }
  return methods;
}

}  // namespace cfdmark

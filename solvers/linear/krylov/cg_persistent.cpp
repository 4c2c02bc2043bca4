#include "kernels/cg_iteration/cg_persistent.hpp"

#include <cmath>
#include <limits>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/device/built.hpp"
#include "solvers/linear/krylov/cg.hpp"

namespace cfdmark {
namespace {

const Setting launch_length{"check_interval",
                            {20, 100, 500},
                            100,
                            "largest number of iterations per launch, which ends earlier at the tolerance"};

class PersistentCg final : public Iteration {
 public:
  PersistentCg(const System& system, const Config& config)
      : r_(system.new_field()),
        p_(system.new_field()),
        centre_r_(system, config, r_.view()),
        rho_(*system.backend),
        rho_before_(*system.backend),
        done_(*system.backend),
        grid_(system.grid()),
        backend_(*system.backend) {
    const Operations op(system, config);
    start_residual_ = op.residual(system.u, system.b, r_.view());
    dot_rho_ = op.dot(r_.view(), r_.view(), rho_);
    const CgPersistentArgs args{.precision = system.precision,
                                .a = system.stencil(),
                                .r = r_.view(),
                                .p = p_.view(),
                                .u = system.u,
                                .rho = rho_.data(),
                                .rho_before = rho_before_.data(),
                                .iterations = done_.data(),
                                .most = most_,
                                .reduction = reduction_of_rho_};
    iterations_ = {
        "iterations", system.backend, system.clock, prepare_cg_persistent(*system.backend, args, config), {}};
    // Operations are those of the direction and update passes. Memory: r, p and u are read and written once
    // per launch, and A p too if it has its own recurrence.
    CgIterationArgs direction, update;
    direction.precision = update.precision = system.precision;
    direction.grid = update.grid = grid_;
    direction.a = system.stencil();
    update.pass = CgPass::update, update.q = r_.view();
    const double values = double(grid_.cells()) * stored_bytes(system.precision);
    an_iteration_ = cg_iteration_cost(direction) + cg_iteration_cost(update);
    an_iteration_.bytes = values * system.stencil().arrays(grid_);
    a_launch_.bytes = (config.is("sums", "one") ? 8 : 6) * values;
  }

  Resources resources() const override {
    Resources sum;
    add_resources(sum, iterations_.step);
    return sum;
  }

  // The first direction has no predecessor: p is zero, and beta = rho / infinity is zero too.
  void start() override {
    launches_ = 0;
    start_residual_();
    centre_r_();
    dot_rho_();
    backend_.set_zero(p_.data(), p_.bytes());
    rho_before_.set(std::numeric_limits<double>::infinity());
  }

  int advance(int most, double reduction) override {
    *most_ = most;
    *reduction_of_rho_ = reduction * reduction;
    iterations_();
    ++launches_;
    if (centre_r_) {  // a launch ends at its tolerance, so rounding adds little within it
      centre_r_();
      dot_rho_();
    }
    return int(done_.get());
  }

  std::vector<NamedValue> residuals() override { return linear_residual(std::sqrt(rho_.get())); }
  Cost cost(int iterations) const override {
    const Cost a_launch = centre_r_ ? a_launch_ + centre_r_.cost() + dot_rho_.cost : a_launch_;
    return double(iterations) * an_iteration_ + double(launches_) * a_launch;
  }

 private:
  std::shared_ptr<int> most_ = std::make_shared<int>(0);
  std::shared_ptr<double> reduction_of_rho_ = std::make_shared<double>(0);
  Field r_, p_;
  MeanRemoval centre_r_;
  DeviceScalar rho_, rho_before_, done_;
  Grid grid_;
  Backend& backend_;
  Operation start_residual_, dot_rho_, iterations_;
  Cost an_iteration_, a_launch_;
  int launches_ = 0;
};

std::string why_not(const SystemShape& shape) {
  return shape.grid.is_3d() ? "only 2-D grids are supported" : "";
}

}  // namespace

std::vector<SolverMethod> persistent_cg(BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) {
      SolverMethod method{"persistent", cg_persistent_space(),
                          [](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
                            return std::make_unique<PersistentCg>(system, config);
                          }};
      method.space.settings.push_back(launch_length);
      method.unsupported = why_not;
      method.preferred = [](const SystemShape& s) { return prefers_cg_persistent(s.grid, s.precision); };
      return {method};
    }
  return {};
}

}  // namespace cfdmark

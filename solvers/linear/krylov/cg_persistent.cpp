#include "kernels/cg_iteration/cg_persistent.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/cg_iteration/cg_persistent_csr.hpp"
#include "kernels/device/backends/counting.hpp"
#include "kernels/device/built.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/system/csr_operator.hpp"

namespace cfdmark {
namespace {

const Setting launch_length{"check_interval",
                            {20, 100, 500},
                            100,
                            "largest number of iterations per launch, which ends earlier at the tolerance"};

// Values that the launches of a solve share with the host.
struct Shared {
  Shared(Backend& on) : rho(on), rho_before(on), done(on) {}

  DeviceScalar rho, rho_before, done;
  std::shared_ptr<int> most = std::make_shared<int>(0);
  std::shared_ptr<double> reduction = std::make_shared<double>(0);
};

// A launch of many iterations, with the cost of each and of the launch itself.
struct Launches {
  Step step;
  Cost an_iteration, a_launch;
  std::optional<Field> p = {};  // to be set to 0 at the start
};
using MakeLaunches = std::function<Launches(const System&, const Config&, const AnyView& r, const Shared&)>;

class PersistentCg final : public Iteration {
 public:
  PersistentCg(const System& system, const Config& config, const MakeLaunches& make)
      : r_(system.new_field()),
        centre_r_(system, config, r_.view()),
        shared_(*system.backend),
        backend_(*system.backend) {
    const Operations op(system, config);
    start_residual_ = op.residual(system.u, system.b, r_.view());
    dot_rho_ = op.dot(r_.view(), r_.view(), shared_.rho);
    launches_ = make(system, config, r_.view(), shared_);
    iterations_ = {"iterations", system.backend, system.clock, launches_.step, {}};
  }

  Resources resources() const override {
    Resources sum;
    add_resources(sum, iterations_.step);
    return sum;
  }

  // The first direction has no predecessor: p is zero, and beta = rho / infinity is zero too.
  void start() override {
    launched_ = 0;
    start_residual_();
    centre_r_();
    dot_rho_();
    if (launches_.p) backend_.set_zero(launches_.p->data(), launches_.p->bytes());
    shared_.rho_before.set(std::numeric_limits<double>::infinity());
  }

  int advance(int most, double reduction) override {
    *shared_.most = most;
    *shared_.reduction = reduction * reduction;
    iterations_();
    ++launched_;
    if (centre_r_) {  // a launch ends at its tolerance, so rounding adds little within it
      centre_r_();
      dot_rho_();
    }
    return int(shared_.done.get());
  }

  std::vector<NamedValue> residuals() override { return linear_residual(std::sqrt(shared_.rho.get())); }
  Cost cost(int iterations) const override {
    Cost a_launch = launches_.a_launch;
    if (centre_r_) a_launch = a_launch + centre_r_.cost() + dot_rho_.cost;
    return double(iterations) * launches_.an_iteration + double(launched_) * a_launch;
  }

 private:
  Field r_;
  MeanRemoval centre_r_;
  Shared shared_;
  Backend& backend_;
  Launches launches_;
  Operation start_residual_, dot_rho_, iterations_;
  int launched_ = 0;
};

// Operations are those of the direction and update passes. Memory: r, p and u are read and written once per
// launch, and A p too if it has its own recurrence.
Launches on_stencil(const System& system, const Config& config, const AnyView& r, const Shared& shared) {
  Launches made;
  made.p = system.new_field();
  const CgPersistentArgs args{.precision = system.precision,
                              .a = system.stencil(),
                              .r = r,
                              .p = made.p->view(),
                              .u = system.u,
                              .rho = shared.rho.data(),
                              .rho_before = shared.rho_before.data(),
                              .iterations = shared.done.data(),
                              .most = shared.most,
                              .reduction = shared.reduction};
  made.step = prepare_cg_persistent(*system.backend, args, config);
  CgIterationArgs direction, update;
  direction.precision = update.precision = system.precision;
  direction.grid = update.grid = system.grid();
  direction.a = system.stencil();
  update.pass = CgPass::update, update.q = r;
  const double values = double(system.grid().cells()) * stored_bytes(system.precision);
  made.an_iteration = cg_iteration_cost(direction) + cg_iteration_cost(update);
  made.an_iteration.bytes = values * system.stencil().arrays(system.grid());
  made.a_launch.bytes = (config.is("sums", "one") ? 8 : 6) * values;
  return made;
}

// The matrix is read once per iteration; the vectors stay in shared memory.
Launches on_matrix(const System& system, const Config& config, const AnyView& r, const Shared& shared) {
  const CsrOperator& stored = *system.a->as_matrix();
  CsrMatrix<double> a{std::vector<int>(std::size_t(stored.rows()) + 1), {}, {}};
  if (holds_values(*system.backend)) a = stored.download();
  const CsrPersistentArgs args{.precision = system.precision,
                               .row_begin = a.row_begin,
                               .column = a.column,
                               .value = a.value,
                               .r = r,
                               .u = system.u,
                               .rho = shared.rho.data(),
                               .rho_before = shared.rho_before.data(),
                               .iterations = shared.done.data(),
                               .most = shared.most,
                               .reduction = shared.reduction};
  const double rows = stored.rows(), entries = stored.entries(), value = stored_bytes(system.precision);
  return {.step = prepare_csr_persistent(*system.backend, args, config),
          .an_iteration = {entries * (value + sizeof(short)), 2 * entries + 12 * rows, 6 * rows},
          .a_launch = {8 * rows * value, 0, 0}};
}

std::string why_not(const SystemShape& shape) {
  return shape.grid.is_3d() ? "only 2-D grids are supported" : "";
}

}  // namespace

std::vector<SolverMethod> persistent_cg(BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) {
      SolverMethod method{"persistent", cg_persistent_space(),
                          [](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
                            return std::make_unique<PersistentCg>(system, config, on_stencil);
                          }};
      method.space.settings.push_back(launch_length);
      method.unsupported = why_not;
      method.preferred = [](const SystemShape& s) { return prefers_cg_persistent(s.grid, s.precision); };
      return {method};
    }
  return {};
}

std::vector<SolverMethod> persistent_matrix_cg(BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) {
      SolverMethod method{"persistent", csr_persistent_space(),
                          [](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
                            return std::make_unique<PersistentCg>(system, config, on_matrix);
                          }};
      method.space.settings.push_back(launch_length);
      method.needs = OperatorForm::matrix;
      method.reads_values_once = true;
      method.unsupported = [](const SystemShape& shape) -> std::string {
        return fits_csr_persistent(shape.grid.cells(), shape.precision)
                   ? ""
                   : "the vectors do not fit into the shared memory of the device; use csr";
      };
      method.preferred = [](const SystemShape&) { return true; };
      return {method};
    }
  return {};
}

}  // namespace cfdmark

// Ginkgo's CG (Anzt et al. 2022, ACM Trans. Math. Softw. 48, 2), with and without a V-cycle of its algebraic
// multigrid as preconditioner. The multigrid aggregates pairs of strongly coupled cells (parallel graph
// match). It serves as a reference for the project's own solvers.
#include "solvers/linear/libraries/ginkgo.hpp"

#include <fmt/format.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "kernels/device/backends/counting.hpp"
#include "kernels/device/built.hpp"
#include "solvers/linear/libraries/dense_rows.hpp"
#include "solvers/linear/libraries/ginkgo_device.hpp"
#include "solvers/linear/system/correction.hpp"
#include "solvers/linear/system/system_csr.hpp"

namespace cfdmark {
namespace {

const Setting smoothing_sweeps{
    "smoothing_sweeps", {1, 2, 4}, 1, "damped Jacobi passes before and after each coarser level"};
constexpr double damping = 0.9;     // below 1 keeps the cycle positive definite
constexpr int smallest_level = 64;  // rows; a level of at most this size is factorised

// Sets OpenMP's number of threads, which Ginkgo follows, and restores it.
class OfferedThreads {
 public:
#ifdef _OPENMP
  explicit OfferedThreads(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~OfferedThreads() { omp_set_num_threads(before_); }
#else
  explicit OfferedThreads(int) {}
#endif
  OfferedThreads(const OfferedThreads&) = delete;

 private:
  [[maybe_unused]] int before_ = 1;
};

template <class T>
class GinkgoOnHost final : public GinkgoDevice {
 public:
  GinkgoOnHost(Backend& backend, const Grid& grid, int threads)
      : rows_(HostRows::shared_by(threads)),
        right_hand_side_(backend, grid.cells() * sizeof(T)),
        answer_(backend, grid.cells() * sizeof(T)) {
    if (!only_counts(backend)) executor_ = gko::OmpExecutor::create();
  }

  std::shared_ptr<gko::Executor> executor() const override { return executor_; }
  void* right_hand_side() const override { return right_hand_side_.data(); }
  void* answer() const override { return answer_.data(); }
  void set_up(const std::function<void()>& prepare) const override {
    const OfferedThreads offered(rows_.threads());
    prepare();
  }
  Step solving(const AnyView& field, std::function<void()> solve) const override {
    return row_step(rows_, [=, this, solve = std::move(solve)] {
      copy_to_dense(rows_, field, static_cast<T*>(right_hand_side()));
      {
        const OfferedThreads offered(rows_.threads());
        solve();
      }
      copy_from_dense(rows_, static_cast<const T*>(answer()), field);
    });
  }

 private:
  HostRows rows_;
  Buffer right_hand_side_, answer_;
  std::shared_ptr<gko::OmpExecutor> executor_;
};

template <class T>
std::unique_ptr<GinkgoDevice> device_of(const System& system, const Config& config) {
  if constexpr (built_with_cuda)
    if (system.backend->kind() == BackendKind::cuda)
      return ginkgo_on_cuda(*system.backend, system.grid(), system.precision);
  const int threads = config.has("threads") ? config.integer("threads") : 1;
  return std::make_unique<GinkgoOnHost<T>>(*system.backend, system.grid(), threads);
}

using Executor = std::shared_ptr<const gko::Executor>;
using Factory = std::shared_ptr<const gko::LinOpFactory>;

// Returns the matrix from which the levels are aggregated. Ginkgo pairs rows that are each other's strongest
// neighbour; of equal neighbours it takes the higher number. With constant coefficients few rows would match,
// which gives dozens of levels of nearly equal size. Couplings are therefore reduced slightly, by
// 1e-4 * share(low row, high row). The matrix stays symmetric and positive definite.
template <class T, class Share>
CsrMatrix<T> reduced(CsrMatrix<T> a, const Share& share) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) {
      const auto [low, high] = std::minmax(row, a.column[at]);
      if (low != high) a.value[at] *= T(1 - 1e-4 * share(low, high));
    }
  return a;
}

template <class T>
CsrMatrix<T> without_ties(CsrMatrix<T> a, const Grid& g) {
  // Without a grid: pseudo-random shares in [0, 8).
  if (g.is_flat())
    return reduced(std::move(a), [](int low, int high) { return 8 * noise(low, high, 0, 1) - 4; });
  // On a grid: least between cells 2i and 2i+1, more between such pairs, and in order x, y, z. Levels then
  // halve.
  const auto place = [&](int cell) {
    return std::array{cell % g.nx, cell / g.nx % g.ny, cell / g.nx / g.ny};
  };
  return reduced(std::move(a), [&](int low, int high) {
    const auto from = place(low), to = place(high);
    const int axis = from[0] != to[0] ? 0 : from[1] != to[1] ? 1 : 2;
    // The level on which the two cells' aggregates are paired.
    return std::countr_one(unsigned(from[axis])) + axis / 3.0;
  });
}

// Returns one V-cycle from zero. It is symmetric, as CG requires: pre- and post-smoothing are equal, and the
// last level is factorised.
template <class T>
Factory v_cycle(const Executor& on, int rows, int sweeps) {
  using Aggregates = gko::multigrid::Pgm<T, gko::int32>;
  using Jacobi = gko::preconditioner::Jacobi<T, gko::int32>;
  using Cholesky = gko::experimental::factorization::Cholesky<T, gko::int32>;
  using Direct = gko::experimental::solver::Direct<T, gko::int32>;
  const Factory diagonal = Jacobi::build().with_max_block_size(1u).on(on);
  const Factory smoother = gko::solver::build_smoother(diagonal, gko::size_type(sweeps), T(damping));
  const Factory factors = Cholesky::build().with_skip_sorting(true).on(on);
  const Factory last = Direct::build().with_factorization(factors).on(on);
  if (rows <= smallest_level) return last;
  // Deterministic, so that every run builds the same levels.
  const Factory coarser = Aggregates::build().with_deterministic(true).with_skip_sorting(true).on(on);
  return gko::solver::Multigrid::build()
      .with_mg_level(coarser)
      .with_pre_smoother(smoother)
      .with_post_uses_pre(true)
      .with_coarsest_solver(last)
      .with_max_levels(100u)  // min_coarse_rows decides
      .with_min_coarse_rows(gko::size_type(smallest_level))
      .with_criteria(gko::stop::Iteration::build().with_max_iters(1u).on(on))
      .on(on);
}

// CG for A x = b with A and both vectors in the executor's memory.
template <class T>
class GinkgoCg {
 public:
  // `sweeps`: smoothing passes of the V-cycle; 0: no preconditioner.
  GinkgoCg(const GinkgoDevice& device, const CsrMatrix<T>& a, const Grid& grid, int sweeps)
      : executor_(device.executor()),
        b_(vector(a.rows(), device.right_hand_side())),
        x_(vector(a.rows(), device.answer())) {
    auto build = gko::solver::Cg<T>::build();
    build.with_criteria(ends(1, 1));
    if (sweeps > 0)
      build.with_generated_preconditioner(
          v_cycle<T>(executor_, a.rows(), sweeps)->generate(matrix(without_ties(a, grid))));
    solver_ = build.on(executor_)->generate(matrix(a));
  }

  // Solves from zero until ||b - A x|| <= `reduction` ||b|| or after `most` iterations. Returns the
  // iterations.
  int solve(int most, double reduction) {
    const std::shared_ptr<gko::log::Convergence<T>> log = gko::log::Convergence<T>::create();
    const auto criterion = ends(most, reduction);
    criterion->add_logger(log);
    solver_->set_stop_criterion_factory(criterion);
    x_->fill(T(0));
    solver_->apply(b_, x_);
    executor_->synchronize();
    return std::max(1, int(log->get_num_iterations()));
  }

 private:
  using Dense = gko::matrix::Dense<T>;
  using Csr = gko::matrix::Csr<T, gko::int32>;

  std::unique_ptr<Dense> vector(int rows, void* values) const {
    const auto n = gko::size_type(rows);
    return Dense::create(executor_, gko::dim<2>(n, 1),
                         gko::array<T>::view(executor_, n, static_cast<T*>(values)), 1);
  }
  std::shared_ptr<Csr> matrix(const CsrMatrix<T>& a) const {
    const auto copy = [&](const auto& of) {
      using Value = typename std::decay_t<decltype(of)>::value_type;
      return gko::array<Value>(executor_, of.begin(), of.end());
    };
    return Csr::create(executor_, gko::dim<2>(gko::size_type(a.rows())), copy(a.value), copy(a.column),
                       copy(a.row_begin));
  }
  std::shared_ptr<gko::stop::CriterionFactory> ends(int most, double reduction) const {
    return gko::stop::Combined::build()
        .with_criteria(gko::stop::Iteration::build().with_max_iters(gko::size_type(most)).on(executor_),
                       gko::stop::ResidualNorm<T>::build()
                           .with_baseline(gko::stop::mode::rhs_norm)
                           .with_reduction_factor(T(reduction))
                           .on(executor_))
        .on(executor_);
  }

  std::shared_ptr<gko::Executor> executor_;
  std::unique_ptr<Dense> b_, x_;
  std::unique_ptr<gko::solver::Cg<T>> solver_;
};

// Return estimates of the memory that Ginkgo needs, in bytes, from measurements with Ginkgo 1.12.
double bytes_of_cg(const SystemShape& shape) { return 2 * matrix_bytes(shape); }
double bytes_with_cycle(const SystemShape& shape) { return 8 * matrix_bytes(shape); }
// With a device the host holds the matrix and the matrix of the aggregation.
double bytes_beside_device(const SystemShape& shape) { return 2 * matrix_bytes(shape); }

template <class T>
class Ginkgo final : public IteratedCorrection {
 public:
  // `sweeps`: as for GinkgoCg.
  Ginkgo(const System& system, const Config& config, int sweeps)
      : IteratedCorrection(system, config, "ginkgo"),
        system_(system),
        sweeps_(sweeps),
        device_(device_of<T>(system, config)) {
    if (only_counts(*system.backend)) {
      if (!system.backend->host_accessible())
        counted_ = Buffer(*system.backend, std::size_t(sweeps > 0 ? bytes_with_cycle(shape_of(system))
                                                                  : bytes_of_cg(shape_of(system))));
      return;
    }
    operator_changed();
    solve_.step = device_->solving(r_.view(), [this] { done_ = cg_->solve(most_, reduction_); });
  }

  void operator_changed() override {
    cg_ = nullptr;  // releases its memory before the next is allocated
    setup_seconds_ = seconds_to([&] {
      device_->set_up([&] {
        cg_ = std::make_unique<GinkgoCg<T>>(*device_, matrix_of<T>(system_), system_.grid(), sweeps_);
      });
    });
  }

 private:
  System system_;
  int sweeps_;
  std::unique_ptr<GinkgoDevice> device_;
  Buffer counted_;  // on a counting backend: stands for Ginkgo's allocations on a device
  std::unique_ptr<GinkgoCg<T>> cg_;
};

std::unique_ptr<Iteration> prepare(const System& system, const Config& config, int sweeps) {
  if (system.precision == Precision::fp32) return std::make_unique<Ginkgo<float>>(system, config, sweeps);
  return std::make_unique<Ginkgo<double>>(system, config, sweeps);
}

SolverMethod ginkgo_method(const char* name, BackendKind kind, bool has_cycle) {
  SolverMethod method{name, {}, [=](const System& system, const Config& config) {
                        return prepare(system, config, has_cycle ? config.integer(smoothing_sweeps.name) : 0);
                      }};
  if (has_cycle) method.space.settings.push_back(smoothing_sweeps);
  if (kind == BackendKind::openmp) method.space.settings.push_back(openmp_threads_setting());
  method.needs = OperatorForm::matrix;
  method.unsupported = [](const SystemShape& shape) {
    return shape.sides.is_singular ? "singular systems are not supported; use cg/textbook"
                                   : too_large_for_csr(shape);
  };
  method.host_bytes = kind == BackendKind::cuda ? bytes_beside_device
                      : has_cycle               ? bytes_with_cycle
                                                : bytes_of_cg;
  method.library = true;
  return method;
}

std::string version_text(const gko::version& v) { return fmt::format("{}.{}.{}", v.major, v.minor, v.patch); }

// Returns why the installed Ginkgo does not support a backend; empty if it does.
std::string missing_part(BackendKind kind) {
  const gko::version_info& parts = gko::version_info::get();
  const bool cuda = kind == BackendKind::cuda;
  const gko::version& part = cuda ? parts.cuda_version : parts.omp_version;
  if (!part.tag || std::string_view(part.tag) != "not compiled") return "";
  return fmt::format("the installed Ginkgo {} was built without {}", ginkgo_version(),
                     cuda ? "CUDA" : "OpenMP");
}

}  // namespace

std::string ginkgo_version() { return version_text(gko::version_info::get().core_version); }

std::vector<SolverMethod> ginkgo_methods(BackendKind kind) {
  // In a build without CUDA the catalog gives the reason.
  if (kind == BackendKind::kokkos || (kind == BackendKind::cuda && !built_with_cuda)) return {};
  if (const std::string reason = missing_part(kind); !reason.empty())
    return {missing_method("amg_cg", reason), missing_method("cg", reason)};
  return {ginkgo_method("amg_cg", kind, true), ginkgo_method("cg", kind, false)};
}

}  // namespace cfdmark

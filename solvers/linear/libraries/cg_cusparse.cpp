#include "solvers/linear/libraries/cg_cusparse.hpp"

#include <cmath>

#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/libraries/cuda_vectors.hpp"
#include "solvers/linear/libraries/sparse_product.hpp"
#include "solvers/linear/system/correction.hpp"
#include "solvers/linear/system/system_csr.hpp"

namespace cfdmark {
namespace {

// csr_alg2 gives the same bits in every run.
const Setting spmv_algorithm = choice_setting("spmv_algorithm", {"csr_alg1", "csr_alg2"}, "csr_alg2",
                                              "algorithm of cuSPARSE: CUSPARSE_SPMV_CSR_ALG1 or 2");

// CG's scalars in the device's memory. The two values of rho are used in turn. The last four remove the mean
// from the residual of a singular system.
template <class T>
struct Scalars {
  T rho[2], pq, alpha, minus_alpha, beta, minus_beta, one, sum, cells, mean, minus_mean;
};

// u is copied into the vector x and back. Boundary values enter through the first residual, which this
// project's operator computes with the ghosts in place, so the matrix does not need them.
template <class T>
class CusparseCg final : public AlternatingIteration {
 public:
  CusparseCg(const System& system, const Config& config)
      : system_(system),
        backend_(static_cast<CudaBackend&>(*system.backend)),
        cells_(system.grid().cells()),
        residual_field_(system.new_field()),
        x_(vector()),
        r_(vector()),
        p_(vector()),
        q_(vector()),
        ones_(system.sides.is_singular ? std::make_unique<DenseField>(vector()) : nullptr),
        scalars_(backend_, 1),
        product_(
            backend_, system, values<T>(p_), values<T>(q_),
            config.is(spmv_algorithm.name, "csr_alg1") ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2),
        start_residual_(Operations(system, config).residual(system.u, system.b, residual_field_.view())),
        centre_residual_(system, config, residual_field_.view()) {
    Scalars<T> scalars{};
    scalars.one = 1, scalars.cells = T(cells_);
    if (ones_) ones_->fill_with_ones(backend_);
    scalars_.upload(backend_, {scalars});
    if (!only_counts(backend_)) setup_seconds_ = seconds_to([&] { product_.set_up(system); });
    start_ = prepare_start();
    store_ = prepare("store", {x_.copy_to(system.u)});
    for (int now : {0, 1}) iterate_[now] = prepare_iteration(now);
  }

  void start() override {
    now_ = 0;
    start_residual_();
    centre_residual_();
    start_();
  }

  // On entry rho[now] = r.r; on return rho[1 - now] is the new r.r.
  void iterate(int now) override {
    for (const Operation& operation : iterate_[now]) operation();
  }

  std::vector<NamedValue> residuals() override {
    T square = 0;
    backend_.fence();
    backend_.download(&square, &scalars_.data()->rho[now_], sizeof square);
    return linear_residual(std::sqrt(double(square)));
  }
  void store() override { store_(); }
  void operator_changed() override {
    setup_seconds_ = seconds_to([&] { product_.update(system_); });
  }

  std::vector<NamedValue> results() override { return {{setup_seconds_name, setup_seconds_}}; }

  // The product reads the matrix and p and writes q. Words of the vector operations: dot 2, axpy 3, axpy 3,
  // dot 1, scale 2, axpy 3. Updates are counted as in textbook CG: one per cell and operation.
  Cost cost(int iterations) const override {
    const double n = double(cells_), entries = double(product_.entries());
    return double(iterations) *
           Cost{csr_bytes(cells_, product_.entries(), sizeof(T)) + (2 + 14 + (ones_ ? 5 : 0)) * n * sizeof(T),
                2 * entries + (11 + (ones_ ? 4 : 0)) * n, (6 + (ones_ ? 2 : 0)) * n};
  }
  Resources resources() const override {
    Resources sum;
    for (const Operation& operation : iterate_[0]) add_resources(sum, operation.step);
    return sum;
  }

 private:
  DenseField vector() const { return DenseField(backend_, system_.grid(), system_.precision); }

  Operation prepare(const char* routine, std::vector<Work> work) const {
    return {routine, &backend_, system_.clock, backend_.prepare({.run = std::move(work)}), {}};
  }

  Operation prepare_start() const {
    const AnyView residual = residual_field_.view();
    return prepare("start", {x_.copy_from(system_.u), r_.copy_from(residual), p_.copy_from(residual),
                             dot_call(cells_, values<T>(r_), values<T>(r_), scalars_.data()->rho)});
  }

  std::vector<Operation> prepare_iteration(int now) const {
    Scalars<T>& s = *scalars_.data();  // only the addresses of its members are used
    T *x = values<T>(x_), *r = values<T>(r_), *p = values<T>(p_), *q = values<T>(q_);
    T *rho = &s.rho[now], *next_rho = &s.rho[1 - now];
    std::vector<Work> update{quotient_launch<T>(rho, &s.pq, &s.alpha),
                             axpy_call(cells_, &s.alpha, p, x),         // x = x + alpha p
                             axpy_call(cells_, &s.minus_alpha, q, r)};  // r = r - alpha q
    if (ones_) {                                                        // r = r - its mean
      update.push_back(dot_call(cells_, values<T>(*ones_), r, &s.sum));
      update.push_back(quotient_launch<T>(&s.sum, &s.cells, &s.mean));
      update.push_back(axpy_call(cells_, &s.minus_mean, values<T>(*ones_), r));
    }
    return {prepare("apply", {product_.product()}),           // q = A p
            prepare("dot", {dot_call(cells_, p, q, &s.pq)}),  // alpha = rho / p.q
            prepare("update", std::move(update)),
            prepare("dot", {dot_call(cells_, r, r, next_rho)}),  // beta = rho' / rho
            prepare("update", {quotient_launch<T>(next_rho, rho, &s.beta),
                               scale_call(cells_, &s.beta, p),  // p = r + beta p
                               axpy_call(cells_, &s.one, r, p)})};
  }

  System system_;
  CudaBackend& backend_;
  Index cells_;
  Field residual_field_;
  DenseField x_, r_, p_, q_;
  std::unique_ptr<DenseField> ones_;  // only for a singular system
  DeviceArray<Scalars<T>> scalars_;
  SparseProduct<T> product_;
  Operation start_residual_, start_, store_;
  MeanRemoval centre_residual_;
  std::vector<Operation> iterate_[2];
  double setup_seconds_ = 0;
};

}  // namespace

std::vector<SolverMethod> cusparse_cg(BackendKind kind) {
  if (kind != BackendKind::cuda) return {};
  SolverMethod method{"cusparse",
                      {{cg_interval, spmv_algorithm}},
                      [](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
                        if (system.precision == Precision::fp32)
                          return std::make_unique<CusparseCg<float>>(system, config);
                        return std::make_unique<CusparseCg<double>>(system, config);
                      }};
  method.needs = OperatorForm::matrix;
  method.unsupported = too_large_for_csr;
  method.host_bytes = [](const SystemShape& shape) {  // a stencil's matrix is assembled on the host
    return shape.form == OperatorForm::matrix ? 0 : matrix_bytes(shape);
  };
  method.library = true;
  return {method};
}

}  // namespace cfdmark

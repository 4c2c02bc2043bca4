#include "solvers/cg_cusparse.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/operations.hpp"
#include "solvers/sparse_product.hpp"

namespace cfdmark {
namespace {

template <class T>
CsrMatrix<T> matrix_of(const System& system) {
  std::vector<HostField> arrays;
  std::vector<AnyView> views;
  for (const Field& c : system.coefficients) arrays.push_back(c.download());
  for (const HostField& a : arrays) views.push_back(a.view());
  return assemble_csr<T>(system.grid, views.empty() ? system.a : operator_over(views, 0, system.grid));
}

// u starts in the vector x; boundary values enter through the first residual, which our own operator takes with the
// ghosts in place, so that the matrix need not know them.
template <class T>
class CusparseCg final : public Solver {
 public:
  CusparseCg(const System& system, int check_interval, int spmv_algorithm)
      : system_(system), backend_(static_cast<CudaBackend&>(*system.backend)), check_interval_(check_interval),
        cells_(int(system.grid.cells())), residual_field_(system.new_field()),
        x_(backend_, cells_), r_(backend_, cells_), p_(backend_, cells_), q_(backend_, cells_),
        scalars_(backend_, std::vector<T>{0, 0, 0, 0, 0, 0, 0, 1}),
        product_(backend_, matrix_of<T>(system), p_, q_, spmv_algorithm),
        start_residual_(Operations(system, {}).residual(system.u, system.b, residual_field_)), start_(start()),
        store_(backend_.prepare({.run = {copy(dense_view(x_.data(), system.grid), system.u.view().as<T>())}})),
        iterate_{iteration(0), iteration(1)} {}

  Outcome solve(double tolerance, int max_iterations) override {
    Outcome outcome;
    start_residual_();
    start_.run();
    const double first = residual(0);
    check_residual(outcome, first, first);
    int now = 0;  // which rho is the current one
    while (!(outcome.converged = outcome.relative_residual <= tolerance) && outcome.iterations < max_iterations &&
           std::isfinite(outcome.relative_residual)) {
      const int steps = std::min(check_interval_, max_iterations - outcome.iterations);
      for (int n = 0; n < steps; ++n, now = 1 - now) iterate_[now].run();
      outcome.iterations += steps;
      check_residual(outcome, residual(now), first);
    }
    store_.run();
    outcome.cost = double(outcome.iterations) * iteration_cost();
    return outcome;
  }

  Resources resources() const override { return iterate_[0].resources; }

 private:
  // Where the scalars lie; rho has two places, used in turn.
  T* rho(int which) const { return scalars_.data() + which; }
  T* pq() const { return scalars_.data() + 2; }
  T* alpha() const { return scalars_.data() + 3; }  // and minus alpha behind it
  T* beta() const { return scalars_.data() + 5; }   // and minus beta
  T* one() const { return scalars_.data() + 7; }

  HostCall copy(View<T> from, View<T> to) const {
    return {[from, to](const CudaQueue& queue) { copy_cells(from, to, queue.stream); }};
  }
  HostCall dot(const DeviceVector<T>& x, const DeviceVector<T>& y, T* result) const {
    return blas_call([n = cells_, x, y, result](cublasHandle_t blas) { cfdmark::dot(blas, n, x.data(), y.data(), result); });
  }
  HostCall axpy(const T* alpha, const DeviceVector<T>& x, const DeviceVector<T>& y) const {
    return blas_call([n = cells_, alpha, x, y](cublasHandle_t blas) { cfdmark::axpy(blas, n, alpha, x.data(), y.data()); });
  }
  HostCall scale(const T* alpha, const DeviceVector<T>& x) const {
    return blas_call([n = cells_, alpha, x](cublasHandle_t blas) { cfdmark::scale(blas, n, alpha, x.data()); });
  }

  Step start() const {
    const Grid& g = system_.grid;
    const View<T> residual = residual_field_.view().as<T>();
    return backend_.prepare({.run = {copy(system_.u.view().as<T>(), dense_view(x_.data(), g)),
                                     copy(residual, dense_view(r_.data(), g)), copy(residual, dense_view(p_.data(), g)),
                                     dot(r_, r_, rho(0))}});
  }

  // rho[now] = r.r on entry; rho[1 - now] is the new one on return.
  Step iteration(int now) {
    return backend_.prepare({.run = {
        product_.product(),                                // q = A p
        dot(p_, q_, pq()),                                 // alpha = rho / p.q
        quotient_launch<T>(rho(now), pq(), alpha()),
        axpy(alpha(), p_, x_),                             // x = x + alpha p
        axpy(alpha() + 1, q_, r_),                         // r = r - alpha q
        dot(r_, r_, rho(1 - now)),                         // beta = rho' / rho
        quotient_launch<T>(rho(1 - now), rho(now), beta()),
        scale(beta(), p_),                                 // p = r + beta p
        axpy(one(), r_, p_)}});
  }

  double residual(int now) const {
    T square = 0;
    backend_.fence();
    backend_.download(&square, rho(now), sizeof square);
    return std::sqrt(double(square));
  }

  void check_residual(Outcome& outcome, double residual, double first) {
    outcome.relative_residual = first == 0 ? 0 : residual / first;
    outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
    if (!on_check) return;
    store_.run();
    on_check(outcome.iterations);
  }

  // The product reads each entry with its column, the beginnings of the rows and p, and writes q. The vectors' words:
  // dot 2, axpy 3, axpy 3, dot 1, scale 2, axpy 3. Cells as the textbook's CG counts them: once an operation.
  Cost iteration_cost() const {
    const double n = cells_, entries = double(csr_entries(system_.grid));
    return {csr_bytes(system_.grid, sizeof(T)) + (2 + 14) * n * sizeof(T), 2 * entries + 11 * n, 6 * n};
  }

  const System& system_;
  CudaBackend& backend_;
  int check_interval_, cells_;
  Field residual_field_;
  DeviceVector<T> x_, r_, p_, q_, scalars_;
  SparseProduct<T> product_;
  Operation start_residual_;
  Step start_, store_, iterate_[2];
};

}  // namespace

std::unique_ptr<Solver> cusparse_cg_solver(const System& system, int check_interval, int spmv_algorithm) {
  if (!csr_fits(system.grid)) throw std::invalid_argument("the matrix has more entries than 32 bits can count");
  if (system.precision == Precision::fp32)
    return std::make_unique<CusparseCg<float>>(system, check_interval, spmv_algorithm);
  return std::make_unique<CusparseCg<double>>(system, check_interval, spmv_algorithm);
}

}  // namespace cfdmark

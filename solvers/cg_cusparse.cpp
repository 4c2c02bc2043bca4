#include "solvers/cg_cusparse.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/cuda_vectors.hpp"
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

// CG's scalars in the device's memory. rho has two places, used in turn.
template <class T>
struct Scalars {
  T rho[2], pq, alpha, minus_alpha, beta, minus_beta, one;
};

// u is copied into the vector x and back. Boundary values enter through the first residual, which our own
// operator takes with the ghosts in place, so that the matrix need not know them.
template <class T>
class CusparseCg final : public Solver {
 public:
  CusparseCg(const System& system, int check_interval, int spmv_algorithm)
      : system_(system),
        backend_(static_cast<CudaBackend&>(*system.backend)),
        check_interval_(check_interval),
        cells_(system.grid.cells()),
        residual_field_(system.new_field()),
        x_(vector()),
        r_(vector()),
        p_(vector()),
        q_(vector()),
        scalars_(
            backend_,
            {Scalars<T>{
                .rho = {}, .pq = 0, .alpha = 0, .minus_alpha = 0, .beta = 0, .minus_beta = 0, .one = 1}}),
        product_(backend_, matrix_of<T>(system), values<T>(p_), values<T>(q_), spmv_algorithm),
        start_residual_(Operations(system, {}).residual(system.u, system.b, residual_field_)),
        start_(start()),
        store_(backend_.prepare({.run = {x_.copy_to(system.u.view())}})),
        iterate_{iteration(0), iteration(1)} {}

  Outcome solve(double tolerance, int max_iterations) override {
    Outcome outcome;
    start_residual_();
    start_.run();
    const double first = residual(0);
    check(outcome, first, first);
    int now = 0;  // which rho is the current one
    while (!(outcome.converged = outcome.relative_residual <= tolerance) &&
           outcome.iterations < max_iterations && std::isfinite(outcome.relative_residual)) {
      const int steps = std::min(check_interval_, max_iterations - outcome.iterations);
      for (int n = 0; n < steps; ++n, now = 1 - now) iterate_[now].run();
      outcome.iterations += steps;
      check(outcome, residual(now), first);
    }
    store_.run();
    outcome.cost = double(outcome.iterations) * iteration_cost();
    return outcome;
  }

  Resources resources() const override { return iterate_[0].resources; }

 private:
  DenseField vector() const { return DenseField(backend_, system_.grid, system_.precision); }

  Step start() const {
    const AnyView residual = residual_field_.view();
    return backend_.prepare(
        {.run = {x_.copy_from(system_.u.view()), r_.copy_from(residual), p_.copy_from(residual),
                 dot_call(cells_, values<T>(r_), values<T>(r_), scalars_.data()->rho)}});
  }

  // rho[now] = r.r on entry; rho[1 - now] is the new one on return.
  Step iteration(int now) const {
    Scalars<T>& s = *scalars_.data();  // only the addresses of its members mean anything here
    T *x = values<T>(x_), *r = values<T>(r_), *p = values<T>(p_), *q = values<T>(q_);
    T *rho = &s.rho[now], *next_rho = &s.rho[1 - now];
    return backend_.prepare({.run = {product_.product(),             // q = A p
                                     dot_call(cells_, p, q, &s.pq),  // alpha = rho / p.q
                                     quotient_launch<T>(rho, &s.pq, &s.alpha),
                                     axpy_call(cells_, &s.alpha, p, x),        // x = x + alpha p
                                     axpy_call(cells_, &s.minus_alpha, q, r),  // r = r - alpha q
                                     dot_call(cells_, r, r, next_rho),         // beta = rho' / rho
                                     quotient_launch<T>(next_rho, rho, &s.beta),
                                     scale_call(cells_, &s.beta, p),  // p = r + beta p
                                     axpy_call(cells_, &s.one, r, p)}});
  }

  double residual(int now) const {
    T square = 0;
    backend_.fence();
    backend_.download(&square, &scalars_.data()->rho[now], sizeof square);
    return std::sqrt(double(square));
  }

  void check(Outcome& outcome, double residual, double first) {
    outcome.relative_residual = first == 0 ? 0 : residual / first;
    outcome.history.emplace_back(outcome.iterations, outcome.relative_residual);
    if (!on_check) return;
    store_.run();
    on_check(outcome.iterations);
  }

  // The product reads the matrix and p, and writes q. The vectors' words: dot 2, axpy 3, axpy 3, dot 1, scale
  // 2, axpy 3. Cells as the textbook's CG counts them: once an operation.
  Cost iteration_cost() const {
    const double n = double(cells_), entries = double(csr_entries(system_.grid));
    return {csr_bytes(system_.grid, sizeof(T)) + (2 + 14) * n * sizeof(T), 2 * entries + 11 * n, 6 * n};
  }

  const System& system_;
  CudaBackend& backend_;
  int check_interval_;
  Index cells_;
  Field residual_field_;
  DenseField x_, r_, p_, q_;
  DeviceArray<Scalars<T>> scalars_;
  SparseProduct<T> product_;
  Operation start_residual_;
  Step start_, store_, iterate_[2];
};

}  // namespace

std::unique_ptr<Solver> cusparse_cg_solver(const System& system, int check_interval, int spmv_algorithm) {
  if (!csr_fits(system.grid))
    throw std::invalid_argument("the matrix has more entries than 32 bits can count");
  if (system.precision == Precision::fp32)
    return std::make_unique<CusparseCg<float>>(system, check_interval, spmv_algorithm);
  return std::make_unique<CusparseCg<double>>(system, check_interval, spmv_algorithm);
}

}  // namespace cfdmark

// Operations on a linear system. An operation is a kernel prepared on views, with its declared cost and the
// name of the routine (routines.hpp) under which it is timed.
#pragma once

#include <array>
#include <cmath>

#include "kernels/apply/apply.hpp"
#include "kernels/axpy/axpy.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/residual/residual.hpp"
#include "kernels/scale/scale.hpp"
#include "solvers/linear/system/system.hpp"

namespace cfdmark {

template <class Args>
Operation prepare(const System& system, const char* routine, const Method<Args>& method,
                  Cost (*cost)(const Args&), const Args& args, const Config& config) {
  const Config complete = config_for(method.space_in(system.precision), config);
  return {routine, system.backend, system.clock, method.prepare(*system.backend, args, complete),
          declared_cost(method, cost, args, complete)};
}

template <class K>
Operation prepare(const System& system, const char* routine, const Method<CellArgs<K>>& method,
                  const CellArgs<K>& args, const Config& config) {
  return prepare(system, routine, method, cell_cost<K>, args, config);
}

// Returns copies that fill the periodic ghosts of a field in x, y and z; empty without periodic axes.
std::vector<Operation> ghost_copies(const System&, const std::array<bool, 3>& periodic, const AnyView& field,
                                    const Config&);

// Factory of operations on a system. What reads neighbours is preceded by the exchange of their values; a sum
// is followed by the sum over ranks.
class Operations {
 public:
  // Takes only `threads` from the config, because a block shape there belongs to the solver's own kernel.
  Operations(const System& system, const Config& config) : system_(system) {
    if (config.has("threads")) config_.set("threads", config.at("threads"));
  }

  Backend& backend() const { return *system_.backend; }
  Precision precision() const { return system_.precision; }
  const Config& config() const { return config_; }  // at most `threads`
  bool has_ranks() const { return system_.ranks; }

  // q = A u
  Operation apply(const AnyView& u, const AnyView& q) const {
    return around(u, system_.a->apply(*this, u, q));
  }
  // q = A u, result = u . q
  Operation apply_and_dot(const AnyView& u, const AnyView& q, const DeviceScalar& result) const {
    return around(u, system_.a->apply_and_dot(*this, u, q, result));
  }
  // r = b - A u
  Operation residual(const AnyView& u, const AnyView& b, const AnyView& r) const {
    return around(u, system_.a->residual(*this, u, b, r));
  }
  // result = sum of (b - A u)^2
  Operation residual_square(const AnyView& u, const AnyView& b, const DeviceScalar& result) const {
    return around(u, system_.a->residual_square(*this, u, b, result));
  }
  // d = diagonal of A
  Operation diagonal(const AnyView& d) const { return system_.a->diagonal(*this, d); }
  // result = x . y
  Operation dot(const AnyView& x, const AnyView& y, const DeviceScalar& result) const {
    return sweep<Dot>("dot", {system_.precision, {}, {x, y}, result.data()});
  }
  // result = x . y for each product. Ranks join them in one message. The results are in the backend's memory.
  struct Product {
    AnyView x, y;
    double* result = nullptr;
  };
  Operation dots(const std::vector<Product>&) const;
  // y = alpha x + beta y. Views of different precision use 64-bit arithmetic.
  Operation update(Scalar alpha, const AnyView& x, Scalar beta, const AnyView& y,
                   const char* routine = "update") const {
    return sweep<Axpy>(routine, {precision_of(x, y), {alpha, beta}, {x, y}});
  }
  // y = alpha x, with the same rule
  Operation scale(Scalar alpha, const AnyView& x, const AnyView& y, const char* routine = "update") const {
    return sweep<Scale>(routine, {precision_of(x, y), {alpha}, {x, y}});
  }

  // Prepares a kernel by its default method. A reduction is that of all ranks. Throws std::logic_error for
  // one that the ranks cannot join.
  template <class K>
  Operation sweep(const char* routine, const CellArgs<K>& args) const {
    const Methods<CellArgs<K>> methods = CellKernel<K>::methods(system_.backend->kind());
    Operation made = prepare(system_, routine, default_method(methods, args), args, config_);
    if constexpr (is_reduction<K>)
      if (system_.ranks)
        return over_ranks(
            std::move(made), [&args] { return std::vector<RowReduction>{reduction_of(args)}; }, {args.result},
            std::is_same_v<typename K::Reduction, SumOperation>);
    return made;
  }
  // The same for a kernel without a cell body, which reduces nothing.
  template <class Args>
  Operation sweep(const char* routine, const Methods<Args>& methods, Cost (*cost)(const Args&),
                  const Args& args) const {
    return prepare(system_, routine, default_method(methods, args), cost, args, config_);
  }
  // Returns the operation preceded by the exchange of what it reads next to u: copies that fill periodic
  // ghosts, or what the ranks exchange.
  Operation around(const AnyView& u, Operation of) const;
  // Returns that exchange by itself; empty if there is nothing to exchange.
  std::vector<Operation> exchange(const AnyView& u) const;
  // Returns an operation that completes a field of the whole domain (Communicator::gather).
  Operation gather(const Communicator& ranks, const AnyView& whole) const {
    return ranks.gather(*this, whole);
  }
  // Returns the reductions over all ranks: of their rows, or the operation followed by the sums of its
  // results.
  Operation over_ranks(Operation, const std::function<std::vector<RowReduction>()>& of_part,
                       const std::vector<double*>& results, bool are_sums) const;
  // Returns copies of the operator's values to a system of another precision; empty if it has none in memory.
  std::vector<Operation> copy_operator(const System& to) const { return system_.a->copy_to(*this, *to.a); }

  template <class K>
  static RowReduction reduction_of(const CellArgs<K>& args) {
    return {RowPartsOf<K>::make(args), args.result};
  }

 private:
  static Precision precision_of(const AnyView& x, const AnyView& y) {
    if (y.storage == Precision::fp64) return Precision::fp64;
    return x.storage == Precision::fp64 ? Precision::mixed : Precision::fp32;
  }

  System system_;
  Config config_;
};

// ||b - A u||_2 of a system, computed on its backend in its precision.
class ResidualNorm {
 public:
  ResidualNorm(const System& system, const Config& config)
      : square_(*system.backend),
        make_square_(Operations(system, config).residual_square(system.u, system.b, square_)) {}

  double operator()() const {
    make_square();
    return get();
  }
  // operator() in two parts, of which only get() waits for the backend.
  void make_square() const { make_square_(); }
  double get() const { return std::sqrt(square_.get()); }
  const double* square() const { return square_.data(); }
  Cost cost() const { return make_square_.cost; }

 private:
  DeviceScalar square_;
  Operation make_square_;
};

// Returns the residual under its name in outcomes.
inline std::vector<NamedValue> linear_residual(double norm) { return {{"b - A u", norm}}; }

}  // namespace cfdmark

// hypre's algebraic multigrid BoomerAMG (Henson and Yang 2002, Appl. Numer. Math. 41, 155) on one process,
// alone and as preconditioner of hypre's CG, and that CG without a preconditioner. They take any matrix
// through hypre's IJ interface.
#include "solvers/linear/libraries/hypre_library.hpp"

#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>

#include <limits>
#include <numeric>

#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/libraries/dense_rows.hpp"
#include "solvers/linear/libraries/hypre.hpp"
#include "solvers/linear/system/correction.hpp"
#include "solvers/linear/system/system_csr.hpp"

namespace cfdmark {
namespace {

const Setting coarsening = choice_setting("coarsening", {"hmis", "pmis", "falgout"}, "hmis",
                                          "BoomerAMG's choice of coarse rows: HMIS, PMIS or Falgout");
const Setting strong_threshold{"strong_threshold",
                               {0.25, 0.5},
                               0.25,
                               "coupling, relative to the strongest of its row, from which BoomerAMG uses it",
                               "",
                               real_between(0, 1)};

HYPRE_Int number_of_coarsening(const Config& config) {
  if (config.is(coarsening.name, "pmis")) return 8;
  return config.is(coarsening.name, "falgout") ? 6 : 10;
}

// A vector in hypre's memory, of one value per row.
class ParVector {
 public:
  explicit ParVector(int rows) {
    HYPRE_IJVector vector = nullptr;
    check(HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, rows - 1, &vector), "make a vector");
    owner_ = owned(vector, HYPRE_IJVectorDestroy);
    check(HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR), "make a vector");
    check(HYPRE_IJVectorInitialize(vector), "make a vector");
    check(HYPRE_IJVectorAssemble(vector), "make a vector");
    void* object = nullptr;
    check(HYPRE_IJVectorGetObject(vector, &object), "make a vector");
    vector_ = static_cast<HYPRE_ParVector>(object);
  }

  HYPRE_ParVector get() const { return vector_; }
  void set(std::vector<HYPRE_BigInt>& rows, const std::vector<double>& values) const {
    check(HYPRE_IJVectorSetValues(owner_.get(), HYPRE_Int(rows.size()), rows.data(), values.data()),
          "set a vector");
  }
  void read(std::vector<HYPRE_BigInt>& rows, std::vector<double>& values) const {
    check(HYPRE_IJVectorGetValues(owner_.get(), HYPRE_Int(rows.size()), rows.data(), values.data()),
          "read a vector");
  }

 private:
  std::shared_ptr<std::remove_pointer_t<HYPRE_IJVector>> owner_;
  HYPRE_ParVector vector_ = nullptr;
};

// hypre's form of A e = r.
class ParCsrSystem {
 public:
  explicit ParCsrSystem(const CsrMatrix<double>& a)
      : rows_(a.rows()), values_(a.rows()), r_(a.rows()), e_(a.rows()) {
    std::iota(rows_.begin(), rows_.end(), HYPRE_BigInt(0));
    HYPRE_IJMatrix matrix = nullptr;
    check(HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, a.rows() - 1, 0, a.rows() - 1, &matrix), "make the matrix");
    owner_ = owned(matrix, HYPRE_IJMatrixDestroy);
    std::vector<HYPRE_Int> entries(a.rows());
    for (int row = 0; row < a.rows(); ++row) entries[row] = a.row_begin[row + 1] - a.row_begin[row];
    const std::vector<HYPRE_BigInt> columns(a.column.begin(), a.column.end());
    check(HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR), "make the matrix");
    check(HYPRE_IJMatrixSetRowSizes(matrix, entries.data()), "make the matrix");
    check(HYPRE_IJMatrixInitialize(matrix), "make the matrix");
    check(HYPRE_IJMatrixSetValues(matrix, a.rows(), entries.data(), rows_.data(), columns.data(),
                                  a.value.data()),
          "fill the matrix");
    check(HYPRE_IJMatrixAssemble(matrix), "make the matrix");
    void* object = nullptr;
    check(HYPRE_IJMatrixGetObject(matrix, &object), "make the matrix");
    matrix_ = static_cast<HYPRE_ParCSRMatrix>(object);
  }

  HYPRE_ParCSRMatrix matrix() const { return matrix_; }
  HYPRE_ParVector r() const { return r_.get(); }
  HYPRE_ParVector e() const { return e_.get(); }

  // Copies r from a field and sets e = 0.
  void load(const AnyView& field) {
    copy_to_dense(HostRows(), field, values_.data());
    r_.set(rows_, values_);
    check(HYPRE_ParVectorSetConstantValues(e(), 0), "set the initial guess");
  }
  void store(const AnyView& field) {
    e_.read(rows_, values_);
    copy_from_dense(HostRows(), values_.data(), field);
  }

 private:
  std::vector<HYPRE_BigInt> rows_;  // 0, 1, 2 and so on
  std::vector<double> values_;
  ParVector r_, e_;
  std::shared_ptr<std::remove_pointer_t<HYPRE_IJMatrix>> owner_;
  HYPRE_ParCSRMatrix matrix_ = nullptr;
};

using ParSolver = std::shared_ptr<std::remove_pointer_t<HYPRE_Solver>>;

// Returns BoomerAMG with hypre's defaults: a V-cycle with one pass of l1 Gauss-Seidel before and one in
// reverse order after each coarser level, so that the cycle is symmetric.
ParSolver new_amg(const Config& config) {
  HYPRE_Solver amg = nullptr;
  check(HYPRE_BoomerAMGCreate(&amg), "make BoomerAMG");
  const ParSolver made = owned(amg, HYPRE_BoomerAMGDestroy);
  HYPRE_BoomerAMGSetCoarsenType(amg, number_of_coarsening(config));
  HYPRE_BoomerAMGSetStrongThreshold(amg, config.real(strong_threshold.name));
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  check(HYPRE_BoomerAMGSetTol(amg, 0), "set the tolerance");
  return made;
}

enum class ParMethod { amg, amg_cg, cg };

class ParSolve {
 public:
  ParSolve(ParCsrSystem& system, const Config& config, ParMethod method)
      : system_(system), amg_(method == ParMethod::cg ? nullptr : new_amg(config)) {
    if (method == ParMethod::amg) {
      check(HYPRE_BoomerAMGSetup(amg_.get(), system.matrix(), system.r(), system.e()), "set up BoomerAMG");
      return;
    }
    HYPRE_Solver cg = nullptr;
    check(HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &cg), "make CG");
    cg_ = owned(cg, HYPRE_ParCSRPCGDestroy);
    HYPRE_ParCSRPCGSetTwoNorm(cg, 1);  // stop by the unpreconditioned residual
    HYPRE_ParCSRPCGSetRelChange(cg, 0);
    if (amg_)
      check(HYPRE_ParCSRPCGSetPrecond(cg, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg_.get()),
            "precondition CG");
    check(HYPRE_ParCSRPCGSetup(cg, system.matrix(), system.r(), system.e()), "set up CG");
  }

  // Solves from zero until ||r - A e|| <= `reduction` ||r|| or after `most` iterations. Returns the
  // iterations.
  int solve(int most, double reduction) {
    HYPRE_Int iterations = 0;
    if (cg_) {
      HYPRE_ParCSRPCGSetMaxIter(cg_.get(), most);
      HYPRE_ParCSRPCGSetTol(cg_.get(), reduction);
      check(HYPRE_ParCSRPCGSolve(cg_.get(), system_.matrix(), system_.r(), system_.e()), "solve by CG");
      HYPRE_ParCSRPCGGetNumIterations(cg_.get(), &iterations);
    } else {
      HYPRE_BoomerAMGSetMaxIter(amg_.get(), most);
      HYPRE_BoomerAMGSetTol(amg_.get(), reduction);
      check(HYPRE_BoomerAMGSolve(amg_.get(), system_.matrix(), system_.r(), system_.e()),
            "solve by BoomerAMG");
      HYPRE_BoomerAMGGetNumIterations(amg_.get(), &iterations);
    }
    return std::max(1, int(iterations));
  }

 private:
  ParCsrSystem& system_;
  ParSolver amg_, cg_;
};

class ParCorrection final : public IteratedCorrection {
 public:
  ParCorrection(const System& system, const Config& config, ParMethod method)
      : IteratedCorrection(system, config, "hypre"), of_(system), config_(config), method_(method) {
    if (only_counts(*system.backend)) return;
    start_hypre();
    operator_changed();
    solve_.step = row_step(HostRows(), [this] {
      system_->load(r_.view());
      done_ = solver_->solve(most_, reduction_);
      system_->store(r_.view());
    });
  }

  void operator_changed() override {
    solver_ = nullptr;  // it refers to the system
    setup_seconds_ = seconds_to([&] {
      system_ = std::make_unique<ParCsrSystem>(matrix_of<double>(of_));
      solver_ = std::make_unique<ParSolve>(*system_, config_, method_);
    });
  }

 private:
  System of_;
  Config config_;
  ParMethod method_;
  std::unique_ptr<ParCsrSystem> system_;
  std::unique_ptr<ParSolve> solver_;
};

std::string why_not(const SystemShape& shape) {
  if (shape.precision != Precision::fp64) return "this hypre computes in 64 bits only";
  if (shape.sides.is_singular) return "singular systems are not supported; use cg/textbook";
  if (shape.grid.cells() > std::numeric_limits<HYPRE_Int>::max())
    return "the system has more rows than this hypre can count";
  return too_large_for_csr(shape);
}

// Returns an estimate of hypre's memory in bytes with all levels and the copy of the matrix made here. With
// hypre 2.26 a process grew by 5.4 to 8.0 times the matrix, in 2-D and 3-D.
double amg_bytes(const SystemShape& shape) { return 8 * matrix_bytes(shape); }

SolverMethod par_method(const char* name, ParMethod kind) {
  SolverMethod method{name, {}, [=](const System& system, const Config& config) {
                        return std::make_unique<ParCorrection>(system, config, kind);
                      }};
  if (kind != ParMethod::cg) method.space = {{coarsening, strong_threshold}};
  method.needs = OperatorForm::matrix;
  method.unsupported = why_not;
  method.host_bytes = amg_bytes;
  method.library = true;
  return method;
}

}  // namespace

std::vector<SolverMethod> boomeramg_methods() {
  return {par_method("boomeramg_cg", ParMethod::amg_cg), par_method("boomeramg", ParMethod::amg)};
}

std::vector<SolverMethod> hypre_cg(BackendKind kind) {
  if (kind != BackendKind::serial) return {};
  return {par_method("cg", ParMethod::cg)};
}

}  // namespace cfdmark

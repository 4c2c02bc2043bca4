// hypre's struct solvers on one process: the semi-coarsening multigrid PFMG (Ashby and Falgout 1996, Nucl.
// Sci. Eng. 124, 145), alone and as preconditioner of hypre's CG. It serves as a reference for the project's
// own solvers.
#include "solvers/linear/libraries/hypre.hpp"

#include "solvers/linear/libraries/hypre_library.hpp"

#include <HYPRE_struct_ls.h>

#include <array>
#include <cmath>
#include <limits>

#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"
#include "solvers/linear/system/correction.hpp"
#include "solvers/linear/system/csr.hpp"

namespace cfdmark {
namespace {

const Setting relaxation =
    choice_setting("relaxation", {"jacobi", "red_black"}, "red_black",
                   "PFMG smoother: weighted Jacobi or symmetric red-black Gauss-Seidel");
const Setting coarse_operators =
    choice_setting("coarse_operators", {"galerkin", "stencil"}, "stencil",
                   "PFMG coarse operator: Galerkin, or non-Galerkin with the fine stencil");
const Setting skip_relaxation =
    choice_setting("skip_relaxation", {"yes", "no"}, "yes",
                   "PFMG skips smoothing on levels where an isotropic problem does not need it");

using GridHandle = std::shared_ptr<std::remove_pointer_t<HYPRE_StructGrid>>;
using StencilHandle = std::shared_ptr<std::remove_pointer_t<HYPRE_StructStencil>>;
using MatrixHandle = std::shared_ptr<std::remove_pointer_t<HYPRE_StructMatrix>>;
using VectorHandle = std::shared_ptr<std::remove_pointer_t<HYPRE_StructVector>>;
using SolverHandle = std::shared_ptr<std::remove_pointer_t<HYPRE_StructSolver>>;

// A box of cells in hypre's form, with inclusive ends.
struct Box {
  std::array<int, 3> low{}, high{};
  explicit Box(const Grid& g) : high{g.nx - 1, g.ny - 1, g.nz - 1} {}
  // The memory from a field's first cell on, as whole rows and planes.
  explicit Box(const AnyView& v)
      : high{int(v.pitch) - 1, v.grid.is_3d() ? int(v.plane / v.pitch) - 1 : v.grid.ny - 1, v.grid.nz - 1} {}
};

// hypre's form of A e = r with zero boundary values. r already contains the boundary terms.
class StructSystem {
 public:
  explicit StructSystem(const System& system)
      : cells_(system.grid()),
        memory_(system.u),
        grid_(new_grid(system.grid())),
        matrix_(new_matrix(system)),
        r_(new_vector()),
        e_(new_vector()) {}

  HYPRE_StructMatrix matrix() const { return matrix_.get(); }
  HYPRE_StructVector r() const { return r_.get(); }
  HYPRE_StructVector e() const { return e_.get(); }

  // Copies r from a field with the system's layout and sets e = 0.
  void load(const AnyView& field) {
    check(HYPRE_StructVectorSetBoxValues2(r(), cells_.low.data(), cells_.high.data(), memory_.low.data(),
                                          memory_.high.data(), static_cast<double*>(field.origin)),
          "set the right-hand side");
    check(HYPRE_StructVectorSetConstantValues(e(), 0), "set the initial guess");
  }
  void store(const AnyView& field) {
    check(HYPRE_StructVectorGetBoxValues2(e(), cells_.low.data(), cells_.high.data(), memory_.low.data(),
                                          memory_.high.data(), static_cast<double*>(field.origin)),
          "read the solution");
  }

 private:
  static GridHandle new_grid(const Grid& g) {
    HYPRE_StructGrid grid = nullptr;
    Box cells(g);
    check(HYPRE_StructGridCreate(MPI_COMM_SELF, g.is_3d() ? 3 : 2, &grid), "describe the grid");
    const GridHandle owner = owned(grid, HYPRE_StructGridDestroy);
    check(HYPRE_StructGridSetExtents(grid, cells.low.data(), cells.high.data()), "describe the grid");
    check(HYPRE_StructGridAssemble(grid), "describe the grid");
    return owner;
  }

  // Returns the upper half of the symmetric matrix: coefficients of the cell, east, north and top.
  MatrixHandle new_matrix(const System& system) const {
    const Grid g = system.grid();
    const int dims = g.is_3d() ? 3 : 2;
    HYPRE_StructStencil stencil = nullptr;
    check(HYPRE_StructStencilCreate(dims, dims + 1, &stencil), "describe the stencil");
    const StencilHandle owner = owned(stencil, HYPRE_StructStencilDestroy);
    int offsets[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, entries[] = {0, 1, 2, 3};
    for (int entry = 0; entry <= dims; ++entry)
      check(HYPRE_StructStencilSetElement(stencil, entry, offsets[entry]), "describe the stencil");
    HYPRE_StructMatrix matrix = nullptr;
    check(HYPRE_StructMatrixCreate(MPI_COMM_SELF, grid_.get(), stencil, &matrix), "make the matrix");
    const MatrixHandle made = owned(matrix, HYPRE_StructMatrixDestroy);
    check(HYPRE_StructMatrixSetSymmetric(matrix, 1), "make the matrix");
    check(HYPRE_StructMatrixInitialize(matrix), "make the matrix");
    with_operator(Precision::fp64, system.stencil(), g, [&]<class S, class C, int>(const auto& a) {
      if constexpr (std::is_same_v<S, double>) set_rows(matrix, g, dims, entries, a);
    });
    check(HYPRE_StructMatrixAssemble(matrix), "make the matrix");
    return made;
  }

  template <class A>
  static void set_rows(HYPRE_StructMatrix matrix, const Grid& g, int dims, int* entries, const A& a) {
    std::vector<double> values(std::size_t(g.nx) * (dims + 1));
    for (int k = 0; k < g.nz; ++k)
      for (int j = 0; j < g.ny; ++j) {
        double* to = values.data();
        for (int i = 0; i < g.nx; ++i) {
          const auto row = row_values(a, g, i, j, k);
          to = std::copy_n(row.data(), dims + 1, to);
        }
        int low[] = {0, j, k}, high[] = {g.nx - 1, j, k};
        check(HYPRE_StructMatrixSetBoxValues(matrix, low, high, dims + 1, entries, values.data()),
              "fill the matrix");
      }
  }
  // Returns the coefficients of a cell and of its upper neighbours; 0 for neighbours outside the grid.
  template <class A>
  static std::array<double, 4> row_values(const A& a, const Grid& g, int i, int j, int k) {
    const csr_detail::RowValues<double> row(g.is_3d()
                                                ? csr_detail::RowValues<double>(a.template at<3>(i, j, k))
                                                : csr_detail::RowValues<double>(a.template at<2>(i, j, k)));
    const csr_detail::RowPattern in(g, i, j, k);
    const auto value = [&](int n) { return in.inside[n] ? row.value[n] : 0.0; };
    return {value(3), value(4), value(5), value(6)};
  }

  VectorHandle new_vector() const {
    HYPRE_StructVector vector = nullptr;
    check(HYPRE_StructVectorCreate(MPI_COMM_SELF, grid_.get(), &vector), "make a vector");
    const VectorHandle made = owned(vector, HYPRE_StructVectorDestroy);
    check(HYPRE_StructVectorInitialize(vector), "make a vector");
    check(HYPRE_StructVectorAssemble(vector), "make a vector");
    return made;
  }

  Box cells_, memory_;
  GridHandle grid_;
  MatrixHandle matrix_;
  VectorHandle r_, e_;
};

// Returns PFMG with one pre- and one post-smoothing pass, hypre's default.
SolverHandle new_pfmg(const Config& config, double tolerance) {
  HYPRE_StructSolver pfmg = nullptr;
  check(HYPRE_StructPFMGCreate(MPI_COMM_SELF, &pfmg), "make PFMG");
  const SolverHandle made = owned(pfmg, HYPRE_StructPFMGDestroy);
  HYPRE_StructPFMGSetRelaxType(pfmg, config.is(relaxation.name, "jacobi") ? 1 : 2);
  HYPRE_StructPFMGSetRAPType(pfmg, config.is(coarse_operators.name, "stencil") ? 1 : 0);
  HYPRE_StructPFMGSetSkipRelax(pfmg, config.is(skip_relaxation.name, "yes") ? 1 : 0);
  HYPRE_StructPFMGSetNumPreRelax(pfmg, 1);
  HYPRE_StructPFMGSetNumPostRelax(pfmg, 1);
  HYPRE_StructPFMGSetZeroGuess(pfmg);
  HYPRE_StructPFMGSetMaxIter(pfmg, 1);
  check(HYPRE_StructPFMGSetTol(pfmg, tolerance), "set the tolerance");
  return made;
}

class StructSolver {
 public:
  StructSolver(StructSystem& system, const Config& config, bool conjugate_gradients)
      : system_(system), pfmg_(new_pfmg(config, 0)) {
    if (conjugate_gradients) {
      HYPRE_StructSolver cg = nullptr;
      check(HYPRE_StructPCGCreate(MPI_COMM_SELF, &cg), "make CG");
      cg_ = owned(cg, HYPRE_StructPCGDestroy);
      HYPRE_StructPCGSetTwoNorm(cg, 1);  // stop by the unpreconditioned residual
      HYPRE_StructPCGSetRelChange(cg, 0);
      check(HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg_.get()),
            "precondition CG");
      check(HYPRE_StructPCGSetup(cg, system.matrix(), system.r(), system.e()), "set up CG with PFMG");
    } else {
      check(HYPRE_StructPFMGSetup(pfmg_.get(), system.matrix(), system.r(), system.e()), "set up PFMG");
    }
  }

  // Solves from zero until ||r - A e|| <= `reduction` ||r|| or after `most` iterations. Returns the
  // iterations.
  int solve(int most, double reduction) {
    HYPRE_Int iterations = 0;
    if (cg_) {
      HYPRE_StructPCGSetMaxIter(cg_.get(), most);
      HYPRE_StructPCGSetTol(cg_.get(), reduction);
      check(HYPRE_StructPCGSolve(cg_.get(), system_.matrix(), system_.r(), system_.e()), "solve by CG");
      HYPRE_StructPCGGetNumIterations(cg_.get(), &iterations);
    } else {
      HYPRE_StructPFMGSetMaxIter(pfmg_.get(), most);
      HYPRE_StructPFMGSetTol(pfmg_.get(), reduction);
      check(HYPRE_StructPFMGSolve(pfmg_.get(), system_.matrix(), system_.r(), system_.e()), "solve by PFMG");
      HYPRE_StructPFMGGetNumIterations(pfmg_.get(), &iterations);
    }
    return std::max(1, int(iterations));
  }

 private:
  StructSystem& system_;
  SolverHandle pfmg_, cg_;
};

class Hypre final : public IteratedCorrection {
 public:
  Hypre(const System& system, const Config& config, bool conjugate_gradients)
      : IteratedCorrection(system, config, "hypre"),
        of_(system),
        config_(config),
        conjugate_gradients_(conjugate_gradients) {
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
      system_ = std::make_unique<StructSystem>(of_);
      solver_ = std::make_unique<StructSolver>(*system_, config_, conjugate_gradients_);
    });
  }

 private:
  System of_;
  Config config_;
  bool conjugate_gradients_;
  std::unique_ptr<StructSystem> system_;
  std::unique_ptr<StructSolver> solver_;
};

// Returns an estimate of hypre's memory in bytes for the matrices and vectors of all levels, from
// measurements with hypre 2.26.
double hypre_bytes(const SystemShape& shape) { return 20.0 * double(shape.grid.cells()) * sizeof(double); }

std::string why_not(const SystemShape& shape) {
  if (shape.precision != Precision::fp64) return "this hypre computes in 64 bits only";
  if (shape.grid.cells() > std::numeric_limits<HYPRE_Int>::max())
    return "the grid has more cells than this hypre can count";
  return "";
}

SolverMethod hypre_method(const char* name, bool conjugate_gradients) {
  SolverMethod method{name,
                      {{relaxation, coarse_operators, skip_relaxation}},
                      [=](const System& system, const Config& config) {
                        return std::make_unique<Hypre>(system, config, conjugate_gradients);
                      }};
  method.unsupported = why_not;
  method.host_bytes = hypre_bytes;
  method.library = true;
  return method;
}

}  // namespace

std::string hypre_version() { return HYPRE_RELEASE_VERSION; }

std::vector<SolverMethod> hypre_methods(BackendKind kind) {
  if (kind != BackendKind::serial) return {};
  std::vector<SolverMethod> all = {hypre_method("pfmg_cg", true), hypre_method("pfmg", false)};
  for (const SolverMethod& method : boomeramg_methods()) all.push_back(method);
  return all;
}

}  // namespace cfdmark
